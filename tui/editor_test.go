package tui

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/revdiff"
)

// fakeEditor writes text into its file and ends.
type fakeEditor struct {
	path, writes string
	err          error
	saw          *string
}

func (e *fakeEditor) SetStdin(io.Reader)  {}
func (e *fakeEditor) SetStdout(io.Writer) {}
func (e *fakeEditor) SetStderr(io.Writer) {}
func (e *fakeEditor) Stop()               {}
func (e *fakeEditor) Exit() revdiff.Exit  { return revdiff.Exit{Started: true} }

func (e *fakeEditor) Run() error {
	b, err := os.ReadFile(e.path)
	if err != nil {
		return err
	}
	*e.saw = string(b)
	return errors.Join(e.err, os.WriteFile(e.path, []byte(e.writes), 0o600))
}

func TestTheEditorGetsTheTextAndGivesItBack(t *testing.T) {
	run(t, "written", func(t *testing.T) {
		f := newFake(t)
		var saw, path string
		s := startFlow(t, f, func(o *Options) {
			o.Edit = func(p string) (Foreground, error) {
				path = p
				return &fakeEditor{path: p, writes: "two\nlines\x1b[2J\n", saw: &saw}, nil
			}
		})
		s.Type("draft")
		s.Press("ctrl+g")
		s.WaitFor("lines")
		if saw != "draft" || strings.Contains(s.app.model.composer.Text(), "\x1b") {
			t.Errorf("the editor saw %q, the composer has %q", saw, s.app.model.composer.Text())
		}
		if _, err := os.Stat(filepath.Dir(path)); err == nil {
			t.Error("the private file is still there")
		}
		s.quit()
	})
	run(t, "not found", func(t *testing.T) {
		f := newFake(t)
		s := startFlow(t, f, func(o *Options) {
			o.Edit = func(string) (Foreground, error) { return nil, errors.New("no such editor") }
		})
		s.Type("draft")
		s.Press("ctrl+g")
		s.WaitFor("no such editor")
		if got := s.app.model.composer.Text(); got != "draft" {
			t.Errorf("the text is %q", got)
		}
		s.quit()
	})
}
