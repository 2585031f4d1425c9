package card

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/revdiff/brief"
	"planmode/tui/composer"
	"planmode/tui/overlay"
	"planmode/tui/theme"
)

// GateData is what the card of a gate shows.
type GateData struct {
	brief.Gate
	Title    string
	Hash     plan.Hash
	Outcome  string // one sentence: what the review brought back
	Reviewer string
	Notes    []plan.Annotation // written and not sent
	Broken   bool              // the review did not end as it should: nothing can be approved
}

// Gate is the decision card of a review that another program asked for. It has the
// rules of the card of a plan: it decides nothing before it is armed, and opens on a
// row that approves nothing.
type Gate struct {
	data    GateData
	theme   *theme.Theme
	menu    overlay.Menu
	rows    []gateRow
	notes   *composer.Box
	writing bool
	pending *gatePending
	now     func() time.Time
	x, y    int
}

// gateRow is what choosing a row does.
type gateRow struct {
	verdict brief.GateVerdict
	writes  bool // it opens the text box
	empty   bool // there is nothing that it could send
}

// NewGate makes the card. The clock is asked when it is drawn and at every key.
func NewGate(data GateData, th *theme.Theme, now func() time.Time) *Gate {
	g := &Gate{data: data, theme: th, now: now, menu: overlay.NewMenu(th, now), notes: composer.NewBox(th, "> ")}
	n := len(data.Notes)
	if data.Approves && !data.Broken {
		g.add(overlay.Row{Key: "a", Label: "Approve"}, gateRow{verdict: brief.GateVerdict{Row: brief.GateApprove}})
		if data.Carries {
			g.add(overlay.Row{Key: "n", Label: "Approve with notes"}, gateRow{verdict: brief.GateVerdict{Row: brief.GateApprove, Notes: true}, writes: true})
		}
	}
	detail := "nothing to send yet: a or A in the text writes a note"
	if n > 0 {
		detail = text.Count(n, "note") + "; nothing is approved"
	}
	g.add(overlay.Row{Key: "s", Label: "Send annotations", Detail: detail}, gateRow{verdict: brief.GateVerdict{Row: brief.GateSend, Notes: true}, empty: n == 0})
	if n > 0 {
		g.menu.Selected = len(g.rows) - 1
	}
	g.add(overlay.Row{KeyLabel: "Esc", Label: "Back to the text"}, gateRow{verdict: brief.GateVerdict{Row: brief.GateReopen}})
	if n == 0 {
		g.menu.Selected = len(g.rows) - 1
	}
	g.add(overlay.Row{Key: "q", Label: "Close", Detail: g.closing()}, gateRow{verdict: brief.GateVerdict{Row: brief.GateClose}})
	g.menu.Title = "Decide on the " + text.Line(data.Subject)
	g.menu.Hint = th.Signs("Enter choose · Esc back to the text")
	g.menu.Body = func(width int) []string { return gateBody(g.theme, g.data, width) }
	return g
}

func (g *Gate) closing() string {
	if len(g.data.Notes) > 0 {
		return "nothing is sent; your notes are kept"
	}
	return "nothing is approved or sent"
}

func (g *Gate) add(row overlay.Row, does gateRow) {
	g.menu.Rows = append(g.menu.Rows, row)
	g.rows = append(g.rows, does)
}

// Key handles a key; done says that verdict is the answer.
func (g *Gate) Key(msg tea.KeyPressMsg) (verdict brief.GateVerdict, done bool) {
	switch {
	case g.pending != nil:
		return g.pendingKey(msg.String())
	case g.writing:
		return g.write(msg)
	}
	switch g.menu.Key(msg.String()) {
	case overlay.Cancelled:
		return brief.GateVerdict{Row: brief.GateReopen}, true
	case overlay.Chosen:
		row := g.rows[g.menu.Selected]
		switch {
		case row.empty:
		case row.writes:
			g.writing = true
		case row.verdict.Row == brief.GateApprove && len(g.data.Notes) > 0:
			g.askPending()
		default:
			return row.verdict, true
		}
	}
	return brief.GateVerdict{}, false
}

func (g *Gate) write(msg tea.KeyPressMsg) (brief.GateVerdict, bool) {
	switch name := msg.String(); name {
	case "esc":
		g.writing = false
	case "enter":
		// An Enter too many must not approve, so there must be something to say.
		if said := strings.TrimSpace(g.notes.Value()); said != "" {
			return brief.GateVerdict{Row: brief.GateApprove, Text: said, Notes: true}, true
		}
	case "alt+enter", "shift+enter", "ctrl+j":
		g.notes.Insert("\n")
	case "pgup", "pgdown":
		g.menu.Key(name)
	default:
		g.notes.Key(msg)
	}
	return brief.GateVerdict{}, false
}

// Paste goes to the text box, if it is open.
func (g *Gate) Paste(s string) {
	if g.writing {
		g.notes.Insert(s)
	}
}

// Wait is how long until the card must be drawn again because it is armed then.
func (g *Gate) Wait() time.Duration {
	if g.pending != nil {
		return g.pending.menu.Wait()
	}
	return g.menu.Wait()
}

// SetTheme changes the appearance.
func (g *Gate) SetTheme(th *theme.Theme) {
	g.theme = th
	g.menu.SetTheme(th)
	if g.pending != nil {
		g.pending.menu.SetTheme(th)
	}
	g.notes.SetTheme(th)
}

// Written is the text in the box, sent or not. There is one box only.
func (g *Gate) Written() (notes, changes string) { return g.notes.Value(), "" }

// Rewrite puts text back into the box.
func (g *Gate) Rewrite(notes, _ string) { g.notes.SetValue(notes) }

// Cursor is the place of the text cursor in the last view; false if no text is being
// written.
func (g *Gate) Cursor() (x, y int, ok bool) { return g.x, g.y, g.writing }

// View draws the card in at most height lines of exactly width cells.
func (g *Gate) View(width, height int) []string {
	switch {
	case g.pending != nil:
		return g.pending.menu.View(width, height)
	case !g.writing:
		return g.menu.View(width, height)
	}
	title := "Approve with notes"
	if len(g.data.Notes) > 0 {
		title += fmt.Sprintf("; the %s in the text go along", text.Count(len(g.data.Notes), "note"))
	}
	var lines []string
	label := overlay.BoxLabel{Title: title, Hint: g.theme.Signs("Enter send · Esc back · Alt+Enter new line")}
	lines, g.x, g.y = g.menu.ViewBox(g.notes, label, width, height)
	return lines
}
