package reviewer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/revdiff/record"
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

// prepare loads everything that the review needs, so that what is missing is
// said before the screen changes.
func prepare(o Options, env []string) (*Model, []string, error) {
	if err := checkOutput(o.Output); err != nil {
		return nil, nil, err
	}
	s, err := newSubject(o)
	if err != nil {
		return nil, nil, err
	}
	about := o.Description
	if o.DescriptionFile != "" {
		raw, err := readFile(o.DescriptionFile, maxNotes)
		if err != nil {
			return nil, nil, err
		}
		about = string(raw)
	}
	var loaded []record.Record
	if o.Annotations != "" {
		raw, err := readFile(o.Annotations, maxNotes)
		if err != nil {
			return nil, nil, err
		}
		if loaded, err = record.Parse(raw); err != nil {
			return nil, nil, fmt.Errorf("read the notes in %s: %w", o.Annotations, err)
		}
	}
	sv := &saver{dir: o.HistoryDir, history: o.HistoryDir != "", subject: s, now: time.Now}
	if sv.dir == "" {
		sv.dir = draftDir(env)
	}
	m := newModel(o, s, sv)
	m.editor = &editor{env: env}
	m.about = strings.TrimSpace(text.Clean(about))
	if o.Theme == "" && lightBackground(env) {
		t := m.theme.Options
		t.Dark = false
		m.setTheme(t)
	}
	warnings := m.preload(loaded)
	m.restore()
	return m, warnings, nil
}

// checkOutput finds out before the review what would lose its notes after it. A
// device or a pipe is refused: it would be replaced by a file, not written to.
func checkOutput(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: not a regular file", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("write %s: there is no directory %s", path, filepath.Dir(path))
	}
	return nil
}

// lightBackground is the hint that some terminals give; their answer to the
// question for the colour comes later and counts more.
func lightBackground(env []string) bool {
	parts := strings.Split(lookup(env, "COLORFGBG"), ";")
	return slices.Contains([]string{"7", "15"}, parts[len(parts)-1])
}

// preload takes the notes that are about this file and about lines that are
// shown, and warns of the others.
func (m *Model) preload(records []record.Record) []string {
	var warnings []string
	for _, r := range records {
		n := note{place: place{r.Line, r.Type}, end: r.End, body: text.Clean(r.Body)}
		if r.FileLevel() {
			n.place = wholeFile
		}
		switch {
		case r.Path != m.subject.key && filepath.Base(r.Path) != filepath.Base(m.subject.key):
			warnings = append(warnings, text.Line(fmt.Sprintf("a note on %s is left out: not the file under review", r.Path)))
		case !m.known(n.place):
			warnings = append(warnings, text.Line(fmt.Sprintf("a note on %s:%d (%c) is left out: no such line", r.Path, r.Line, r.Type)))
		default:
			m.notes.set(n)
		}
	}
	m.layItems()
	m.list.Select(max(m.step(-1, 1), 0))
	return warnings
}

func (m *Model) known(p place) bool {
	if p == wholeFile {
		return true
	}
	_, ok := m.subject.find(p)
	return ok
}

// restore takes up what an earlier run on the same bytes could not finish.
func (m *Model) restore() {
	d, ok := m.saver.restore()
	if !ok {
		return
	}
	taken := 0
	for i, list := range [][]savedNote{d.Notes, d.Typed} {
		for _, s := range list {
			n, ok := s.note()
			if !ok || !m.known(n.place) {
				continue
			}
			taken++
			if n.body = text.Clean(n.body); i == 0 {
				m.notes.set(n)
			} else {
				m.notes.stash(n)
			}
		}
	}
	if taken == 0 {
		return
	}
	m.layItems()
	m.list.Select(max(m.step(-1, 1), 0))
	m.message = count(taken, "note") + " of an unfinished review taken up again"
}

// run shows the screen until the review ends.
func (m *Model) run(env []string, in, out *os.File) error {
	p := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(env),
		tea.WithoutSignalHandler(), tea.WithFPS(120))
	caught := make(chan os.Signal, 4)
	signal.Notify(caught, signals...)
	done := make(chan struct{})
	go m.watch(p, caught, done)
	_, err := p.Run()
	signal.Stop(caught)
	close(done)
	return err
}

// watch passes signals to the loop. A recovered panic must not take the
// terminal with it, and there is nothing in here that could be retried.
func (m *Model) watch(p *tea.Program, caught <-chan os.Signal, done <-chan struct{}) {
	defer func() {
		if recover() != nil {
			p.Kill()
		}
	}()
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
	if failed != nil && m.ending == endNone {
		m.ending = endSignal
	}
	switch m.ending {
	case endDone, endDiscard:
		return m.concludeClean(stdout, stderr)
	}
	raw := m.notes.format(m.subject.key)
	if err := errors.Join(m.saver.save(m.snapshot()), m.saver.enter(raw)); err != nil {
		fail(stderr, err)
	}
	switch {
	case m.ending == endLeft:
		return exitLeft
	case m.signal != nil:
		return signalCode(m.signal)
	}
	return fail(stderr, fmt.Errorf("the review of %s broke off: %w", m.subject.key, failed))
}

func (m *Model) concludeClean(stdout, stderr io.Writer) int {
	raw := m.notes.format(m.subject.key)
	if m.ending == endDiscard || len(raw) == 0 {
		if err := m.saver.end(); err != nil {
			fail(stderr, err)
		}
		return exitDone
	}
	var err error
	if m.opts.Output != "" {
		err = replaceFile(m.opts.Output, raw)
	} else {
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
