package reviewer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
	"planmode/revdiff/brief"
)

// readBrief reads what planmode says about the review besides the flags.
func (m *Model) readBrief() error {
	if m.opts.Brief == "" {
		return nil
	}
	raw, err := readFile(m.opts.Brief, brief.MaxFile)
	if err != nil {
		return err
	}
	b, err := brief.Parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", m.opts.Brief, err)
	}
	m.brief = &b
	m.takeGate()
	if m.hasEdit = m.rewriteKept(); m.hasEdit {
		m.message = "your edit of this text is kept; e goes on with it"
	}
	m.past.settled = map[string]bool{}
	for _, e := range b.Earlier {
		m.past.settled[e.ID] = e.Settled
	}
	return nil
}

// past are the notes of earlier rounds, at their places in the text that is shown.
type past struct {
	notes   []pastNote
	byLine  map[int][]int // index of notes, by the line they end up on; 0 is the top
	settled map[string]bool
	wave    int // of the search for their places, so that a late answer is dropped
}

// pastNote is an earlier note in the text that is shown now.
type pastNote struct {
	brief.Earlier
	line   int
	status document.AnchorStatus
	taken  bool // the text it suggested is there now
}

// says is what the note says on one line, without its label.
func (n pastNote) says() string {
	said := n.Note
	said.Label = ""
	return text.Line(said.Summary())
}

// pastMsg has the places of earlier notes.
type pastMsg struct {
	wave  int
	notes []pastNote
}

// locatePast looks for the places of earlier notes in the text shown, away from
// the loop: the text is parsed for it.
func (m *Model) locatePast() tea.Cmd {
	m.past.wave++
	if m.brief == nil || len(m.brief.Earlier) == 0 {
		return nil
	}
	wave, earlier, lines := m.past.wave, m.brief.Earlier, m.subject.new.lines
	return func() tea.Msg {
		d := document.Parse([]byte(strings.Join(lines, "\n") + "\n"))
		out := make([]pastNote, len(earlier))
		for i, e := range earlier {
			out[i] = located(e, d, lines)
		}
		return pastMsg{wave, out}
	}
}

// located finds an earlier note in a text.
func located(e brief.Earlier, d *document.Document, lines []string) pastNote {
	n := pastNote{Earlier: e}
	n.line, n.status = document.Reanchor(e.Note, d)
	switch {
	case e.Note.Delete:
		n.taken = n.status == document.AnchorGone
	case e.Note.Replacement != "":
		n.taken = holds(lines, strings.Split(e.Note.Replacement, "\n"))
	}
	return n
}

