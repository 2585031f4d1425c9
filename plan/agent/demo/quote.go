package demo

import (
	"strings"

	"planmode/plan/text"
)

// code shows a name as inline code. A backtick cannot end it early.
func code(s string) string {
	s = strings.ReplaceAll(text.Line(s), "`", "'")
	if s == "" {
		s = "?"
	}
	return "`" + s + "`"
}

func codes(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = code(s)
	}
	return out
}

// quote puts someone's words on one line between the quotation marks of the
// language, as inert Markdown.
func quote(s string, l lang) string { return l.f("“%s”", "“%s”", inert(s)) }

func quotes(list []string, l lang) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s, l)
	}
	return out
}

// inert makes one line of someone's words that opens no HTML, link, image or
// code span of its own. Balanced code spans are left, they are common.
func inert(s string) string {
	line := text.Line(s)
	if strings.Count(line, "`")%2 == 1 {
		line = strings.ReplaceAll(line, "`", "'")
	}
	var b strings.Builder
	inCode := false
	for _, r := range line {
		switch {
		case r == '`':
			inCode = !inCode
		case !inCode && strings.ContainsRune(`\<[]`, r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// short is s on one line of at most cells cells.
func short(s string, cells int) string { return text.Truncate(text.Line(s), cells) }
