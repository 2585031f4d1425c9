package text_test

import (
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan/text"
)

// The layout library measures with x/ansi; a disagreement would show as ragged
// columns.
func TestWidthAgreesWithTheLayoutLibrary(t *testing.T) {
	for _, s := range []string{
		"", "plain ASCII ~", "中文，標點。", "ｆｕｌｌ width", "ｶﾀｶﾅ ﾊﾞ", "한국어", "\u1112\u1161\u11ab\u1100\u1173\u11af",
		"e\u0301a\u0308\u0323", "👍🏽 done", "🚀✅❌⚠", "🇨🇳🇩🇪🇫", "1\u20e3", "▌ ● ─ │ … ⏸", "ภาษาไทย กำ", "עברית العربية", "𝔘𝔫𝔦", "မြန်မာ",
	} {
		if got, want := text.Width(text.Clean(s)), ansi.StringWidth(text.Clean(s)); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestWidthAgreesForEveryKindOfCharacter(t *testing.T) {
	for r := rune(0x20); r < 0x20000; r++ {
		if !unicode.IsGraphic(r) || prepended(r) || uniform(r) && r%97 != 0 {
			continue
		}
		for _, base := range []string{"", "a", "👍"} {
			s := base + string(r) + "x"
			if text.Clean(s) != s {
				continue
			}
			if got, want := text.Width(s), ansi.StringWidth(s); got != want {
				t.Errorf("U+%04X in %q: Width = %d, want %d", r, s, got, want)
			}
		}
	}
}

// uniform says whether r is in a large block of like characters, where samples do.
func uniform(r rune) bool {
	return r >= 0x3400 && r <= 0x9fff || r >= 0xa000 && r <= 0xa48c || r >= 0xac00 && r <= 0xd7a3 || r >= 0x12000 && r <= 0x18cff
}

// prepended lists the few historic letters that join the letter after them:
// they are counted apart, which only ever makes text seem wider than it is.
func prepended(r rune) bool {
	switch {
	case r == 0x0d4e, r == 0x111c2, r == 0x111c3, r == 0x113d1, r == 0x1193f, r == 0x11941, r == 0x11d46, r == 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}
