package reviewer

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/store"
)

// rewriting is one run of the person's editor on their copy of the plan. The
// file stays where it is: what the editor wrote is there also when everything
// else was killed.
type rewriting struct {
	editing
	path string
}

// Run implements tea.ExecCommand.
func (x *rewriting) Run() error {
	words := x.editor.command()
	cmd := exec.Command(words[0], append(words[1:], x.path)...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = x.editor.env, x.stdin, x.stdout, x.stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open %s: %w", words[0], err)
	}
	x.editor.set(cmd.Process)
	err := cmd.Wait()
	x.editor.set(nil)
	return err
}

func (x *rewriting) SetStdin(r io.Reader)  { x.stdin = r }
func (x *rewriting) SetStdout(w io.Writer) { x.stdout = w }
func (x *rewriting) SetStderr(w io.Writer) { x.stderr = w }

// rewrittenMsg says that the editor on the plan has ended.
type rewrittenMsg struct{ err error }

// rewritable says whether the person may edit the text here.
func (m *Model) rewritable() bool { return m.decides() && m.brief.Edit != "" }

// rewrite opens the plan in the person's editor, or goes on with their edit.
func (m *Model) rewrite() tea.Cmd {
	if !m.rewritable() {
		m.message = "this text cannot be edited here; c suggests another text for some lines"
		return nil
	}
	if !m.rewriteKept() {
		raw, err := readFile(m.home().new.path, maxFile)
		if err == nil {
			err = store.ReplaceFile(m.brief.Edit, raw)
		}
		if err != nil {
			m.message = text.Line("not opened: " + err.Error())
			return nil
		}
	}
	x := &rewriting{editing: editing{editor: m.editor}, path: m.brief.Edit}
	return tea.Sequence(m.save(), tea.Exec(x, func(err error) tea.Msg { return rewrittenMsg{err} }))
}

// rewriteKept says whether there is an edit that differs from the text under
// review.
func (m *Model) rewriteKept() bool {
	if m.brief == nil || m.brief.Edit == "" {
		return false
	}
	info, err := os.Lstat(m.brief.Edit)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	now, err := readFile(m.brief.Edit, maxFile)
	if err != nil {
		return true // it is there, and what cannot be read is not thrown away
	}
	was, err := readFile(m.home().new.path, maxFile)
	return err != nil || !bytes.Equal(was, now)
}

// rewritten shows what the person changed, against the text under review. An
// edit without a change is none.
func (m *Model) rewritten(msg rewrittenMsg) tea.Cmd {
	if m.hasEdit = m.rewriteKept(); !m.hasEdit {
		_ = removeFile(m.brief.Edit)
		cmd := m.goHome()
		m.message = "nothing was changed"
		if msg.err != nil {
			m.message = text.Line(fmt.Sprintf("editor: %v; nothing was changed", msg.err))
		}
		return cmd
	}
	cmd := m.showEdit()
	if msg.err != nil {
		m.message = text.Line(fmt.Sprintf("editor: %v; %s", msg.err, m.message))
	}
	return cmd
}

// showEdit compares the person's edit with the text under review.
func (m *Model) showEdit() tea.Cmd {
	home := m.home()
	s, err := newSubject(Options{Old: home.new.path, New: m.brief.Edit})
	if err != nil {
		m.message = text.Line("your edit is kept, but it cannot be shown: " + err.Error())
		return nil
	}
	s.name = m.theme.Signs(fmt.Sprintf("r%d → your edit", m.ref().Revision))
	m.away = &away{home: home, foreign: true, edit: true}
	cmd := m.show(s)
	m.message = fmt.Sprintf("q makes it r%d, e goes on, Esc puts it aside, Q drops it", m.nextRevision())
	return cmd
}

func (m *Model) nextRevision() int {
	next := m.ref().Revision
	for _, r := range m.brief.Revisions {
		next = max(next, r.Revision)
	}
	return next + 1
}

// editKey handles the keys that mean something else while the edit is shown.
func (m *Model) editKey(name string) (tea.Cmd, bool) {
	switch name {
	case "q", "D":
		m.ask(fmt.Sprintf("Make your edit r%d? It is shown again; this approves nothing.", m.nextRevision()), "yes", m.propose, name)
	case "Q":
		m.ask("Drop your edit?", "drop it", m.dropEdit, name)
	case "esc":
		cmd := m.goHome()
		m.message = "your edit is kept; e goes on with it"
		return cmd, true
	default:
		return nil, false
	}
	return nil, true
}

// propose ends the review with the edit as the next revision.
func (m *Model) propose() tea.Cmd {
	return m.conclusion(session.Verdict{Review: m.brief.Review, Hash: m.brief.Ref.Hash, Row: session.RowUseEdits})
}

func (m *Model) dropEdit() tea.Cmd {
	if err := removeFile(m.brief.Edit); err != nil {
		m.message = text.Line(err.Error())
		return nil
	}
	m.hasEdit = false
	cmd := m.goHome()
	m.message = "your edit is dropped"
	return cmd
}
