package reviewer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestTheBoxHasALimit(t *testing.T) {
	d := sit(t, reviewOf(t, samplePlan, nil), 60, 20)
	d.press("A")
	d.m.Update(tea.PasteMsg{Content: strings.Repeat("é", maxTyped)})
	if n := len(d.m.box.Value()); n > maxTyped || n < maxTyped-1 {
		t.Errorf("the note has %d bytes, at most %d are allowed", n, maxTyped)
	}
	d.shows("the box takes 16 KiB")
	d.write("x")
	if n := len(d.m.box.Value()); n > maxTyped {
		t.Errorf("typing made it %d bytes", n)
	}
}

func TestALetterGoesWithItsAccents(t *testing.T) {
	d := sit(t, reviewOf(t, samplePlan, nil), 60, 20)
	d.press("A")
	d.m.Update(tea.PasteMsg{Content: "cafe\u0301"})
	d.m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	if got := d.m.box.Value(); got != "caf" {
		t.Errorf("got %q", got)
	}
}
