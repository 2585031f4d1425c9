package reviewer

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/revdiff/brief"
	"planmode/store"
	"planmode/tui/card"
)

// armedMsg says that the card may take keys by now.
type armedMsg struct{}

// decidedMsg reports whether the decision is in its file.
type decidedMsg struct{ err error }

// decides says whether the person may decide here.
func (m *Model) decides() bool {
	return m.brief != nil && (len(m.brief.Card) > 0 || m.brief.Gate != nil) && m.opts.Output != ""
}

// decide opens the one decision card on what is under review.
func (m *Model) decide() tea.Cmd {
	if !m.decides() {
		m.message = "this review is decided by whoever opened it; q ends it"
		return nil
	}
	if n := m.notes.half(); n > 0 {
		m.ask("Leave out "+text.Count(n, "half-typed note")+"?", "leave out", m.openCard, "D")
		return nil
	}
	return m.openCard()
}

func (m *Model) openCard() tea.Cmd {
	if m.brief.Gate != nil {
		return m.openGate()
	}
	var data session.Card
	if err := json.Unmarshal(m.brief.Card, &data); err != nil {
		m.message = "the decision card cannot be shown here; q ends the review and shows it"
		return nil
	}
	data.Notes = m.pendingNotes()
	data.Outcome = "No annotations were recorded."
	if n := len(data.Notes); n > 0 {
		data.Start, data.Outcome = session.RowRequestChanges, "There is more to say: "+text.Count(n, "note")+" not sent yet."
	}
	m.card = planCard{card.New(data, m.theme, m.now)}
	m.card.Rewrite(m.cardTyped.Notes, m.cardTyped.Changes)
	m.layout()
	return m.armCard()
}

// pendingNotes are the notes as the card lists them.
func (m *Model) pendingNotes() []plan.Annotation {
	var d *document.Document
	home := m.home()
	var out []plan.Annotation
	for _, n := range m.notes.sorted() {
		a := plan.Annotation{Line: n.line, End: n.end, Body: n.body, Label: n.label, Replacement: n.with, Delete: n.suggests && n.with == ""}
		if n.op == opRemoved {
			a.Side = "old"
		} else if home.new.bytes <= maxAnchored {
			if d == nil {
				d = document.Parse([]byte(strings.Join(home.new.lines, "\n") + "\n"))
			}
			a = document.Anchor(d, a)
		}
		out = append(out, a)
	}
	return out
}

// armCard draws again when the card becomes armed.
func (m *Model) armCard() tea.Cmd {
	if m.card == nil {
		return nil
	}
	if wait := m.card.Wait(); wait > 0 {
		return tea.Tick(wait, func(time.Time) tea.Msg { return armedMsg{} })
	}
	return nil
}

func (m *Model) cardKey(msg tea.KeyPressMsg) tea.Cmd {
	if m.deciding {
		return nil
	}
	v, done := m.card.Answer(msg)
	saved := m.keepCard()
	if !done {
		return tea.Batch(saved, m.armCard())
	}
	if v == nil {
		m.card = nil
		m.layout()
		return saved
	}
	return tea.Batch(saved, m.conclusion(v))
}

// keepCard saves the text in the boxes of the card after it changed.
func (m *Model) keepCard() tea.Cmd {
	notes, changes := m.card.Written()
	now := brief.Typed{Notes: notes, Changes: changes}
	if now == m.cardTyped {
		return nil
	}
	m.cardTyped = now
	return m.save()
}

// conclusion writes the notes and then the decision, and ends the review when
// both are there. Until then the card stays: a disk that is full is something
// that the person can put right.
func (m *Model) conclusion(v any) tea.Cmd {
	raw, err := m.outcome(v)
	if err != nil {
		m.message = text.Line(err.Error())
		return nil
	}
	m.deciding = true
	notes, output, path := m.output(), m.opts.Output, m.brief.Outcome
	return func() tea.Msg {
		if len(notes) > 0 {
			if err := store.ReplaceFile(output, notes); err != nil {
				return decidedMsg{err}
			}
		}
		return decidedMsg{store.ReplaceFile(path, raw)}
	}
}

// outcome is how the review ended, as it is written for planmode. Without a
// verdict it says only what became of earlier notes.
func (m *Model) outcome(v any) ([]byte, error) {
	o := brief.Outcome{Version: brief.Version, Review: m.brief.Review, Hash: m.brief.Ref.Hash, Marks: m.marks()}
	if v != nil {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("write the decision down: %w", err)
		}
		o.Verdict = raw
	}
	raw, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the decision down: %w", err)
	}
	return append(raw, '\n'), nil
}

func (m *Model) decided(msg decidedMsg) tea.Cmd {
	m.deciding = false
	if msg.err != nil {
		m.message, m.urgent = "NOT decided ("+reason(msg.err)+"). Nothing is lost; try again", true
		m.layout()
		return nil
	}
	m.delivered = len(m.output()) > 0
	return m.end(endDone)
}

// writeOutcome tells planmode what became of earlier notes when the review ends
// without a decision. It is written before the notes.
func (m *Model) writeOutcome() error {
	if m.brief == nil || m.brief.Outcome == "" || len(m.marks()) == 0 {
		return nil
	}
	raw, err := m.outcome(nil)
	if err != nil {
		return err
	}
	return store.ReplaceFile(m.brief.Outcome, raw)
}

// cardScreen draws the card over the lower part of the text.
func (m *Model) cardScreen() ([]string, *tea.Cursor) {
	below := 0
	if m.confirm != nil || m.message != "" || m.unsaved() != "" {
		below = 1
	}
	lines := m.card.View(m.width, max(m.height-below, 1))
	above := m.height - below - len(lines)
	var out []string
	if above > 1 {
		out = append(out, m.header())
		for _, row := range m.list.View(m.textWidth(), above-1) {
			out = append(out, m.theme.Fit(row, m.width))
		}
	}
	top := len(out)
	out = append(out, lines...)
	if below > 0 {
		out = append(out, m.footer())
	}
	x, y, ok := m.card.Cursor()
	if !ok || m.confirm != nil {
		return out, nil
	}
	return out, tea.NewCursor(x, top+y)
}

// keepMarks is writeOutcome at an end without notes, unless a decision was
// written, which has the marks.
func (m *Model) keepMarks() error {
	if m.card != nil {
		return nil
	}
	return m.writeOutcome()
}
