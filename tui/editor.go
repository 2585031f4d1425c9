package tui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/process"
	"planmode/plan/text"
)

// maxDraft bounds what is taken back from an editor, in bytes.
const maxDraft = 1 << 20

// drafting is one run of the person's editor on the text of the composer. The
// text goes through a private file that is removed afterwards.
type drafting struct {
	Foreground
	file process.Scratch
	text string
}

// newDrafting makes the private file and the editor for it.
func newDrafting(edit func(path string) (Foreground, error), draft string) (*drafting, error) {
	file, err := process.NewScratch("message.md", draft)
	if err != nil {
		return nil, err
	}
	d := &drafting{file: file, text: draft}
	if d.Foreground, err = edit(file.Path); err != nil {
		return nil, errors.Join(err, file.Remove())
	}
	return d, nil
}

// Run implements tea.ExecCommand. What was saved counts also when the editor
// ended badly; a file that cannot be read leaves the text as it was.
func (d *drafting) Run() error {
	ended := d.Foreground.Run()
	raw, err := d.file.Read(maxDraft)
	if err == nil {
		d.text = strings.TrimRight(text.Clean(string(raw)), "\n")
	}
	return errors.Join(ended, err, d.file.Remove())
}

// draftingMsg brings the editor that was prepared, outside the event loop.
type draftingMsg struct {
	run *drafting
	err error
}

// draftedMsg brings the text back.
type draftedMsg struct {
	text string
	lost bool // the terminal is gone
	err  error
}

// openEditor begins to edit the text in the person's editor, after it was saved
// as a draft: whatever happens meanwhile, it is not lost.
func (m *model) openEditor() tea.Cmd {
	if m.opts.Edit == nil {
		return m.tell(warned, "This screen cannot open an editor")
	}
	edit, draft := m.opts.Edit, m.composer.Text()
	return tea.Sequence(m.saveDraft(), func() tea.Msg {
		run, err := newDrafting(edit, draft)
		return draftingMsg{run, err}
	})
}

// edit gives the terminal to the editor; the end of the screen stops it.
func (m *model) edit(msg draftingMsg) tea.Cmd {
	if msg.err != nil {
		return m.tell(failed, "The editor could not be opened: "+msg.err.Error())
	}
	run := msg.run
	release := m.stopAtEnd(func() { process.Go("stop the editor", run.Stop) })
	return tea.Exec(&exclusive{Foreground: run, title: "Message"}, func(err error) tea.Msg {
		release()
		return draftedMsg{text: run.text, lost: run.Exit().Lost, err: err}
	})
}

func (m *model) drafted(msg draftedMsg) tea.Cmd {
	m.composer.SetText(msg.text)
	if msg.lost {
		m.lost = true
		return tea.Quit
	}
	cmds := []tea.Cmd{tea.ClearScreen, m.draftChanged(), m.followDesk()}
	if msg.err != nil {
		cmds = append(cmds, m.tell(failed, "The editor: "+msg.err.Error()))
	}
	return tea.Batch(cmds...)
}
