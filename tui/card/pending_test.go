package card

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/tui/theme"
)

func TestPendingNotesBlockABareApproval(t *testing.T) {
	cases := []struct {
		name, keys string
		want       session.Row
		pending    session.Pending
		done       bool
	}{
		{"approve alone decides nothing", "a", "", "", false},
		{"Esc goes back to the card", "a\x1b", "", "", false},
		{"and the card still works", "a\x1bk", session.RowKeep, "", true},
		{"along with the approval", "as", session.RowApprove, session.PendingSend, true},
		{"without them", "ad", session.RowApprove, session.PendingDiscard, true},
		{"as changes instead", "ac", session.RowRequestChanges, "", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
			data := session.Card{Review: "r", Rows: []session.Row{session.RowApprove, session.RowRequestChanges, session.RowKeep}, Notes: []plan.Annotation{{Line: 1, Body: "x"}}}
			d := New(data, theme.New(theme.Options{}), func() time.Time { now = now.Add(time.Second); return now })
			d.View(80, 24)
			var v session.Verdict
			done := false
			for _, r := range c.keys {
				key := tea.KeyPressMsg{Code: r, Text: string(r)}
				if r == '\x1b' {
					key = tea.KeyPressMsg{Code: tea.KeyEscape}
				}
				v, done = d.Key(key)
				d.View(80, 24)
			}
			if done != c.done || v.Row != c.want || v.Pending != c.pending {
				t.Errorf("verdict %+v, %t", v, done)
			}
		})
	}
}

func TestTheKeyThatAskedCannotAnswer(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	data := session.Card{Review: "r", Rows: []session.Row{session.RowApprove, session.RowKeep}, Notes: []plan.Annotation{{Line: 1, Body: "x"}}}
	d := New(data, theme.New(theme.Options{}), func() time.Time { return now })
	d.View(80, 24)
	now = now.Add(time.Second)
	d.Key(tea.KeyPressMsg{Code: 'a', Text: "a"})
	d.View(80, 24)
	for _, r := range "ssdc" {
		if v, done := d.Key(tea.KeyPressMsg{Code: r, Text: string(r)}); done {
			t.Fatalf("decided %+v", v)
		}
	}
	if d.Wait() == 0 {
		t.Error("the question is armed although keys came")
	}
}
