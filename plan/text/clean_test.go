package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text stays as it is", "hello\nworld", "hello\nworld"},
		{"line ends become line feeds", "a\r\nb\rc\r\r\nd", "a\nb\nc\n\nd"},
		{"line and paragraph separators become line feeds", "a\u2028b\u2029c", "a\nb\nc"},
		{"a tab becomes four spaces", "\tx", "    x"},
		{"a colour is removed whole", "\x1b[1;31mred\x1b[0m", "red"},
		{"a private control sequence is removed whole", "a\x1b[?1049hb\x1b[>4;2mc", "abc"},
		{"a control sequence without final byte loses what is there", "a\x1b[31\nb", "a\nb"},
		{"a title set with BEL is removed whole", "\x1b]0;evil\atext", "text"},
		{"a hyperlink leaves its text", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"a device control string is removed whole", "a\x1bPq#0;2;0\x1b\\b", "ab"},
		{"application, privacy and start strings are removed whole", "\x1b_G1\x1b\\a\x1b^x\x1b\\b\x1bXy\x1b\\c", "abc"},
		{"BEL does not end a device control string", "\x1bPa\ab\x1b\\c", "c"},
		{"a string that never ends hides nothing", "a\x1b]0;rest\nof text", "a0;rest\nof text"},
		{"a string cut by another sequence hides nothing", "\x1b]0;a\x1b[31mb", "0;ab"},
		{"one-character introducers are known", "a\u009b31mb\u009d0;t\u009cc\u0090q\u009cd", "abcd"},
		{"a charset switch is removed whole", "\x1b(0lqk\x1b(B", "lqk"},
		{"a reset is removed whole", "\x1bcx", "x"},
		{"a lone escape at the end goes", "x\x1b", "x"},
		{"two escapes make one sequence", "\x1b\x1b[31mx", "x"},
		{"control characters go", "a\x00b\x07c\x08d\x0be\x0cf\x7fg\u0085h", "abcdefgh"},
		{"bidi controls go", "\u202eabc\u202c\u2066x\u2069\u200f\u061c", "abcx"},
		{"invisible characters go", "a\u200bb\u2060c\ufeffd\u00ade\u034ff\U000E0041g", "abcdefg"},
		{"invisible letters go", "a\u3164b\u115fc\uffa0d", "abcd"},
		{"variation selectors go", "⚠\ufe0f ok", "⚠ ok"},
		{"emoji joiners go", "👩\u200d💻", "👩💻"},
		{"a joiner inside an Indic word stays", "क्\u200dष", "क्\u200dष"},
		{"a joiner between Latin letters goes", "r\u200dm", "rm"},
		{"a joiner at the end goes", "क्\u200d", "क्"},
		{"repeated joiners become one", "क\u200d\u200dष", "क\u200dष"},
		{"a joiner before a tab goes", "क\u200d\tष", "क    ष"},
		{"invalid bytes are shown as such", "a\xff\xfeb\xc3", "a\ufffd\ufffdb\ufffd"},
		{"noncharacters are shown as such", "a\ufffeb", "a\ufffdb"},
		{"letters of every script stay", "héllo 中文 العربية हिन्दी", "héllo 中文 العربية हिन्दी"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"line ends and blanks become one space", " a \r\n\n\tb  c ", "a b c"},
		{"a title with an escape sequence is one clean line", "Plan\x1b[2J\nnext", "Plan next"},
		{"an ideographic space is a blank", "\u3000目标\u3000x", "目标 x"},
		{"nothing stays nothing", "\x1b[0m\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.in); got != tt.want {
				t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCleanIsLinearInUnterminatedStrings(t *testing.T) {
	in := strings.Repeat("\u009d", 1<<16) + strings.Repeat("\x1b]", 1<<16)
	if got := Clean(in); got != "" {
		t.Errorf("got %d bytes, want none", len(got))
	}
}

// checkClean fails when s holds anything a screen must never get.
func checkClean(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("%q is not valid UTF-8", s)
	}
	for _, r := range s {
		if r == '\n' || r == zwj {
			continue
		}
		if Hidden(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) {
			t.Fatalf("%q holds U+%04X", s, r)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"plain", "\x1b[31mred\x1b[0m", "\x1b]8;;u\x1b\\l", "\u202ex", "क्\u200dष", "a\xff", "\x1bP\x1b]\x9c", "a\r\nb\tc",
		"👩\u200d💻🇨🇳e\u0301", "\u1100\u1161\u11a8",
	} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, cells int) {
		c := Clean(s)
		checkClean(t, c)
		if again := Clean(c); again != c {
			t.Fatalf("cleaning %q again gives %q", c, again)
		}
		line := Line(s)
		checkClean(t, line)
		if strings.ContainsAny(line, "\n") || Line(line) != line {
			t.Fatalf("%q is not one stable line", line)
		}
		cells %= 200
		if got := Truncate(line, cells); Width(got) > max(0, cells) || !utf8.ValidString(got) {
			t.Fatalf("Truncate(%q, %d) = %q, %d cells", line, cells, got, Width(got))
		}
		if got := Pad(line, cells); Width(got) != max(0, cells) {
			t.Fatalf("Pad(%q, %d) = %q, %d cells", line, cells, got, Width(got))
		}
	})
}

func BenchmarkClean(b *testing.B) {
	in := strings.Repeat("第 1 行 \x1b[31mred\x1b[0m and more text\n", 4096)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		Clean(in)
	}
}
