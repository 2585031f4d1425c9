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
	if err := m.readBrief(); err != nil {
		return nil, nil, err
	}
	return m, m.takeUp(loaded), nil
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
