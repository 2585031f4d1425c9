package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// FuzzCompletion holds that no text and no file name breaks the popup or its
// width, and that accepting a completion leaves clean text.
func FuzzCompletion(f *testing.F) {
	f.Add("/plan ", "a.go")
	f.Add("see @pl", "plan/a b.go")
	f.Add("看@计", "计划\x1b[2J/\u202e.md")
	f.Add("a@b", "")
	f.Fuzz(func(t *testing.T, typed, file string) {
		c := newComposer()
		if out := c.Paste(typed); out.Query != nil {
			c.Files(out.Query.Seq, []string{file, file + "/"})
		}
		for _, line := range c.View(40, 10) {
			if w := ansi.StringWidth(line); w != 40 || strings.ContainsRune(ansi.Strip(line), 0x1b) {
				t.Errorf("a line of %d: %q", w, line)
			}
		}
		c.Key(tea.KeyPressMsg{Code: tea.KeyTab})
		if s := c.Text(); strings.ContainsAny(s, "\x1b\u202e\u009b\x00") {
			t.Errorf("%q is written", s)
		}
	})
}
