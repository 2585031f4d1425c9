package text

import (
	"strings"
	"testing"
)

func TestVisibleHidesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"plain\tтекст 计划 👍🏽\n":  "plain\tтекст 计划 👍🏽\n",
		"\ufeffa\r\nb\rc\n":     "a\nb\nc\n",
		"a\x1b[2Jb\x00\x7f":     "a␛[2Jb␀␡",
		"x\u202eevil\u2066":     "x<U+202E>evil<U+2066>",
		"bad \xff\xfe utf8":     "bad \ufffd\ufffd utf8",
		"a\u2028b\u0085c\ufeff": "a<U+2028>b<U+0085>c<U+FEFF>",
	} {
		if got := Visible([]byte(in)); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzVisibleIsValidAndKeepsTheLines(f *testing.F) {
	f.Add([]byte("a\r\n\x1b]0;x\a\u202e\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := Visible(b)
		if err := Valid([]byte(got)); err != nil {
			t.Fatalf("%q became %q: %v", b, got, err)
		}
		lines := strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(b)), "\n")
		if strings.Count(got, "\n") != lines {
			t.Fatalf("%q has %d line ends, %q has not", b, lines, got)
		}
		if Visible([]byte(got)) != got {
			t.Fatalf("%q changes again", got)
		}
	})
}
