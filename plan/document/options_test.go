package document

import (
	"strings"
	"testing"

	"planmode/plan"
)

func offered(labels ...string) []plan.Option {
	var out []plan.Option
	for _, l := range labels {
		out = append(out, plan.Option{Label: l})
	}
	return out
}

func TestCheckOptions(t *testing.T) {
	long := func(n int) string { return strings.Repeat("题", n) }
	tests := []struct {
		name    string
		options []plan.Option
		fault   string // a part of the error; empty when there is none
	}{
		{"no options", nil, ""},
		{"one option", offered("Patch the parser"), ""},
		{"three options", offered("A", "B", "C"), ""},
		{"four options", offered("A", "B", "C", "D"), "at most 3"},
		{"an empty label", offered("A", ""), "options[1]: the label is empty"},
		{"a label of spaces", offered("   "), "the label is empty"},
		{"a label of no-break spaces and a byte order mark", offered("\u00a0\ufeff"), "the label is empty"},
		{"a label of 80 characters in Chinese", offered(long(80)), ""},
		{"a label of 81 characters", offered(long(81)), "81 characters and at most 80"},
		{"blanks count, as they are written", offered("a" + strings.Repeat(" ", 80)), "81 characters"},
		{"one emoji is one character", offered(strings.Repeat("😀", 80)), ""},
		{"the same label twice", offered("Patch config", "Patch config"), `options[1] has the label of options[0]`},
		{"the same label in another case and with blanks", offered("Patch config", "  patch CONFIG  "), "has the label of"},
		{"the same label in the other Greek sigma", offered("ΟΔΟΣ", "οδος"), "has the label of"},
		{"the same label in full width", offered("Patch", "Ｐａｔｃｈ"), "has the label of"},
		{"a blank more between the words", offered("Patch  config", "patch config"), "has the label of"},
		{"approve", offered("approve"), `"approve" is reserved`},
		{"reject with blanks", offered("  Reject  "), "is reserved"},
		{"reject and exit", offered("REJECT AND EXIT"), "is reserved"},
		{"reject and exit after a next-line character", offered("\u0085revise"), "U+0085"},
		{"revise with a dotted capital I", offered("REVİSE"), "is reserved"},
		{"keep with the sign for kelvin", offered("\u212aeep planning"), "is reserved"},
		{"a row of the card", offered("Leave Plan Mode"), "is reserved"},
		{"a reserved word within a label", offered("Revise the parser"), ""},
		{"a line break", offered("a\nb"), "line break"},
		{"an escape sequence", offered("a\x1b[2Jb"), "U+001B escape"},
		{"a right-to-left override", offered("a\u202eb"), "U+202E"},
		{"an escape sequence in a description", []plan.Option{{Label: "A", Description: "x\x1b]0;t\a"}}, "the description holds"},
		{"a long description", []plan.Option{{Label: "A", Description: long(1001)}}, "1001 characters"},
		{"a description of several lines", []plan.Option{{Label: "A", Description: "one\ntwo"}}, ""},
		{"one recommended", []plan.Option{{Label: "A", Recommended: true}, {Label: "B"}}, ""},
		{"two recommended", []plan.Option{{Label: "A", Recommended: true}, {Label: "B", Recommended: true}}, "recommend one at most"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckOptions(tt.options)
			switch {
			case tt.fault == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault)):
				t.Errorf("got %v, want %q", err, tt.fault)
			}
		})
	}
}

// Whatever passes can be told apart, from the other and from every decision, by
// somebody who does not see case or blanks.
func FuzzCheckOptions(f *testing.F) {
	for _, s := range []string{"Patch", " patch", "approve", "REVİSE", "Ｒeject", "\ufeffrevise", "a\x00b", "😀"} {
		f.Add(s, "Patch")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if CheckOptions(offered(a, b)) != nil {
			return
		}
		fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
		if fold(a) == fold(b) || fold(a) == "" || fold(b) == "" {
			t.Errorf("%q and %q pass", a, b)
		}
		for _, word := range reserved {
			if fold(a) == word || fold(b) == word {
				t.Errorf("%q or %q passes for %q", a, b, word)
			}
		}
		if CheckOptions(offered(b, a)) != nil {
			t.Errorf("%q and %q pass in one order only", a, b)
		}
	})
}
