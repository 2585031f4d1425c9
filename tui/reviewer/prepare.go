package reviewer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/revdiff/record"
)

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
	parts := strings.Split(process.Lookup(env, "COLORFGBG"), ";")
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
	m.message = text.Count(taken, "note") + " of an unfinished review taken up again"
}
