package overlay

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/composer"
	"planmode/tui/theme"
)

const (
	questionHint = "Enter answer · Esc end · Left/Right other · Tab note"
	oneHint      = "Enter answer · Esc end · Tab note"
	ownHint      = "Enter answer · Esc back · Alt+Enter new line"
	noteHint     = "Enter keep · Esc back · Alt+Enter new line"
	gapsHint     = "Enter choose · Esc back"
)

// ownLabel is the row for an answer in the person's own words.
const ownLabel = "Something else"

// asking is which part of the dialog has the keys.
type asking int

const (
	choosing asking = iota
	writingOwn
	writingNote
	gaps // some questions are open and the last one was answered
)

// Questions asks a session.QuestionSet, one question at a time. An answer is what
// was committed with Enter, never what is only selected, and ending the dialog
// takes nothing back.
type Questions struct {
	set     session.QuestionSet
	theme   *theme.Theme
	now     func() time.Time
	pages   []page
	at      int
	part    asking
	confirm Menu
	x, y    int
}

// page is one question: its answers to choose from, and what the person wrote.
type page struct {
	menu  Menu
	own   *composer.Box
	note  *composer.Box
	reply session.Reply
}

// NewQuestions makes the dialog. The recommended answer of each question is
// selected, which answers nothing.
func NewQuestions(set session.QuestionSet, th *theme.Theme, now func() time.Time) *Questions {
	d := &Questions{set: set, theme: th, now: now}
	for i, q := range set.Questions {
		p := page{menu: NewMenu(th, now), own: composer.NewBox(th, "> "), note: composer.NewBox(th, "> ")}
		for j, o := range q.Options {
			if o.Recommended {
				p.menu.Selected = j
			}
		}
		d.pages = append(d.pages, p)
		d.refresh(i)
	}
	return d
}

// refresh writes the page of question i anew after a change of its reply.
func (d *Questions) refresh(i int) {
	p, q := &d.pages[i], d.set.Questions[i]
	m := &p.menu
	m.Rows, m.cached = nil, nil
	for j, o := range q.Options {
		detail := text.Line(o.Description)
		if o.Recommended {
			detail = strings.TrimSpace("(recommended) " + detail)
		}
		m.Rows = append(m.Rows, Row{Label: d.marked(p.reply.Answered && p.reply.Choice == j, o.Label), Detail: detail})
	}
	detail := "write your own answer"
	if own := text.Line(p.own.Value()); own != "" {
		detail = own
	}
	m.Rows = append(m.Rows, Row{Label: d.marked(p.reply.Answered && p.reply.Choice < 0, ownLabel), Detail: detail})
	m.Body = func(width int) []string { return d.body(i, width) }
}

func (d *Questions) marked(answer bool, label string) string {
	if answer {
		return d.theme.Glyphs.Check + " " + label
	}
	return label
}

// body is the question, whatever of its answers has no room in a row, and the
// note.
func (d *Questions) body(i, width int) []string {
	p, q, th := d.pages[i], d.set.Questions[i], d.theme
	var lines []string
	for _, line := range th.Wrap(text.Line(q.Question), width) {
		lines = append(lines, th.Strong.Render(line))
	}
	for j, row := range p.menu.Rows[:len(q.Options)] {
		if theme.Width(fmt.Sprintf("> %d %s  %s", j+1, row.Label, row.Detail)) > width {
			full := text.Line(q.Options[j].Label)
			if row.Detail != "" {
				full += ": " + row.Detail
			}
			for _, line := range th.Wrap(th.Glyphs.Bullet+" "+full, width) {
				lines = append(lines, th.Muted.Render(line))
			}
		}
	}
	if note := text.Line(p.note.Value()); note != "" {
		for _, line := range th.Wrap("Note: "+note, width) {
			lines = append(lines, th.Text.Render(line))
		}
	}
	return lines
}

// open counts the questions without an answer.
func (d *Questions) open() int {
	n := 0
	for _, p := range d.pages {
		if !p.reply.Answered {
			n++
		}
	}
	return n
}

// Key handles a key; done says that the answers are final.
func (d *Questions) Key(msg tea.KeyPressMsg) (answers session.Answers, done bool) {
	switch d.part {
	case writingOwn, writingNote:
		return d.write(msg)
	case gaps:
		return d.confirmKey(msg.String())
	}
	name := msg.String()
	switch name {
	case "left":
		d.at = max(d.at-1, 0)
	case "right":
		d.at = min(d.at+1, len(d.pages)-1)
	case "tab":
		d.part = writingNote
	case "backspace", "delete":
		d.commit(session.Reply{Choice: -1})
	default:
		return d.menuKey(name)
	}
	return session.Answers{}, false
}

func (d *Questions) menuKey(name string) (session.Answers, bool) {
	p := &d.pages[d.at]
	switch p.menu.Key(name) {
	case Cancelled:
		return d.answers(), true
	case Chosen:
		if p.menu.Selected == len(d.set.Questions[d.at].Options) {
			d.part = writingOwn
			return session.Answers{}, false
		}
		d.commit(session.Reply{Answered: true, Choice: p.menu.Selected})
		return d.next()
	}
	return session.Answers{}, false
}

