package text

import (
	"strings"
	"testing"
)

func TestValid(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"ordinary text passes", "# Ziel\n\n- é 中文 👩\u200d💻 ⚠\ufe0f\n\tcode\n", ""},
		{"a bidi override is named with its place", "ok\nabc\u202edef\n",
			"line 2, column 4: U+202E right-to-left override is not allowed; remove it"},
		{"columns count characters, not bytes", "中文\x1b[0m",
			"line 1, column 3: U+001B escape is not allowed; remove it"},
		{"a carriage return asks for a line feed", "a\rb",
			"line 1, column 2: U+000D carriage return is not allowed; end lines with a line feed alone"},
		{"a vertical tab asks for a line feed", "\v", "line 1, column 1: U+000B vertical tab is not allowed; use a line feed"},
		{"a form feed asks for a line feed", "\f", "line 1, column 1: U+000C form feed is not allowed; use a line feed"},
		{"a next line asks for a line feed", "\u0085", "line 1, column 1: U+0085 next line is not allowed; use a line feed"},
		{"a line separator asks for a line feed", "\u2028", "line 1, column 1: U+2028 line separator is not allowed; use a line feed"},
		{"a paragraph separator asks for a line feed", "\u2029", "line 1, column 1: U+2029 paragraph separator is not allowed; use a line feed"},
		{"a byte order mark is refused anywhere", "a\ufeff", "line 1, column 2: U+FEFF byte order mark is not allowed; remove it"},
		{"a null is named", "\x00", "line 1, column 1: U+0000 null is not allowed; remove it"},
		{"an unnamed control is still described", "\x01", "line 1, column 1: U+0001 control character is not allowed; remove it"},
		{"delete is refused", "\x7f", "line 1, column 1: U+007F delete is not allowed; remove it"},
		{"a tag character is refused", "\U000E0041", "line 1, column 1: U+E0041 tag character is not allowed; remove it"},
		{"a zero width space is refused", "a\u200bb", "line 1, column 2: U+200B zero width space is not allowed; remove it"},
		{"a noncharacter is refused", "\ufffe", "line 1, column 1: U+FFFE noncharacter is not allowed; remove it"},
		{"an invisible operator is refused", "\u2063", "line 1, column 1: U+2063 invisible character is not allowed; remove it"},
		{"invalid UTF-8 names the byte", "a\n\xffb", "line 2, column 1: byte 0xFF is not valid UTF-8; write UTF-8 text"},
		{"a replacement character that was written is text", "\ufffd", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := Valid([]byte(tt.in)); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Valid(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestValidNamesTheFirstFaultsAndCountsTheRest(t *testing.T) {
	err := Valid([]byte(strings.Repeat("\x01\n", 7)))
	if err == nil {
		t.Fatal("no error")
	}
	if got := err.Error(); !strings.Contains(got, "line 5, column 1") || strings.Contains(got, "line 6") || !strings.HasSuffix(got, "and 2 more") {
		t.Errorf("got %q", got)
	}
}

// What passes Valid and has no selectors or joiners is shown as it is.
func FuzzValidTextIsShownAsStored(f *testing.F) {
	f.Add([]byte("a\nb"))
	f.Add([]byte("\u202e"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if Valid(b) != nil {
			return
		}
		for _, r := range string(b) {
			if Hidden(r) && refused(r) && r != '\n' && r != '\t' {
				t.Fatalf("%q passed with U+%04X", b, r)
			}
		}
		if c := Clean(string(b)); Valid([]byte(c)) != nil {
			t.Fatalf("cleaning made %q invalid", c)
		}
	})
}
