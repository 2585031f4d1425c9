// Package card is the one decision card: where the person decides on the
// revision that was shown.
//
// Its verdict repeats the review id and the hash that the card was made for. The
// card decides nothing before it is armed, never approves by a key that only
// moves, and keeps what was written in its text boxes when one is left. It does
// no I/O and never fails; text of others is cleaned here.
package card

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/composer"
	"planmode/tui/overlay"
	"planmode/tui/theme"
)

// action is what choosing a row of the card does.
type action struct {
	row    session.Row
	option int // of an approval, when several are offered; else -1
	writes writing

	toggle func(c *Card, row int) // it only changes what an approval asks for; nil for the others
}

// writing is which text box is open.
type writing int

const (
	nothing writing = iota
	notes           // notes with an approval
	changes         // the changes requested
)

// Card is a session.Card on the screen.
type Card struct {
	data    session.Card
	theme   *theme.Theme
	menu    overlay.Menu
	actions []action
	notes   *composer.Box
	changes *composer.Box
	writing writing
	option  int // the approach that notes go with
	clean   bool
	offered []plan.Permission // modes for the work, in the order in which one key goes through them
	mode    int               // which of them is chosen
	x, y    int

	pending *pending // the question about notes that were not sent, while it is open
	now     func() time.Time
}

// New makes the card. The clock is asked when it is drawn and at every key.
func New(data session.Card, th *theme.Theme, now func() time.Time) *Card {
	c := &Card{data: data, theme: th, now: now, menu: overlay.NewMenu(th, now),
		notes: composer.NewBox(th, "> "), changes: composer.NewBox(th, "> ")}
	for _, row := range data.Rows {
		c.addRows(row)
	}
	if slices.Contains(data.Rows, session.RowApprove) {
		c.addContext()
		c.addPermission()
	}
	c.menu.Title = "Decide on the plan"
	c.menu.Hint = th.Signs("Enter choose · Esc cancel")
	c.menu.Body = func(width int) []string { return body(c.theme, c.data, width) }
	c.menu.Selected = max(slices.IndexFunc(c.actions, func(a action) bool { return a.row == c.start() }), 0)
	return c
}

// start is the row the card opens on. It is never one that approves: without a
// row given it is the harmless one.
func (c *Card) start() session.Row {
	has := func(row session.Row) bool { return slices.Contains(c.data.Rows, row) }
	switch {
	case has(c.data.Start) && c.data.Start != session.RowApprove:
		return c.data.Start
	case len(c.data.Notes) > 0 && has(session.RowRequestChanges):
		return session.RowRequestChanges
	}
	return session.RowKeep
}

func (c *Card) addRows(row session.Row) {
	add := func(r overlay.Row, a action) {
		a.row = row
		c.menu.Rows = append(c.menu.Rows, r)
		c.actions = append(c.actions, a)
	}
	switch row {
	case session.RowApprove:
		if len(c.data.Options) < 2 {
			add(overlay.Row{Key: "a", Label: "Approve Plan"}, action{option: -1})
		} else {
			for i, o := range c.data.Options {
				// The letter cannot say which approach is meant, so it only goes there.
				r := overlay.Row{Label: "Approve Plan: " + o.Label, Detail: recommended(o) + o.Description, MoveOnly: true}
				if i == 0 {
					r.Key = "a"
				}
				add(r, action{option: i})
			}
		}
		add(overlay.Row{Key: "n", Label: "Approve with notes"}, action{option: -1, writes: notes})
	case session.RowRequestChanges:
		add(overlay.Row{Key: "c", Label: "Request changes"}, action{option: -1, writes: changes})
	case session.RowKeep:
		add(overlay.Row{Key: "k", Label: "Keep planning"}, action{option: -1})
	case session.RowCancel:
		add(overlay.Row{KeyLabel: "Esc", Label: "Cancel review"}, action{option: -1})
	case session.RowLeave:
		add(overlay.Row{Key: "l", Label: "Leave Plan Mode", Detail: "not approved; the draft is kept"}, action{option: -1})
	case session.RowUseEdits:
		add(overlay.Row{Key: "e", Label: "Use the edited text as the next revision"}, action{option: -1})
	case session.RowReopen:
		add(overlay.Row{Key: "r", Label: "Review again"}, action{option: -1})
	}
}