// holds says whether the lines contain a run of lines.
func holds(lines, run []string) bool {
	for i := 0; i+len(run) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

func (m *Model) pastLocated(msg pastMsg) {
	if msg.wave != m.past.wave {
		return
	}
	m.past.notes, m.past.byLine = msg.notes, map[int][]int{}
	for i, n := range msg.notes {
		line := n.line
		if _, ok := m.subject.opAt(line); !ok {
			line = 0
		}
		m.past.byLine[line] = append(m.past.byLine[line], i)
	}
	for line := range m.past.byLine {
		m.redraw(line)
	}
	m.relay()
}

// redraw has the notes of a line drawn anew; 0 is the top.
func (m *Model) redraw(line int) {
	p := wholeFile
	if op, ok := m.subject.opAt(line); ok {
		p = place{line, op}
	}
	m.notes.versions[p]++
}

// pastAt are the earlier notes that belong to a place.
func (m *Model) pastAt(p place) []int {
	if p.op == opRemoved {
		return nil
	}
	return m.past.byLine[p.line]
}

// hasEarlierOnTop says whether notes of earlier rounds belong above the text.
func (m *Model) hasEarlierOnTop() bool { return len(m.past.byLine[0]) > 0 }

// maxOnTop is how many earlier notes stand above the text; all are in the list.
const maxOnTop = 4

// pastRows draws the earlier notes of a place, read-only.
func (m *Model) pastRows(p place, width int) []string {
	var out []string
	for k, i := range m.pastAt(p) {
		if p == wholeFile && k == maxOnTop {
			b := m.newBlock(width)
			b.line(fmt.Sprintf("%s %s in P", m.theme.Glyphs.Ellipsis, text.Count(len(m.pastAt(p))-k, "more earlier note")), faceMarker)
			return append(out, b.rows...)
		}
		out = append(out, m.pastBlock(m.past.notes[i], width)...)
	}
	return out
}

func (m *Model) pastBlock(n pastNote, width int) []string {
	b := m.newBlock(width)
	if m.past.settled[n.ID] {
		b.line(m.pastTitle(n)+": "+n.says(), faceMarker)
		return b.rows
	}
	b.line(m.pastTitle(n), faceMarker)
	if n.line == 0 && n.Note.Line > 0 {
		b.line("> "+text.Line(n.Note.Quote), faceQuote)
	}
	if n.Note.Body != "" {
		b.text(n.Note.Body, faceMuted)
	}
	m.pastSuggestion(b, n)
	if n.Answer != "" {
		b.text(m.theme.Glyphs.Arrow+" "+n.Answer, faceAccent)
	}
	return b.rows
}

func (m *Model) pastSuggestion(b *block, n pastNote) {
	switch {
	case !n.Note.Suggests():
	case n.taken && n.Note.Delete:
		b.line("you suggested to delete this; it is gone", faceMuted)
	case n.taken:
		b.line("the text that you suggested is there now", faceMuted)
	case n.Note.Delete:
		b.line("you suggested to delete this", faceMuted)
	default:
		b.text("you suggested: "+n.Note.Replacement, faceMuted)
	}
}

// pastTitle says which round a note is of and what became of its text.
func (m *Model) pastTitle(n pastNote) string {
	round := fmt.Sprintf("r%d", n.Revision)
	if m.brief.Gate != nil {
		round = "last time" // a file has no revisions
	}
	parts := []string{round, m.pastStatus(n)}
	if !n.Sent {
		parts = append(parts, "not sent")
	}
	if m.past.settled[n.ID] {
		parts = append(parts, "settled")
	}
	if n.Note.Label != "" {
		parts = append(parts, "["+text.Line(n.Note.Label)+"]")
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return m.theme.Signs(strings.Join(parts, " · "))
}

func (m *Model) pastStatus(n pastNote) string {
	switch {
	case n.Note.Line == 0:
		return "on the whole " + m.subjectWord()
	case n.status == document.AnchorUnchanged:
		return "text unchanged"
	case n.status == document.AnchorTextChanged:
		return "text changed since"
	}
	return "text gone"
}

// pastHere are the earlier notes of the cursor's line.
func (m *Model) pastHere() []int {
	p, ok := m.placeAt(m.list.Selected())
	if !ok {
		return nil
	}
	here := m.pastAt(p)
	if len(here) == 0 {
		m.message = "no note of an earlier round here; P lists them"
	}
	return here
}

// settlePast settles the earlier notes of the cursor's line, or opens them again.
func (m *Model) settlePast() tea.Cmd { return m.settle(m.pastHere()) }

func (m *Model) settle(which []int) tea.Cmd {
	if len(which) == 0 {
		return nil
	}
	on := slices.ContainsFunc(which, func(i int) bool { return !m.past.settled[m.past.notes[i].ID] })
	for _, i := range which {
		m.past.settled[m.past.notes[i].ID] = on
		m.redraw(m.past.notes[i].line)
	}
	m.message = text.Count(len(which), "earlier note") + " open again"
	if on {
		m.message = text.Count(len(which), "earlier note") + " settled; x opens again"
	}
	m.list.Show(m.list.Selected())
	return m.save()
}

// sayAgain makes new notes of the earlier ones of the cursor's line.
func (m *Model) sayAgain() tea.Cmd { return m.again(m.pastHere()) }

func (m *Model) again(which []int) tea.Cmd {
	if len(which) == 0 {
		return nil
	}
	for _, i := range which {
		m.repeat(m.past.notes[i])
		m.past.settled[m.past.notes[i].ID] = false
		m.redraw(m.past.notes[i].line)
	}
	m.relayWhole()
	m.message = text.Count(len(which), "earlier note") + " said again; a changes it, d takes it back"
	m.list.Show(m.list.Selected())
	return m.save()
}

// repeat puts what an earlier note says into the note at its place.
func (m *Model) repeat(n pastNote) {
	p := wholeFile
	if op, ok := m.subject.opAt(n.line); ok {
		p = place{n.line, op}
	}
	now := m.notes.at(p)
	body := n.Note.Body
	if p == wholeFile && n.Note.Line > 0 {
		body = fmt.Sprintf("On %q: %s", text.Truncate(text.Line(n.Note.Quote), 60), body)
	}
	if body == "" {
		body = n.Note.Summary()
	}
	if now.body != "" {
		body = now.body + "\n\n" + body
	}
	if now.body, now.label = body, cmp.Or(now.label, n.Note.Label); p != wholeFile && n.Note.End > n.Note.Line {
		now.end = min(p.line+n.Note.End-n.Note.Line, len(m.subject.new.lines))
	}
	m.notes.set(now.clean())
}

// marks are the notes whose settling the person changed in this review.
func (m *Model) marks() []brief.Mark {
	if m.brief == nil {
		return nil
	}
	var out []brief.Mark
	for _, e := range m.brief.Earlier {
		if now := m.past.settled[e.ID]; now != e.Settled {
			out = append(out, brief.Mark{ID: e.ID, Settled: now})
		}
	}
	return out
}

// takeMarks takes up what a draft says about earlier notes.
func (m *Model) takeMarks(marks []brief.Mark) {
	for _, k := range marks {
		if _, known := m.past.settled[k.ID]; known {
			m.past.settled[k.ID] = k.Settled
		}
	}
}

// openPast lists the notes of earlier rounds.
func (m *Model) openPast() {
	if len(m.past.notes) == 0 {
		m.message = "there are no notes of earlier rounds"
		return
	}
	rows := func() []string {
		out := make([]string, len(m.past.notes))
		for i, n := range m.past.notes {
			out[i] = m.pastTitle(n) + ": " + n.says()
			if n.Answer != "" {
				out[i] += " " + m.theme.Glyphs.Arrow + " " + text.Line(n.Answer)
			}
		}
		return out
	}
	p := &page{title: "Notes of earlier rounds", rows: rows(), hint: "Enter go  x settle  o say again  Esc back"}
	p.choose = func(i int) tea.Cmd { m.toPast(m.past.notes[i]); return nil }
	p.act = func(name string) (tea.Cmd, bool) {
		var cmd tea.Cmd
		switch name {
		case "x":
			cmd = m.settle([]int{p.sel})
		case "o":
			cmd = m.again([]int{p.sel})
		default:
			return nil, false
		}
		p.rows = rows()
		return cmd, true
	}
	m.page = p
}

func (m *Model) toPast(n pastNote) {
	if op, ok := m.subject.opAt(n.line); ok {
		m.reveal(place{n.line, op})
		return
	}
	m.reveal(wholeFile)
}

// earlierCount are the earlier notes that are not settled.
func (m *Model) earlierCount() int {
	n := 0
	for _, e := range m.past.notes {
		if !m.past.settled[e.ID] {
			n++
		}
	}
	return n
}

// ref is the revision under review; the zero value without a brief.
func (m *Model) ref() plan.Ref {
	if m.brief == nil {
		return plan.Ref{}
	}
	return m.brief.Ref
}
