package overlay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/theme"
)

const menuHint = "Enter choose · Esc cancel"

// Chooser asks a session.Question.
type Chooser struct {
	menu   Menu
	cancel int
}

// NewChooser makes the dialog for a question.
func NewChooser(q session.Question, th *theme.Theme, now func() time.Time) *Chooser {
	c := &Chooser{menu: NewMenu(th, now), cancel: q.Cancel}
	c.menu.Title, c.menu.Hint = th.Signs(text.Line(q.Title)), th.Signs(menuHint)
	c.menu.Body = prose(&c.menu, q.Body)
	for _, choice := range q.Choices {
		c.menu.Rows = append(c.menu.Rows, Row{Label: choice.Label, Detail: choice.Detail})
	}
	return c
}

// Key handles a key; done says that choice is the answer.
func (c *Chooser) Key(msg tea.KeyPressMsg) (choice int, done bool) {
	switch c.menu.Key(msg.String()) {
	case Chosen:
		return c.menu.Selected, true
	case Cancelled:
		return c.cancel, true
	}
	return 0, false
}

// View draws at most height lines of exactly width cells.
func (c *Chooser) View(width, height int) []string { return c.menu.View(width, height) }

// Wait is how long until it must be drawn again.
func (c *Chooser) Wait() time.Duration { return c.menu.Wait() }

// SetTheme changes the appearance.
func (c *Chooser) SetTheme(th *theme.Theme) { c.menu.SetTheme(th) }

// Confirm asks a session.Confirmation. It opens on the answer no.
type Confirm struct{ menu Menu }

// NewConfirm makes the dialog for a confirmation.
func NewConfirm(q session.Confirmation, th *theme.Theme, now func() time.Time) *Confirm {
	c := &Confirm{menu: NewMenu(th, now)}
	c.menu.Title, c.menu.Hint = th.Signs(text.Line(q.Title)), th.Signs(menuHint)
	c.menu.Body = prose(&c.menu, q.Body)
	c.menu.Rows = []Row{{Key: "y", Label: or(q.Yes, "Yes")}, {Key: "n", Label: or(q.No, "No")}}
	c.menu.Selected = 1
	return c
}

// Key handles a key; done says that yes is the answer.
func (c *Confirm) Key(msg tea.KeyPressMsg) (yes, done bool) {
	switch c.menu.Key(msg.String()) {
	case Chosen:
		return c.menu.Selected == 0, true
	case Cancelled:
		return false, true
	}
	return false, false
}

// View draws at most height lines of exactly width cells.
func (c *Confirm) View(width, height int) []string { return c.menu.View(width, height) }

// Wait is how long until it must be drawn again.
func (c *Confirm) Wait() time.Duration { return c.menu.Wait() }

// SetTheme changes the appearance.
func (c *Confirm) SetTheme(th *theme.Theme) { c.menu.SetTheme(th) }

// prose is a body of plain text.
func prose(m *Menu, body string) func(width int) []string {
	body = text.Clean(body)
	if body == "" {
		return nil
	}
	return func(width int) []string { return m.theme.Wrap(body, width) }
}

func or(s, otherwise string) string {
	if s = text.Line(s); s != "" {
		return s
	}
	return otherwise
}