// Key handles a key; done says that verdict is the answer.
func (c *Card) Key(msg tea.KeyPressMsg) (verdict session.Verdict, done bool) {
	switch {
	case c.pending != nil:
		return c.pendingKey(msg.String())
	case c.writing != nothing:
		return c.write(msg)
	}
	switch c.menu.Key(msg.String()) {
	case overlay.Cancelled:
		return c.verdict(session.RowCancel), true
	case overlay.Moved:
		if a := c.actions[c.menu.Selected]; a.option >= 0 {
			c.option = a.option
		}
	case overlay.Chosen:
		a := c.actions[c.menu.Selected]
		if a.toggle != nil {
			a.toggle(c, c.menu.Selected)
			return session.Verdict{}, false
		}
		if a.writes != nothing {
			c.writing = a.writes
			return session.Verdict{}, false
		}
		v := c.verdict(a.row)
		if a.option >= 0 {
			v.Option = &a.option
		}
		if a.row == session.RowApprove && len(c.data.Notes) > 0 {
			c.askPending(v)
			return session.Verdict{}, false
		}
		return v, true
	}
	return session.Verdict{}, false
}

// verdict binds a row to what the card shows.
func (c *Card) verdict(row session.Row) session.Verdict {
	v := session.Verdict{Review: c.data.Review, Hash: c.data.Ref.Hash, Row: row}
	if row == session.RowApprove {
		v.Clean, v.Permission = c.clean, c.then()
	}
	return v
}

func (c *Card) box() *composer.Box {
	if c.writing == notes {
		return c.notes
	}
	return c.changes
}

func (c *Card) write(msg tea.KeyPressMsg) (session.Verdict, bool) {
	switch name := msg.String(); name {
	case "esc":
		c.writing = nothing
	case "enter":
		return c.send()
	case "alt+enter", "shift+enter", "ctrl+j":
		c.box().Insert("\n")
	case "pgup", "pgdown":
		c.menu.Key(name)
	case "tab":
		if c.writing == notes && len(c.data.Options) > 1 {
			c.option = (c.option + 1) % len(c.data.Options)
		}
	default:
		c.box().Key(msg)
	}
	return session.Verdict{}, false
}

// send gives the verdict of the open box. An approval with notes needs notes, or
// a second Enter too many would approve; a request for changes needs a text
// unless notes of the review go with it.
func (c *Card) send() (session.Verdict, bool) {
	written := strings.TrimSpace(c.box().Value())
	row := session.RowApprove
	if c.writing == changes {
		row = session.RowRequestChanges
	}
	if written == "" && (row == session.RowApprove || len(c.data.Notes) == 0) {
		return session.Verdict{}, false
	}
	v := c.verdict(row)
	if v.Text = written; row == session.RowApprove && len(c.data.Notes) > 0 {
		v.Pending = session.PendingSend // the title of the box says so
	}
	if row == session.RowApprove && len(c.data.Options) > 1 {
		option := c.option
		v.Option = &option
	}
	return v, true
}

// Paste goes to the text box, if one is open.
func (c *Card) Paste(s string) {
	if c.writing != nothing {
		c.box().Insert(s)
	}
}

// Wait is how long until the card must be drawn again because it is armed then.
func (c *Card) Wait() time.Duration {
	if c.pending != nil {
		return c.pending.menu.Wait()
	}
	return c.menu.Wait()
}

// SetTheme changes the appearance.
func (c *Card) SetTheme(th *theme.Theme) {
	c.theme = th
	c.menu.SetTheme(th)
	if c.pending != nil {
		c.pending.menu.SetTheme(th)
	}
	c.notes.SetTheme(th)
	c.changes.SetTheme(th)
}

// Cursor is the place of the text cursor in the last view; false if no text is
// being written.
func (c *Card) Cursor() (x, y int, ok bool) { return c.x, c.y, c.writing != nothing }

// View draws the card in at most height lines of exactly width cells.
func (c *Card) View(width, height int) []string {
	switch {
	case c.pending != nil:
		return c.pending.menu.View(width, height)
	case c.writing == nothing:
		return c.menu.View(width, height)
	}
	var lines []string
	title, keys := c.boxLabel()
	lines, c.x, c.y = c.menu.ViewBox(c.box(), overlay.BoxLabel{Title: title, Hint: c.theme.Signs(keys)}, width, height)
	return lines
}

// boxLabel gives the title and the hint of the open box.
func (c *Card) boxLabel() (title, keys string) {
	keys = "Enter send · Esc back · Alt+Enter new line"
	switch {
	case c.writing == notes && len(c.data.Options) > 1:
		return "Approve \"" + text.Line(c.data.Options[c.option].Label) + "\" with notes", "Tab other approach · " + keys
	case c.writing == notes && len(c.data.Notes) > 0:
		return "Approve with notes; the pending ones go along", keys
	case c.writing == notes:
		return "Approve with notes", keys
	case len(c.data.Notes) > 0:
		return "Request changes, with the pending notes", keys
	}
	return "Request changes", keys
}
