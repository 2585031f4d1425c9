package reviewer

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/revdiff/brief"
	"planmode/tui/card"
	"planmode/tui/theme"
)

// decisionCard is the card in the reviewer: of a plan, or of a gate. Answer gives
// what is written down as the verdict; nil goes back to the text.
type decisionCard interface {
	Answer(tea.KeyPressMsg) (verdict any, done bool)
	View(width, height int) []string
	Cursor() (x, y int, ok bool)
	Paste(string)
	Wait() time.Duration
	SetTheme(*theme.Theme)
	Written() (notes, changes string)
	Rewrite(notes, changes string)
}

type planCard struct{ *card.Card }

func (c planCard) Answer(msg tea.KeyPressMsg) (any, bool) {
	v, done := c.Key(msg)
	if v.Row == session.RowReopen {
		return nil, done
	}
	return v, done
}

type gateCard struct{ *card.Gate }

func (c gateCard) Answer(msg tea.KeyPressMsg) (any, bool) {
	v, done := c.Key(msg)
	if v.Row == brief.GateReopen {
		return nil, done
	}
	return v, done
}

// takeGate shows the text as the gate wants it.
func (m *Model) takeGate() {
	if m.brief.Gate == nil {
		return
	}
	if name := text.Line(m.brief.Title); name != "" {
		m.subject.name = name
		if m.subject.compare {
			m.subject.name += " " + m.theme.Glyphs.Dot + " since you saw it last"
		}
	}
	if m.brief.Gate.Doubt != "" {
		m.message, m.urgent = text.Line(m.brief.Gate.Doubt), true
	}
	m.look.raw = m.look.raw || m.brief.Gate.Plain
	m.layItems()
}

// subjectWord is what is under review, in a word.
func (m *Model) subjectWord() string {
	if m.brief != nil && m.brief.Gate != nil {
		return text.Line(m.brief.Gate.Subject)
	}
	return "plan"
}

// approvable says whether a program waits for an approval: the person is then asked
// also when there are notes, since they may go with one.
func (m *Model) approvable() bool { return m.brief.Gate != nil && m.brief.Gate.Approves }

// openGate opens the card of the gate.
func (m *Model) openGate() tea.Cmd {
	data := card.GateData{Gate: *m.brief.Gate, Title: m.brief.Title, Hash: m.brief.Ref.Hash, Notes: m.pendingNotes()}
	data.Outcome = "You wrote no notes."
	if n := len(data.Notes); n > 0 {
		data.Outcome = "You wrote " + text.Count(n, "note") + "."
	}
	m.card = gateCard{card.NewGate(data, m.theme, m.now)}
	m.card.Rewrite(m.cardTyped.Notes, m.cardTyped.Changes)
	m.layout()
	return m.armCard()
}
