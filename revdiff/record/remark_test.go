package record

import (
	"strings"
	"testing"
)

func isNit(label string) bool { return label == "nit" || label == "问题" }

func TestRemarks(t *testing.T) {
	cases := []struct {
		name string
		r    Remark
		body string
	}{
		{"text alone", Remark{Text: "why?\nand how?"}, "why?\nand how?"},
		{"a label before the text", Remark{Label: "nit", Text: "a comma"}, "[nit] a comma"},
		{"a label alone", Remark{Label: "问题"}, "[问题]"},
		{"a suggestion alone", Remark{Suggests: true, Replacement: "a\n\nb"}, "```suggestion\na\n\nb\n```"},
		{"a deletion", Remark{Suggests: true}, "```suggestion\n```"},
		{"everything", Remark{Label: "nit", Text: "shorter", Suggests: true, Replacement: "x"}, "[nit] shorter\n\n```suggestion\nx\n```"},
		{"a fence in the suggestion makes the fence longer", Remark{Text: "t", Suggests: true, Replacement: "```go\nx\n```"},
			"t\n\n````suggestion\n```go\nx\n```\n````"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.r.Body(); got != c.body {
				t.Errorf("body %q, want %q", got, c.body)
			}
			if got := Split(c.body, isNit); got != c.r {
				t.Errorf("split into %+v, want %+v", got, c.r)
			}
		})
	}
}

func TestWhatIsNoLabelOrSuggestionStaysText(t *testing.T) {
	for _, body := range []string{"[x] done", "[a link](https://example.org)", "[nit](x)", "```go\nx\n```", "```suggestion\nx", "```", "suggestion\n```", ""} {
		if got := Split(body, isNit); got != (Remark{Text: body}) {
			t.Errorf("%q became %+v", body, got)
		}
	}
	if got := Split("```suggestion\nx\n```\n\n", isNit); !got.Suggests || got.Replacement != "x" {
		t.Errorf("blank lines behind the fence: %+v", got)
	}
}

func FuzzRemark(f *testing.F) {
	f.Add("nit", "text", "replacement", true)
	f.Add("", "a\n```suggestion\nx\n```", "````\n", true)
	f.Fuzz(func(t *testing.T, label, text, replacement string, suggests bool) {
		r := Remark{Label: label, Text: strings.TrimSpace(text), Suggests: suggests, Replacement: replacement}
		if !suggests {
			r.Replacement = ""
		}
		if strings.ContainsAny(label, "[]\n") || len([]rune(label)) > 40 || strings.TrimSpace(label) != label ||
			!suggests && Split(r.Text, isNit).Suggests || Split(r.Text, func(l string) bool { return label == "" }).Label != "" {
			return // not a remark that the reviewer writes
		}
		if got := Split(r.Body(), func(l string) bool { return l == label }); got != r {
			t.Errorf("%+v came back as %+v from %q", r, got, r.Body())
		}
		Split(text, isNit)
	})
}
