package card

import (
	"fmt"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/overlay"
)

// pending is the question what becomes of notes that were not sent, when the
// person approves without saying so. It is armed anew, so that the key which
// opened it cannot answer it.
type pending struct {
	menu    overlay.Menu
	verdict session.Verdict // the approval that waits for the answer
	choices []session.Verdict
}

// askPending opens the question for an approval.
func (c *Card) askPending(v session.Verdict) {
	n := text.Count(len(c.data.Notes), "note")
	p := &pending{menu: overlay.NewMenu(c.theme, c.now), verdict: v}
	p.menu.Title = fmt.Sprintf("What becomes of your %s?", n)
	p.menu.Hint = c.theme.Signs("Enter choose · Esc back")
	p.menu.Body = func(width int) []string { return noteLines(c.theme, c.data.Notes, width) }
	add := func(row overlay.Row, v session.Verdict) {
		p.menu.Rows = append(p.menu.Rows, row)
		p.choices = append(p.choices, v)
	}
	changes := c.verdict(session.RowRequestChanges)
	add(overlay.Row{Key: "c", Label: "Send them as requested changes", Detail: "the plan is not approved"}, changes)
	with, without := v, v
	with.Pending, without.Pending = session.PendingSend, session.PendingDiscard
	add(overlay.Row{Key: "s", Label: "Approve, and the agent gets them as remarks", Detail: "the work begins"}, with)
	add(overlay.Row{Key: "d", Label: "Approve without them", Detail: "they are kept with the plan, the agent does not get them"}, without)
	c.pending = p
}

// pendingKey answers the question; Esc goes back to the card.
func (c *Card) pendingKey(name string) (session.Verdict, bool) {
	p := c.pending
	switch p.menu.Key(name) {
	case overlay.Cancelled:
		c.pending = nil
	case overlay.Chosen:
		c.pending = nil
		return p.choices[p.menu.Selected], true
	}
	return session.Verdict{}, false
}

// Written is the text in the boxes of the card, sent or not.
func (c *Card) Written() (notes, changes string) { return c.notes.Value(), c.changes.Value() }

// Rewrite puts text back into the boxes.
func (c *Card) Rewrite(notes, changes string) {
	c.notes.SetValue(notes)
	c.changes.SetValue(changes)
}
