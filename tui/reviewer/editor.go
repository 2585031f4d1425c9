package reviewer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/process"
	"planmode/plan/text"
)

// editor is the person's own editor. The running process is shared with the
// goroutine that watches signals, since the loop stands still while the editor
// has the terminal.
type editor struct {
	env []string

	mu      sync.Mutex
	running *os.Process
}

// command is the editor and its arguments.
func (e *editor) command() []string {
	return process.Editor(func(name string) string { return process.Lookup(e.env, name) })
}

// stop ends an editor that has the terminal, and says whether one had it.
func (e *editor) stop() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running == nil {
		return false
	}
	terminate(e.running)
	return true
}

func (e *editor) set(p *os.Process) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running = p
}

// editing is one run of the editor on a text. It has the shape that Bubble Tea
// runs while it has let go of the terminal.
type editing struct {
	editor *editor
	text   string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

func (x *editing) SetStdin(r io.Reader)  { x.stdin = r }
func (x *editing) SetStdout(w io.Writer) { x.stdout = w }
func (x *editing) SetStderr(w io.Writer) { x.stderr = w }

// Run lets the person edit the text in a private file. What was written counts
// also when the editor ended with an error.
func (x *editing) Run() error {
	words := x.editor.command()
	file, err := process.NewScratch("note.md", x.text)
	if err != nil {
		return fmt.Errorf("open %s: %w", words[0], err)
	}
	defer file.Remove()
	cmd := exec.Command(words[0], append(words[1:], file.Path)...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = x.editor.env, x.stdin, x.stdout, x.stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open %s: %w", words[0], err)
	}
	x.editor.set(cmd.Process)
	ended := cmd.Wait()
	x.editor.set(nil)
	raw, err := file.Read(maxNote)
	if err == nil {
		x.text = strings.TrimRight(text.Clean(string(raw)), "\n")
	}
	return errors.Join(ended, err)
}

// editedMsg carries the target it was started for, so that the text cannot land
// on another line.
type editedMsg struct {
	target   target
	suggests bool
	text     string
	err      error
}

// edit hands the text of the box to the editor, after it was saved: a signal may
// end both.
func (m *Model) edit() tea.Cmd {
	b := m.box
	x := &editing{editor: m.editor, text: b.Value()}
	return tea.Sequence(m.save(), tea.Exec(x, func(err error) tea.Msg {
		return editedMsg{b.target, b.suggests, x.text, err}
	}))
}

func (m *Model) edited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.message = text.Line(fmt.Sprintf("editor: %v", msg.err))
	}
	if m.box == nil || m.box.target != msg.target || m.box.suggests != msg.suggests {
		n := m.notes.at(msg.target.place)
		if n.end = msg.target.end; msg.suggests {
			n.suggests, n.with = true, msg.text
		} else {
			n.body = msg.text
		}
		m.notes.stash(n)
		return m.save()
	}
	m.box.SetValue(msg.text)
	m.box.edits++
	m.layout()
	return m.save()
}
