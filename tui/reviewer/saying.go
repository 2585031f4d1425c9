package reviewer

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
)

const helpSay = `Say
  a  Enter             note on this line, or on the selected range
  s  A                 note on this section; on the whole file
  V  Shift+arrows      select a range of lines
  c  X                 suggest another text for the lines; suggest to delete
  1-9  l               quick label; choose one
  d  u                 delete the note, bring it back
  @                    all notes
  in a note: Enter keeps it, Alt+Enter breaks the line, Ctrl+E opens your
  editor, Ctrl+L changes the label, Esc puts it aside half-typed; every
  letter is saved as it is typed`

// bindSaying binds the keys that say something, and those that end the review.
func bindSaying(bind func(func(*Model) tea.Cmd, ...string)) {
	write := func(act func(*Model) tea.Cmd, keys ...string) { bind(whereNotesGo(act), keys...) }
	write((*Model).annotate, "a", "enter")
	write((*Model).annotateWhole, "A")
	write((*Model).annotateSection, "s")
	write((*Model).suggest, "c")
	write((*Model).suggestDeletion, "X")
	write((*Model).deleteNote, "d")
	write((*Model).undoNote, "u")
	write(do((*Model).openLabels), "l")
	for i := range maxLabels {
		write(func(m *Model) tea.Cmd { return m.labelLine(i) }, strconv.Itoa(i+1))
	}
	bind(do((*Model).openNotes), "@")
	bind(do((*Model).openPast), "P")
	bind((*Model).settlePast, "x")
	write((*Model).sayAgain, "o")
	bind((*Model).openRevisions, "R")
	bind((*Model).decide, "D")
	bind((*Model).rewrite, "e")
	write((*Model).flush, "O")
	bind((*Model).finish, "q")
	bind((*Model).discard, "Q")
}

const helpPast = `Remember (a plan that was reviewed before)
  P                    all notes of earlier rounds
  x  o                 settle the earlier note here; say it again
  R                    compare any two revisions`

const helpEnd = `End
  q                    done: the notes are handed over; without notes, decide
  D                    decide now, also with notes (a plan under planmode)
  e                    edit the plan in your editor; it can become the next revision
  O                    hand the notes over now and go on
  Q                    discard
  Ctrl+C               leave; the notes stay as a draft`

// openNotes lists every note, half-typed ones at the end.
func (m *Model) openNotes() {
	notes := m.notes.sorted()
	typed := m.notes.sortedDrafts()
	if len(notes)+len(typed) == 0 {
		m.message = "no notes yet; a writes one on this line, A on the whole file"
		return
	}
	all := append(notes, typed...)
	rows := make([]string, len(all))
	for i, n := range all {
		state := ": "
		if i >= len(notes) {
			state = " (half-typed): "
		}
		rows[i] = target{n.place, n.end}.String() + state + n.summary()
	}
	p := &page{title: text.Count(len(all), "note"), rows: rows, hint: "Enter go  d delete  Esc back"}
	p.choose = func(i int) tea.Cmd { m.reveal(all[i].place); return nil }
	p.remove = func() tea.Cmd {
		sel := p.sel
		cmd := m.deleteAt(all[sel].place)
		m.page = nil
		if m.openNotes(); m.page != nil {
			m.page.sel = min(sel, len(m.page.rows)-1)
		}
		return cmd
	}
	m.page = p
}

// finish hands the notes over. Half-typed text is not part of them, and is never
// left out without a word.
func (m *Model) finish() tea.Cmd {
	if m.hasEdit && m.confirm == nil && !m.editAside {
		m.ask("Put your edit aside? It is kept, and e goes on with it.", "put aside", func() tea.Cmd { m.editAside = true; return m.finish() }, "q")
		return nil
	}
	done := m.handOver
	if m.decides() && (m.notes.count() == 0 || m.approvable()) {
		done = m.openCard
	}
	if n := m.notes.half(); n > 0 {
		m.ask("Leave out "+text.Count(n, "half-typed note")+"?", "leave out", done, "q")
		return nil
	}
	return done()
}

func (m *Model) discard() tea.Cmd {
	quit := func() tea.Cmd { return m.end(endDiscard) }
	n := m.notes.count() + m.notes.half()
	if n == 0 || m.opts.NoConfirmDiscard {
		return quit()
	}
	m.ask("Discard "+text.Count(n, "note")+"?", "discard", quit, "Q")
	return nil
}
