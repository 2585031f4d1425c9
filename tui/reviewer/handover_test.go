package reviewer

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestNotesThatCannotBeWrittenKeepTheReviewOpen(t *testing.T) {
	m := reviewOf(t, "a\nb\n", func(o *Options) { o.ExitCode = true })
	d := sit(t, m, 80, 10)
	d.note("a", "precious")
	good := m.opts.Output
	m.opts.Output = filepath.Join(t.TempDir(), "gone", "notes.md")
	cmd := d.press("q")
	d.press("d") // comes while the notes are being written
	m.Update(cmd())
	if m.ending != endNone {
		t.Fatal("the review ended without its notes")
	}
	m.saved(savedMsg{err: syscall.ENOSPC})
	d.shows("NOT handed over (no such file or directory)")
	d.press("j")
	d.shows("NOT SAVED (no space left on device)")
	m.opts.Output = good
	m.Update(d.press("q")())
	if m.ending != endDone {
		t.Fatal("the second try did not end the review")
	}
	var stdout, stderr bytes.Buffer
	if code := m.conclude(&stdout, &stderr, nil); code != exitNotes {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	if raw, err := os.ReadFile(good); err != nil || !strings.Contains(string(raw), "precious") {
		t.Errorf("output %q, %v", raw, err)
	}
}
