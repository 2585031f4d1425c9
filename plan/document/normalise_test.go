package document

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"planmode/plan"
	"planmode/plan/text"
)

func TestNormalise(t *testing.T) {
	tests := []struct{ name, in, want, wrong string }{
		{"a missing final newline is added", "# A", "# A\n", ""},
		{"many final newlines become one", "# A\n\n\n", "# A\n", ""},
		{"windows line ends become line feeds", "a\r\nb\r\n\r\n", "a\nb\n", ""},
		{"tabs and inner blank lines stay", "a\n\n\n\tb\n", "a\n\n\n\tb\n", ""},
		{"trailing spaces stay, since they mean a line break", "a  \nb\n", "a  \nb\n", ""},
		{"emoji with joiners and selectors stay", "👩\u200d💻 ⚠\ufe0f\n", "👩\u200d💻 ⚠\ufe0f\n", ""},
		{"empty text is refused", "", "", "empty"},
		{"blank text is refused", " \r\n\t\n", "", "empty"},
		{"text of nothing visible is refused", "\ufe0f\n", "", "empty"},
		{"a lone carriage return is refused", "a\rb", "", "line 1, column 2: U+000D carriage return"},
		{"a carriage return before a windows line end is refused", "a\r\r\nb", "", "line 1, column 2: U+000D"},
		{"an escape is refused", "a\n\x1b[2J", "", "line 2, column 1: U+001B escape"},
		{"a bidi override is refused with its place", strings.Repeat("x\n", 11) + "abcdef\u202e", "",
			"line 12, column 7: U+202E right-to-left override is not allowed; remove it"},
		{"a byte order mark is refused", "\ufeff# A", "", "line 1, column 1: U+FEFF byte order mark"},
		{"invalid UTF-8 is refused", "a\xffb", "", "line 1, column 2: byte 0xFF is not valid UTF-8"},
		{"a vertical tab is refused", "a\vb", "", "U+000B vertical tab"},
		{"a form feed is refused", "a\fb", "", "U+000C form feed"},
		{"a line separator is refused", "a\u2028b", "", "U+2028 line separator"},
		{"a next line is refused", "a\u0085b", "", "U+0085 next line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Normalise([]byte(tt.in))
			if tt.wrong == "" && (err != nil || string(got) != tt.want) {
				t.Errorf("Normalise(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
			}
			if tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
				t.Errorf("Normalise(%q) = %q, error %v, want one with %q", tt.in, got, err, tt.wrong)
			}
		})
	}
}

func TestNormaliseLimitsTheNormalisedSize(t *testing.T) {
	exact := strings.Repeat("a", plan.MaxPlanBytes-1)
	for name, in := range map[string]string{
		"exactly the limit":               exact + "\n",
		"the newline is still to come":    exact,
		"longer only by windows line end": exact + "\r\n\r\n",
	} {
		if got, err := Normalise([]byte(in)); err != nil || len(got) != plan.MaxPlanBytes {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	_, err := Normalise([]byte(exact + "bc"))
	if err == nil || !strings.Contains(err.Error(), "262146 bytes") || !strings.Contains(err.Error(), "shorten it by 2") {
		t.Errorf("got %v", err)
	}
}

func TestNormaliseDoesNotWriteToItsInput(t *testing.T) {
	in := []byte("abc\nX")[:3]
	if _, err := Normalise(in); err != nil {
		t.Fatal(err)
	}
	if got := string(in[:4]); got != "abc\n" {
		t.Errorf("input became %q", got)
	}
	buf := []byte("abcX")
	if _, err := Normalise(buf[:3]); err != nil || string(buf) != "abcX" {
		t.Errorf("the bytes behind the input became %q", buf)
	}
}

func TestCleanTitle(t *testing.T) {
	long := strings.Repeat("字", plan.MaxTitleChars)
	tests := []struct{ name, in, want, wrong string }{
		{"a title is trimmed", "  OAuth migration \n", "OAuth migration", ""},
		{"inner blanks become one space", "OAuth \t  migration", "OAuth migration", ""},
		{"the limit counts characters", long, long, ""},
		{"one character more is refused", long + "字", "", "161 characters"},
		{"an empty title is refused", " \n ", "", "empty"},
		{"an invisible title is refused", "\u200d", "", "empty"},
		{"a line break is refused", "a\nb", "", "line break"},
		{"an escape sequence is refused", "a\x1b[31mb", "", "column 2: U+001B escape"},
		{"a bidi override is refused", "a\u202eb", "", "U+202E right-to-left override"},
		{"invalid UTF-8 is refused", "a\xff", "", "0xFF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := CleanTitle(tt.in)
			if tt.wrong == "" && (err != nil || got != tt.want) {
				t.Errorf("CleanTitle(%q) = %q, %v", tt.in, got, err)
			}
			if tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
				t.Errorf("CleanTitle(%q) = %q, error %v, want one with %q", tt.in, got, err, tt.wrong)
			}
		})
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"# A", "a\r\nb\n\n", "\ufeff", "a\rb", "\x1b[0m", "目标\n", "---\na: b\n---\n# x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := Normalise(in)
		if err != nil {
			return
		}
		again, err := Normalise(got)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("normalising %q again gives %q, %v", got, again, err)
		}
		if !bytes.HasSuffix(got, []byte("\n")) || bytes.HasSuffix(got, []byte("\n\n")) || bytes.ContainsRune(got, '\r') {
			t.Fatalf("%q does not end in one newline or holds a carriage return", got)
		}
		if !utf8.Valid(got) || len(got) > plan.MaxPlanBytes || text.Valid(got) != nil {
			t.Fatalf("%q is not fit to be stored", got)
		}
	})
}
