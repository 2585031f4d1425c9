package tuitest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

func quote(s string) string { return strconv.Quote(s) }

var plainKeys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "backspace": "\x7f", "space": " ",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "delete": "\x1b[3~",
	"shift+tab": "\x1b[Z", "shift+up": "\x1b[1;2A", "shift+down": "\x1b[1;2B",
	"alt+up": "\x1b[1;3A", "ctrl+home": "\x1b[1;5H", "ctrl+end": "\x1b[1;5F",
}

// encode is what a terminal sends for a key without any keyboard protocol.
func encode(key string) (string, error) {
	if b, ok := plainKeys[key]; ok {
		return b, nil
	}
	if rest, ok := strings.CutPrefix(key, "ctrl+alt+"); ok && len(rest) == 1 {
		return "\x1b" + string(rest[0]&0x1f), nil
	}
	if rest, ok := strings.CutPrefix(key, "ctrl+"); ok && len(rest) == 1 {
		return string(rest[0] & 0x1f), nil
	}
	if rest, ok := strings.CutPrefix(key, "alt+"); ok {
		b, err := encode(rest)
		return "\x1b" + b, err
	}
	if utf8.RuneCountInString(key) == 1 {
		return key, nil
	}
	return "", fmt.Errorf("no bytes are known for the key %q", key)
}