// commit makes r the reply to the question in sight, or takes it back.
func (d *Questions) commit(r session.Reply) {
	r.Note = strings.TrimSpace(d.pages[d.at].note.Value())
	d.pages[d.at].reply = r
	d.refresh(d.at)
	if d.set.Committed != nil {
		d.set.Committed(d.at, r)
	}
}

// next goes on after an answer: to the next question, or at the last one to the
// end, unless that would leave others open unasked.
func (d *Questions) next() (session.Answers, bool) {
	d.part = choosing
	if d.at < len(d.pages)-1 {
		d.at++
		return session.Answers{}, false
	}
	if d.open() == 0 {
		return d.answers(), true
	}
	d.part = gaps
	d.confirm = NewMenu(d.theme, d.now)
	d.confirm.Title, d.confirm.Hint = text.Count(d.open(), "question")+" not answered", d.theme.Signs(gapsHint)
	d.confirm.Rows = []Row{{Label: "Go back to the first of them"}, {Label: "Send what is answered", Detail: "the agent is told what is open"}}
	return session.Answers{}, false
}

func (d *Questions) confirmKey(name string) (session.Answers, bool) {
	switch d.confirm.Key(name) {
	case Cancelled:
		d.part = choosing
	case Chosen:
		if d.confirm.Selected == 1 {
			return d.answers(), true
		}
		d.part = choosing
		for i := len(d.pages) - 1; i >= 0; i-- {
			if !d.pages[i].reply.Answered {
				d.at = i
			}
		}
	}
	return session.Answers{}, false
}

func (d *Questions) box() *composer.Box {
	if d.part == writingNote {
		return d.pages[d.at].note
	}
	return d.pages[d.at].own
}

// write gives a key to the open box. Leaving it keeps what was written.
func (d *Questions) write(msg tea.KeyPressMsg) (session.Answers, bool) {
	switch name := msg.String(); name {
	case "esc":
		d.leave()
	case "enter":
		if d.part == writingNote {
			d.leave()
			break
		}
		if own := strings.TrimSpace(d.box().Value()); own != "" {
			d.commit(session.Reply{Answered: true, Choice: -1, Text: own})
			return d.next()
		}
	case "alt+enter", "shift+enter", "ctrl+j":
		d.box().Insert("\n")
	case "pgup", "pgdown":
		d.pages[d.at].menu.Key(name)
	default:
		d.box().Key(msg)
	}
	return session.Answers{}, false
}

// leave closes the box. A note belongs to the reply as it stands.
func (d *Questions) leave() {
	d.part = choosing
	d.commit(d.pages[d.at].reply)
}

// answers are all replies as they stand.
func (d *Questions) answers() session.Answers {
	var a session.Answers
	for _, p := range d.pages {
		a.Replies = append(a.Replies, p.reply)
	}
	return a
}

// Paste goes to the text box, if one is open.
func (d *Questions) Paste(s string) {
	if d.part == writingOwn || d.part == writingNote {
		d.box().Insert(s)
	}
}

// View draws at most height lines of exactly width cells.
func (d *Questions) View(width, height int) []string {
	if d.part == gaps {
		return d.confirm.View(width, height)
	}
	m := &d.pages[d.at].menu
	m.Title = "Question"
	m.Hint = d.theme.Signs(oneHint)
	if n := len(d.pages); n > 1 {
		m.Title = fmt.Sprintf("Question %d/%d (%d unanswered)", d.at+1, n, d.open())
		m.Hint = d.theme.Signs(questionHint)
	}
	if header := text.Line(d.set.Questions[d.at].Header); header != "" {
		m.Title += " " + d.theme.Glyphs.Dot + " " + header
	}
	label := BoxLabel{"Answer in your own words", d.theme.Signs(ownHint)}
	switch d.part {
	case writingNote:
		label = BoxLabel{"Note on this question", d.theme.Signs(noteHint)}
	case choosing:
		return m.View(width, height)
	}
	var lines []string
	lines, d.x, d.y = m.ViewBox(d.box(), label, width, height)
	return lines
}

// Cursor is the place of the text cursor in the last view; false if no text is
// being written.
func (d *Questions) Cursor() (x, y int, ok bool) {
	return d.x, d.y, d.part == writingOwn || d.part == writingNote
}

// Wait is how long until it must be drawn again.
func (d *Questions) Wait() time.Duration {
	switch d.part {
	case gaps:
		return d.confirm.Wait()
	case choosing:
		return d.pages[d.at].menu.Wait()
	}
	return 0
}

// SetTheme changes the appearance.
func (d *Questions) SetTheme(th *theme.Theme) {
	d.theme = th
	d.confirm.SetTheme(th)
	for i := range d.pages {
		p := &d.pages[i]
		p.menu.SetTheme(th)
		p.own.SetTheme(th)
		p.note.SetTheme(th)
		d.refresh(i)
	}
}
