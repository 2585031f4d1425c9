package image

import (
	"encoding/hex"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Named is an image that a text names by its path.
type Named struct {
	Raw  string // as it stands in the text
	Path string
}

// IsPath says whether a path has the name of an image.
func IsPath(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

// Mentions finds the images that a text names after an "@", quoted or not. With
// whole it leaves out one at the very end, which may still be being typed.
func Mentions(s string, whole bool) []Named {
	var out []Named
	last := ' '
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == '@' && BeforeMention(last) {
			if m, ok := mention(s[i:]); ok {
				if i += len(m.Raw); !whole || i < len(s) {
					out = append(out, m)
				}
				last = ' '
				continue
			}
		}
		last = r
		i += size
	}
	return out
}

// BeforeMention says whether an "@" after r starts a file name rather than
// standing in an address. Text without blanks between its words may precede it.
func BeforeMention(r rune) bool {
	return strings.ContainsRune(" \t\n([{\"'", r) || r > unicode.MaxLatin1 && unicode.IsPunct(r) ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// mention reads the mention that s begins with.
func mention(s string) (Named, bool) {
	if rest, ok := strings.CutPrefix(s, `@"`); ok {
		name, _, closed := strings.Cut(rest, `"`)
		return Named{`@"` + name + `"`, name}, closed && IsPath(name) && !strings.Contains(name, "\n")
	}
	word := s[1:]
	if i := strings.IndexFunc(word, unicode.IsSpace); i >= 0 {
		word = word[:i]
	}
	word = strings.TrimRightFunc(word, func(r rune) bool { return unicode.IsPunct(r) && r != '/' && r != '\\' })
	return Named{"@" + word, word}, IsPath(word)
}

// Pasted reads a text that is nothing but paths of images, as a terminal gives
// them for files that are dropped on it: quoted, with blanks escaped, or as file
// URLs. It is nil for any other text.
func Pasted(s string) []Named {
	if len(s) > 32<<10 {
		return nil
	}
	var out []Named
	for rest := strings.TrimSpace(s); rest != ""; rest = strings.TrimSpace(rest) {
		raw, p := word(rest)
		p = local(p)
		if !IsPath(p) || !rooted(p) && !strings.Contains(p, "/") {
			return whole(s)
		}
		out = append(out, Named{raw, p})
		rest = rest[len(raw):]
	}
	return out
}

// whole is a single path whose blanks nobody escaped.
func whole(s string) []Named {
	s = strings.TrimSpace(s)
	if !rooted(s) || !IsPath(s) || strings.ContainsAny(s, "\n\t'\"\\") {
		return nil
	}
	return []Named{{s, s}}
}

// rooted says whether a path begins at a root, so that a word which only ends
// like the name of an image is not taken for one.
func rooted(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/") || drive(p)
}

func drive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') && unicode.IsLetter(rune(p[0]))
}

// word takes the first word of s apart: as it stands, and what it means.
func word(s string) (raw, meaning string) {
	var b strings.Builder
	quote := byte(0)
	plain := drive(strings.TrimLeft(s, `"'`)) // backslashes are part of such a path
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '\\' && quote != '\'' && !plain && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			return s[:i], b.String()
		default:
			b.WriteByte(c)
		}
	}
	return s, b.String()
}

// local is the path of a file URL, none for any other URL; anything else stays.
func local(p string) string {
	rest, ok := strings.CutPrefix(p, "file://")
	switch {
	case !ok && strings.Contains(p, "://"):
		return ""
	case !ok:
		return p
	}
	rest = strings.TrimPrefix(rest, "localhost")
	if !strings.HasPrefix(rest, "/") {
		return "" // on another machine
	}
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		if c, err := hex.DecodeString(rest[min(i+1, len(rest)):min(i+3, len(rest))]); rest[i] == '%' && err == nil && len(c) == 1 {
			b.WriteByte(c[0])
			i += 2
			continue
		}
		b.WriteByte(rest[i])
	}
	return b.String()
}
