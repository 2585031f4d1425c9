package text

import (
	"testing"
)

func TestTruncate(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		cells int
		want  string
	}{
		{"text that fits stays whole", "hello", 5, "hello"},
		{"longer text ends in an ellipsis", "hello", 4, "hel…"},
		{"a wide character that does not fit is left out", "中文字", 4, "中…"},
		{"wide text that just fits stays whole", "中文", 4, "中文"},
		{"one cell holds the ellipsis alone", "hello", 1, "…"},
		{"no cells hold nothing", "hello", 0, ""},
		{"negative cells hold nothing", "hello", -3, ""},
		{"a combining mark stays with its letter", "e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"a mark after the last cell stays too", "abe\u0301", 3, "abe\u0301"},
		{"a flag is never halved", "🇨🇳🇩🇪", 3, "🇨🇳…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Truncate(tt.in, tt.cells); got != tt.want {
				t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.cells, got, tt.want)
			}
		})
	}
}

func TestTruncateWithATailThatDoesNotFit(t *testing.T) {
	if got := TruncateWith("hello", 2, "..."); got != "he" {
		t.Errorf("got %q, want %q", got, "he")
	}
	if got := TruncateWith("hello", 4, "..."); got != "h..." {
		t.Errorf("got %q, want %q", got, "h...")
	}
}

func TestPad(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		cells int
		want  string
	}{
		{"short text is filled", "ab", 4, "ab  "},
		{"long text is cut", "abcdef", 4, "abc…"},
		{"a cut before a wide character is filled", "中文字", 4, "中… "},
		{"empty text is all blanks", "", 2, "  "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Pad(tt.in, tt.cells); got != tt.want {
				t.Errorf("Pad(%q, %d) = %q, want %q", tt.in, tt.cells, got, tt.want)
			}
		})
	}
}

func FuzzWidthIsAdditive(f *testing.F) {
	f.Add([]byte("abc"), []byte{1, 200, 3})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := sample(a), sample(b)
		if Width(x+y) != Width(x)+Width(y) {
			t.Fatalf("Width(%q + %q) = %d, want %d + %d", x, y, Width(x+y), Width(x), Width(y))
		}
	})
}

// sample turns bytes into printable ASCII and Han characters.
func sample(b []byte) string {
	var out []rune
	for _, c := range b {
		if c < 0x80 {
			out = append(out, rune(0x20+c%0x5f))
		} else {
			out = append(out, rune(0x4e00+int(c)*37))
		}
	}
	return string(out)
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 lines", 1: "1 line", 2: "2 lines", 1000: "1000 lines"} {
		if got := Count(n, "line"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}
