package reviewer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/store"
)

// Exit codes. They are those of revdiff, and of a shell for a signal.
const (
	exitDone  = 0
	exitError = 1
	exitNotes = 10
	exitLeft  = 130
)

// Version is what --version prints; the command sets it.
var Version = "unknown"

// Main runs the reviewer on a command line without the program name and returns
// the exit code. The terminal is standard output, or the controlling terminal
// when that is something else; notes without --output go to stdout after the
// screen is gone.
func Main(args, env []string, stdout, stderr *os.File) int {
	o, err := ParseOptions(args, env)
	switch {
	case err != nil:
		return fail(stderr, err)
	case o.Help:
		fmt.Fprint(stdout, usage())
		return exitDone
	case o.Version:
		fmt.Fprintf(stdout, "version: %s\n", Version)
		return exitDone
	}
	m, warnings, err := prepare(o, env)
	if err != nil {
		return fail(stderr, err)
	}
	in, out, err := terminal(stdout)
	if err != nil {
		return fail(stderr, err)
	}
	err = m.run(env, in, out)
	for _, w := range warnings {
		fmt.Fprintln(stderr, "planmode: "+w)
	}
	return m.conclude(stdout, stderr, err)
}

func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "planmode: "+text.Line(err.Error()))
	return exitError
}

// run shows the screen until the review ends.
func (m *Model) run(env []string, in, out *os.File) error {
	p := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(env),
		tea.WithoutSignalHandler(), tea.WithFPS(120))
	caught := make(chan os.Signal, 4)
	signal.Notify(caught, signals...)
	done := make(chan struct{})
	// A panic must not take the notes with it: the program ends, and what follows
	// it saves them.
	process.OnPanic(func(any, []byte) { p.Kill() })
	process.Go("watch signals of the review", func() { m.watch(p, caught, done) })
	_, err := p.Run()
	signal.Stop(caught)
	close(done)
	return err
}

// watch passes signals to the loop. While the editor has the terminal the loop
// stands still, so the editor is ended first; an interrupt was meant for it alone.
func (m *Model) watch(p *tea.Program, caught <-chan os.Signal, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case s := <-caught:
			if editing := m.editor.stop(); editing && s == os.Interrupt {
				continue
			}
			p.Send(signalMsg{s})
		}
	}
}

// conclude writes what the review came to, and is the exit code.
func (m *Model) conclude(stdout, stderr io.Writer, failed error) int {
	if m.ending == endNone {
		m.ending, m.signal = endSignal, lost(failed)
	}
	switch m.ending {
	case endDone, endDiscard:
		return m.concludeClean(stdout, stderr)
	}
	raw, s := m.output(), m.snapshot()
	err := errors.Join(m.saver.save(s), m.saver.enter(raw))
	switch {
	case err != nil:
		fail(stderr, err)
	case m.brief == nil && m.saver.dir != "" && len(s.notes)+len(s.typed) > 0:
		fmt.Fprintf(stderr, "planmode: %s kept; the next review of %s goes on with them\n",
			text.Count(len(s.notes)+len(s.typed), "note"), text.Line(m.home().key))
	}
	switch {
	case m.ending == endLeft:
		return exitLeft
	case m.signal != nil:
		return signalCode(m.signal)
	}
	return fail(stderr, fmt.Errorf("the review of %s broke off: %w", m.home().key, failed))
}

func (m *Model) concludeClean(stdout, stderr io.Writer) int {
	raw := m.output()
	if m.ending == endDiscard || len(raw) == 0 {
		if err := m.keepMarks(); err != nil {
			fail(stderr, err)
		}
		if err := m.saver.end(); err != nil {
			fail(stderr, err)
		}
		return exitDone
	}
	var err error
	switch {
	case m.delivered:
	case m.opts.Output != "":
		err = store.ReplaceFile(m.opts.Output, raw)
	default:
		_, err = stdout.Write(raw)
	}
	if err != nil {
		// What was not handed over stays where the next run finds it.
		return fail(stderr, errors.Join(err, m.saver.save(m.snapshot()), m.saver.enter(raw)))
	}
	if err := errors.Join(m.saver.enter(raw), m.saver.end()); err != nil {
		fail(stderr, err)
	}
	if m.opts.ExitCode {
		return exitNotes
	}
	return exitDone
}
