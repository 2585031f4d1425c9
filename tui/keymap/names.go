package keymap

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// modifiers in the order in which Bubble Tea writes them.
var modifiers = []string{"ctrl", "alt", "shift", "meta", "hyper", "super"}

// named keys, and how a hint writes them.
var named = func() map[string]string {
	m := map[string]string{
		"enter": "Enter", "tab": "Tab", "backspace": "Backspace", "esc": "Esc", "space": "Space",
		"up": "Up", "down": "Down", "left": "Left", "right": "Right", "insert": "Insert", "delete": "Delete",
		"pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End",
	}
	for i := 1; i <= 24; i++ {
		f := "f" + strconv.Itoa(i)
		m[f] = strings.ToUpper(f)
	}
	return m
}()

var aliases = map[string]string{
	"escape": "esc", "return": "enter", "pageup": "pgup", "pagedown": "pgdown", "del": "delete", "ins": "insert",
	"control": "ctrl", "option": "alt", "opt": "alt", "cmd": "super",
}

// parse brings a key name of the configuration into the form that Bubble Tea
// gives, or says what is wrong with it.
func parse(name string) (key, why string) {
	presses := strings.Fields(name)
	for i, press := range presses {
		if presses[i], why = parsePress(press); why != "" {
			return "", why
		}
	}
	switch {
	case len(presses) == 1:
		return presses[0], ""
	case len(presses) == 2 && presses[0] == presses[1]:
		return presses[0] + " " + presses[1], ""
	}
	return "", "is not one key, or the same key twice"
}

func parsePress(press string) (key, why string) {
	mods, key := split(press)
	var held []string
	for i, mod := range mods {
		mods[i] = canonical(mod)
	}
	for _, mod := range modifiers {
		if slices.Contains(mods, mod) {
			held = append(held, mod)
		}
	}
	if len(held) != len(mods) {
		return "", "has a modifier that is unknown or there twice"
	}
	r, size := utf8.DecodeRuneInString(key)
	switch {
	case named[canonical(key)] != "":
		key = canonical(key)
	case size == 0 || size != len(key) || r == utf8.RuneError || !unicode.IsPrint(r):
		return "", "is not the name of a key"
	case len(held) > 0:
		key = strings.ToLower(key)
	}
	return strings.Join(append(held, key), "+"), ""
}

func canonical(name string) string {
	name = strings.ToLower(name)
	if to, ok := aliases[name]; ok {
		return to
	}
	return name
}

// split separates the modifiers from the key; the plus sign is a key as well.
func split(press string) (mods []string, key string) {
	if rest, ok := strings.CutSuffix(press, "+"); ok {
		rest = strings.TrimSuffix(rest, "+")
		if rest == "" {
			return nil, "+"
		}
		return strings.Split(rest, "+"), "+"
	}
	parts := strings.Split(press, "+")
	return parts[:len(parts)-1], parts[len(parts)-1]
}

// forbidden says why a valid key must not be bound. A key that types text would
// take the letter away from the composer. A lone Esc may be the first half of a
// chord on a slow line, so it may not do what cannot be taken back.
func forbidden(action Action, key string) string {
	first, _, _ := strings.Cut(key, " ")
	mods, name := split(first)
	switch {
	case len(mods) == 0 && (named[name] == "" || name == "space"), len(mods) == 1 && mods[0] == "shift" && named[name] == "":
		return "types text"
	case key == "esc" && (action == Interrupt || action == Quit || action == Clear || action == QuitEmpty):
		return "may be the first half of another key; use \"esc esc\""
	}
	return ""
}
