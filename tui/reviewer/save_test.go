package reviewer

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// reviewOf prepares a review of a file with the given text.
func reviewOf(t *testing.T, content string, change func(*Options)) *Model {
	t.Helper()
	dir := t.TempDir()
	o := Options{Only: write(t, filepath.Join(dir, "plan-r1.md"), content), HistoryDir: filepath.Join(dir, "history"),
		Output: filepath.Join(dir, "notes.md"), CompactContext: defaultContext}
	if change != nil {
		change(&o)
	}
	m, warnings, err := prepare(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) > 0 {
		t.Log(warnings)
	}
	return m
}

func reopen(t *testing.T, m *Model) *Model {
	t.Helper()
	again, _, err := prepare(m.opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func (m *Model) saveNow(t *testing.T) {
	t.Helper()
	if err := m.saver.save(m.snapshot()); err != nil {
		t.Fatal(err)
	}
}

func TestADraftSurvives(t *testing.T) {
	m := reviewOf(t, "a\nb\nc\n", nil)
	m.notes.set(note{place: at(2, ' '), end: 3, body: "two\nlines"})
	m.notes.stash(note{place: at(1, ' '), body: "half"})
	m.saveNow(t)

	info, err := os.Stat(m.saver.path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("draft: %v, %v", info, err)
	}
	again := reopen(t, m)
	if got := again.notes.notes[at(2, ' ')]; got.body != "two\nlines" || got.end != 3 {
		t.Errorf("note came back as %+v", got)
	}
	if got := again.notes.drafts[at(1, ' ')]; got.body != "half" {
		t.Errorf("half-typed text came back as %+v", got)
	}
	if !strings.Contains(again.message, "2 notes") {
		t.Errorf("the person is told %q", again.message)
	}

	write(t, filepath.Join(filepath.Dir(m.opts.Only), "plan-r9.md"), "a\nb\nc\n\n")
	m.opts.Only = filepath.Join(filepath.Dir(m.opts.Only), "plan-r9.md")
	if other := reopen(t, m); len(other.notes.notes)+len(other.notes.drafts) > 0 {
		t.Error("a draft on another file was taken up")
	}
}

func TestADamagedDraftIsNone(t *testing.T) {
	cases := []struct{ name, content string }{
		{"not JSON", "{"},
		{"another version", `{"version":9,"new":"HASH","notes":[{"line":1,"type":" ","body":"x"}]}`},
		{"a type that is none", `{"version":1,"new":"HASH","notes":[{"line":1,"type":"++","body":"x"}]}`},
		{"a negative line", `{"version":1,"new":"HASH","notes":[{"line":-1,"type":" ","body":"x"}]}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := reviewOf(t, "a\n", nil)
			if err := os.MkdirAll(m.saver.dir, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, m.saver.path(), strings.ReplaceAll(c.content, "HASH", m.subject.new.hash))
			if again := reopen(t, m); len(again.notes.notes) != 0 {
				t.Errorf("took up %v", again.notes.notes)
			}
		})
	}
}

func TestAnOldSnapshotIsNotWritten(t *testing.T) {
	m := reviewOf(t, "a\n", nil)
	early := m.snapshot()
	m.notes.set(note{place: at(1, ' '), body: "x"})
	m.saveNow(t)
	if err := m.saver.save(early); err != nil {
		t.Fatal(err)
	}
	if again := reopen(t, m); len(again.notes.notes) != 1 {
		t.Error("an earlier snapshot overwrote a later one")
	}
}

func TestConclude(t *testing.T) {
	cases := []struct {
		name    string
		notes   bool
		ending  ending
		change  func(*Options)
		code    int
		output  bool
		draft   bool
		history bool
		lost    bool // the directory of the output goes away
	}{
		{name: "done with notes", notes: true, ending: endDone, code: 0, output: true, history: true},
		{name: "done with notes, exit code asked for", notes: true, ending: endDone, change: func(o *Options) { o.ExitCode = true }, code: 10, output: true, history: true},
		{name: "done without notes", ending: endDone, change: func(o *Options) { o.ExitCode = true }, code: 0},
		{name: "discarded", notes: true, ending: endDiscard, code: 0},
		{name: "left", notes: true, ending: endLeft, code: 130, draft: true, history: true},
		{name: "left without notes", ending: endLeft, code: 130},
		{name: "broken off", notes: true, ending: endNone, code: 1, draft: true, history: true},
		{name: "output cannot be written", notes: true, ending: endDone, lost: true, code: 1, draft: true, history: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := reviewOf(t, "a\nb\n", c.change)
			m.now = func() time.Time { return time.Unix(0, 0) }
			if c.notes {
				m.notes.set(note{place: at(1, ' '), body: "x"})
				m.saveNow(t)
			}
			if c.lost {
				m.opts.Output = filepath.Join(t.TempDir(), "gone", "x.md")
			}
			m.ending = c.ending
			var stdout, stderr bytes.Buffer
			var failed error
			if c.ending == endNone {
				failed = os.ErrClosed
			}
			if code := m.conclude(&stdout, &stderr, failed); code != c.code {
				t.Errorf("exit code %d, want %d (%s)", code, c.code, &stderr)
			}
			exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
			if got := exists(m.opts.Output); got != c.output {
				t.Errorf("output there: %t", got)
			}
			if got := exists(m.saver.path()); got != c.draft {
				t.Errorf("draft there: %t", got)
			}
			entries, _ := filepath.Glob(filepath.Join(m.opts.HistoryDir, "*", "*.md"))
			if (len(entries) > 0) != c.history {
				t.Errorf("history entries %v", entries)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout got %q", &stdout)
			}
		})
	}
}

func TestNotesGoToStdoutWithoutAnOutput(t *testing.T) {
	m := reviewOf(t, "a\n", func(o *Options) { o.Output = "" })
	m.notes.set(note{place: at(1, ' '), body: "x"})
	m.ending = endDone
	var stdout, stderr bytes.Buffer
	if code := m.conclude(&stdout, &stderr, nil); code != 0 {
		t.Fatal(code, stderr.String())
	}
	if want := "## " + m.subject.key + ":1 ( )\nx\n"; stdout.String() != want {
		t.Errorf("got %q, want %q", &stdout, want)
	}
}

func TestTheOutputReplacesALink(t *testing.T) {
	m := reviewOf(t, "a\n", nil)
	victim := write(t, filepath.Join(t.TempDir(), "victim"), "keep")
	if err := os.Symlink(victim, m.opts.Output); err != nil {
		t.Fatal(err)
	}
	m.notes.set(note{place: at(1, ' '), body: "x"})
	m.ending = endDone
	m.conclude(&bytes.Buffer{}, &bytes.Buffer{}, nil)
	if raw, _ := os.ReadFile(victim); string(raw) != "keep" {
		t.Errorf("the file behind the link now holds %q", raw)
	}
	if info, err := os.Lstat(m.opts.Output); err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o600 {
		t.Errorf("output: %v, %v", info, err)
	}
}

func TestPrepareRefuses(t *testing.T) {
	dir := t.TempDir()
	good := write(t, filepath.Join(dir, "good.md"), "a\n")
	binary := write(t, filepath.Join(dir, "bin"), "a\x00b")
	garbage := write(t, filepath.Join(dir, "garbage"), "no header\n")
	odd := write(t, filepath.Join(dir, "a\nb.md"), "a\n")
	cases := []struct {
		name string
		o    Options
		err  string
	}{
		{"a file that is not there", Options{Only: filepath.Join(dir, "none")}, "no such file"},
		{"a directory", Options{Only: dir}, "not a regular file"},
		{"a binary file", Options{Only: binary}, "binary"},
		{"a comparison with a file that is not there", Options{Old: filepath.Join(dir, "none"), New: good}, "no such file"},
		{"an output that is a directory", Options{Only: good, Output: dir}, "not a regular file"},
		{"an output that is a device", Options{Only: good, Output: os.DevNull}, "not a regular file"},
		{"an output whose directory is not there", Options{Only: good, Output: filepath.Join(dir, "none", "n.md")}, "no directory"},
		{"a name that notes cannot carry", Options{Only: odd}, "line feed"},
		{"notes that cannot be understood", Options{Only: good, Annotations: garbage}, "notes"},
		{"a description that is not there", Options{Only: good, DescriptionFile: filepath.Join(dir, "none")}, "no such file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := prepare(c.o, nil)
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
}

func TestPreload(t *testing.T) {
	m := reviewOf(t, "a\nb\n", nil)
	notes := "## " + m.opts.Only + ":2 ( )\nmine\n\n## " + m.opts.Only + " (file-level)\nall\n\n## other.md:1 ( )\nx\n\n## " + m.opts.Only + ":7 ( )\nx\n"
	m.opts.Annotations = write(t, filepath.Join(t.TempDir(), "n.md"), notes)
	again, warnings, err := prepare(m.opts, nil)
	if err != nil || len(warnings) != 2 {
		t.Fatalf("warnings %q, %v", warnings, err)
	}
	if len(again.notes.notes) != 2 || again.notes.notes[at(2, ' ')].body != "mine" || again.notes.notes[wholeFile].body != "all" {
		t.Errorf("loaded %v", again.notes.notes)
	}
}
