package pull

import (
	"path"
	"regexp"
	"strings"

	"planmode/plan/text"
)

// inline makes a text of anybody one line of Markdown that says the same: code spans
// stay, and nothing in it hides what follows, loads an image or opens another block.
func inline(s string) string {
	var out strings.Builder
	walkSpans(text.Line(s), func(prose, code string) {
		if code == "" {
			prose = strings.ReplaceAll(prose, "`", "\\`")
		}
		out.WriteString(strings.NewReplacer("<", "\\<", "![", "!\\[", "|", "\\|").Replace(prose))
		if code != "" {
			out.WriteString(codeSpan(code))
		}
	})
	return out.String()
}

// codeSpan shows a name as it is, whatever marks it has.
func codeSpan(s string) string {
	s = text.Line(s)
	mark := Fence(s)[:max(1, len(Fence(s))-2)]
	for strings.Contains(s, mark) {
		mark += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return mark + s + mark
}

var language = regexp.MustCompile(`^[a-z][a-z0-9]{0,7}$`)

// block shows a text between fences, every character of it visible. Info is a word of
// ours, or the end of a file name.
func block(info, s string) string {
	s = text.Visible([]byte(s))
	fence := Fence(s)
	if !language.MatchString(info) {
		info = ""
	}
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return fence + info + "\n" + s + fence + "\n"
}

func languageOf(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
}
