//go:build linux || darwin

package revdiff

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"planmode/plan"
)

// The test binary runs itself as a reviewer that behaves as its mode says. It is
// given what a real one is given.
func init() {
	if mode := os.Getenv("PLANMODE_FAKE_REVIEWER"); mode != "" {
		os.Exit(fakeReviewer(mode))
	}
}

const note = "## plan-r2.md:5 (+)\nHow often?\n"

func fakeReviewer(mode string) int {
	flag := func(name string) string {
		for _, arg := range os.Args[1:] {
			if value, ok := strings.CutPrefix(arg, "--"+name+"="); ok {
				return value
			}
		}
		return ""
	}
	write := func(path, text string) {
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(text), 0o600) != nil {
			os.Exit(99)
		}
	}
	output, copied := flag("output"), flag("compare-new")+flag("only")
	for _, step := range strings.Split(mode, ", ") {
		verb, rest, _ := strings.Cut(step, " ")
		switch verb {
		case "notes":
			write(output, strings.ReplaceAll(rest, `\n`, "\n"))
		case "note":
			write(output, note)
		case "both":
			write(output, "## plan-r2.md (file-level)\nFine.\n\n## plan-r2.md:5 (-)\nWhy not?\n\n"+note)
		case "full":
			write(output, "## "+copied+":5 ( )\nHow often?\n")
		case "blank":
			write(output, " \n")
		case "link":
			write(output+".target", note)
			_ = os.Symlink(output+".target", output)
		case "saved":
			write(filepath.Join(flag("history-dir"), "x", "2026-01-01T00-00-00.000.md"), "# Review: then\npath: p\n\n## Annotations\n\nold garbage\n")
			write(filepath.Join(flag("history-dir"), "x", "2026-01-02T00-00-00.000.md"), "# Review: now\npath: p\n\n## Annotations\n\n"+note)
		case "autosaved":
			write(filepath.Join(flag("history-dir"), "autosave-1.json"), `{"version":1,"notes":[{"line":5,"type":"+","body":"How often?"},{"line":-1,"body":"x"}]}`)
		case "edit":
			write(copied, rest+"\n")
		case "grow":
			write(copied, strings.Repeat("x", maxEdited+1))
		case "remove":
			_ = os.Remove(copied)
		case "editold":
			write(flag("compare-old"), "other\n")
		case "say":
			for i := range 30 {
				fmt.Fprintf(os.Stderr, "line %d \x1b[31m%s\n", i, rest)
			}
		case "kill":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Minute)
		case "exit":
			code := 0
			_, _ = fmt.Sscan(rest, &code)
			return code
		}
	}
	return 0
}

// run runs a job as the hand-off would, without a terminal.
func runFake(t *testing.T, j *Job, mode string) Exit {
	t.Helper()
	stderr, err := os.Create(j.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stderr.Close() }()
	cmd := exec.Command(j.Path, j.Args...)
	cmd.Env, cmd.Dir, cmd.Stderr = append(j.Env, "PLANMODE_FAKE_REVIEWER="+mode), j.Dir, stderr
	err = cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	exit := Exit{Started: true, Code: cmd.ProcessState.ExitCode(), Elapsed: 3 * time.Second}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		exit.Signal = "SIGKILL"
	}
	return exit
}

func fakeJob(t *testing.T, r Reviewer, old, shown Text) *Job {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r.Path, r.Name = self, "revdiff v1"
	j, err := Prepare(Request{Reviewer: r, Dir: t.TempDir(), Old: old, New: shown, Env: withGit(t)})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

var allFlags = []string{"only", "output", "compare-old", "compare-new", "history-dir", "exit-code-on-annotations"}

func TestClassify(t *testing.T) {
	modern := probedWith(allFlags...)
	ancient := probedWith(allFlags[:5]...)
	unknown := Reviewer{}
	byUs := func(e *Exit) { e.ByUs = true }
	lost := func(e *Exit) { e.Lost = true }
	tests := []struct {
		name     string
		reviewer Reviewer
		mode     string
		change   func(*Exit)
		want     Kind
		notes    int
		message  string
	}{
		{"notes and code 10 ask for changes", modern, "note, exit 10", nil, Annotated, 1, ""},
		{"notes and code 10 of a reviewer not probed ask, too", unknown, "note, exit 10", nil, Annotated, 1, ""},
		{"notes and code 0 ask, if no code was to be had", ancient, "note", nil, Annotated, 1, ""},
		{"notes saved as well are not counted twice", modern, "saved, note, exit 10", nil, Annotated, 1, ""},
		{"nothing and code 0 is clean", modern, "exit 0", nil, Clean, 0, "no annotations were recorded (3s)"},
		{"a blank output is clean", modern, "blank", nil, Clean, 0, "no annotations were recorded"},
		{"notes and code 0 were flushed and discarded", modern, "note", nil, Flushed, 1, "discarded"},
		{"of a reviewer not probed they might have been", unknown, "note", nil, Flushed, 1, "discarded"},
		{"notes only in the history mean a signal", modern, "saved", nil, Interrupted, 1, "interrupted"},
		{"a signal recovers the history", modern, "saved, kill", nil, Interrupted, 1, "ended by SIGKILL"},
		{"a signal recovers the autosave", modern, "autosaved, kill", nil, Interrupted, 1, "ended by SIGKILL"},
		{"a signal makes no notes count", modern, "note, kill", nil, Interrupted, 1, "ended by SIGKILL"},
		{"a code above 128 is a signal", modern, "exit 143", nil, Interrupted, 0, "ended by SIGTERM"},
		{"a reviewer left by Ctrl+C keeps its draft", modern, "autosaved, exit 130", nil, Interrupted, 1, "ended by Ctrl+C"},
		{"stopped by us is interrupted, whatever the code", modern, "note, exit 10", byUs, Interrupted, 1, "was stopped"},
		{"a lost terminal is interrupted", modern, "exit 0", lost, Interrupted, 0, "terminal went away"},
		{"an edited copy is said before notes", modern, "note, edit # Mine, exit 10", nil, Edited, 1, "edited"},
		{"a copy edited into too much is no text", modern, "grow", nil, Edited, 0, "too large"},
		{"a copy that is gone contradicts", modern, "remove", nil, Contradiction, 0, "is gone"},
		{"an old copy that changed contradicts", modern, "editold", nil, Contradiction, 0, "r1 to compare with"},
		{"code 10 without notes contradicts", modern, "exit 10", nil, Contradiction, 0, "wrote none"},
		{"code 10 with a blank output contradicts", modern, "blank, exit 10", nil, Contradiction, 0, "wrote none"},
		{"code 10 with notes only in the history contradicts", modern, "saved, exit 10", nil, Contradiction, 1, "wrote none"},
		{"text that is no note contradicts", modern, "notes hello, exit 10", nil, Contradiction, 0, "cannot be understood"},
		{"an output that is a link contradicts", modern, "link, exit 10", nil, Contradiction, 0, "not a regular file"},
		{"a note about another file contradicts", modern, `notes ## other.md:1 ( )\nx, exit 10`, nil, Contradiction, 0, `"other.md"`},
		{"a note about another place contradicts", modern, `notes ## /etc/plan-r2.md:1 ( )\nx, exit 10`, nil, Contradiction, 0, "/etc/plan-r2.md"},
		{"a note past the end contradicts", modern, `notes ## plan-r2.md:99 ( )\nx, exit 10`, nil, Contradiction, 0, "line 99 of r2"},
		{"a note past the end of the old text contradicts", modern, `notes ## plan-r2.md:6 (-)\nx, exit 10`, nil, Contradiction, 0, "line 6 of r1"},
		{"another code failed", modern, "say oops, exit 1", nil, Failed, 0, "ended with code 1"},
		{"a failed write recovers the history", modern, "saved, exit 1", nil, Failed, 1, "ended with code 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := fakeJob(t, tt.reviewer, textOne, textTwo)
			exit := runFake(t, j, tt.mode)
			if tt.change != nil {
				tt.change(&exit)
			}
			got := Classify(j, exit)
			if got.Kind != tt.want || len(got.Notes) != tt.notes || !strings.Contains(got.Message, tt.message) {
				t.Errorf("got %s, %d notes, %q", got.Kind, len(got.Notes), got.Message)
			}
			if tt.want != Annotated && got.Message == "" {
				t.Error("nothing is said")
			}
			if tt.notes > 0 && len(got.Raw) == 0 {
				t.Error("notes without raw bytes")
			}
		})
	}
}

func TestClassifyKeepsAnEditedText(t *testing.T) {
	j := fakeJob(t, Reviewer{}, Text{}, textTwo)
	got := Classify(j, runFake(t, j, "edit # Mine"))
	if got.Kind != Edited || string(got.Edited) != "# Mine\n" {
		t.Errorf("got %s with %q", got.Kind, got.Edited)
	}
}

func TestClassifyShowsTheLastLinesOfTheStandardErrorClean(t *testing.T) {
	j := fakeJob(t, Reviewer{}, Text{}, textTwo)
	got := Classify(j, runFake(t, j, "say oops, exit 1"))
	lines := strings.Split(got.Stderr, "\n")
	if len(lines) != 10 || lines[9] != "line 29 oops" || lines[0] != "line 20 oops" {
		t.Errorf("got %q", got.Stderr)
	}
}

func TestClassifyReportsAReviewerThatCouldNotRun(t *testing.T) {
	j := fakeJob(t, Reviewer{}, Text{}, textTwo)
	got := Classify(j, Exit{Code: -1, Err: errors.New("run /bin/rd: no such\x1b[2J file")})
	if got.Kind != Failed || got.Message != "revdiff v1 could not be run: run /bin/rd: no such file" {
		t.Errorf("got %s, %q", got.Kind, got.Message)
	}
}

func TestClassifyAnchorsNotes(t *testing.T) {
	j := fakeJob(t, probedWith(allFlags...), textOne, textTwo)
	got := Classify(j, runFake(t, j, "both, exit 10"))
	if got.Kind != Annotated || len(got.Notes) != 3 {
		t.Fatalf("got %s, %+v", got.Kind, got.Notes)
	}
	check := func(n plan.Annotation, line int, side, quote, heading, body string) {
		t.Helper()
		if n.Line != line || n.Side != side || n.Quote != quote || strings.Join(n.Headings, "/") != heading || n.Body != body {
			t.Errorf("got %+v", n)
		}
	}
	check(got.Notes[0], 0, "new", "", "", "Fine.")
	check(got.Notes[1], 5, "old", "Make it so.", "Plan/Goal", "Why not?")
	check(got.Notes[2], 5, "new", "Make it so, twice.", "Plan/Goal", "How often?")
}

func TestClassifyTakesNotesOnAFullPath(t *testing.T) {
	j := fakeJob(t, probedWith(allFlags...), Text{}, textTwo)
	if got := Classify(j, runFake(t, j, "full, exit 10")); got.Kind != Annotated || got.Notes[0].Quote != "Make it so, twice." {
		t.Errorf("got %+v", got)
	}
	linked := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Dir(j.Copy), linked); err != nil {
		t.Fatal(err)
	}
	if !j.shows(filepath.Join(linked, "plan-r2.md")) {
		t.Error("the same file by another way is foreign")
	}
}

func TestClassifyOnTheOnlyTextRefusesRemovedLines(t *testing.T) {
	j := fakeJob(t, probedWith(allFlags...), Text{}, textTwo)
	got := Classify(j, runFake(t, j, `notes ## plan-r2.md:1 (-)\nx, exit 10`))
	if got.Kind != Contradiction || !strings.Contains(got.Message, "removed line") {
		t.Errorf("got %s, %q", got.Kind, got.Message)
	}
}

func TestHistoryNotesEndBeforeADiffOnlyIfThereIsOne(t *testing.T) {
	tests := []struct{ name, head, want string }{
		{"without a commit all of it is notes", "# Review: now\npath: p\n", note + diffMark + "diff\n"},
		{"with a commit the diff is cut off", "# Review: now\npath: p\ncommit: abc\n", note},
		{"without the mark there is nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			entry := tt.head + notesMark + note + diffMark + "diff\n"
			if tt.head == "" {
				entry = "# Review: now\n"
			}
			if got := string(historyNotes([]byte(entry))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHistoryRecordedFromRevdiffIsRead(t *testing.T) {
	b, err := os.ReadFile("record/testdata/20-history-after-sigterm.history.md")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(historyNotes(b)); got != "## /review/in/plan.md:1 ( )\nnote\n" {
		t.Errorf("got %q", got)
	}
}

func TestRecoverFindsWhatACrashLeft(t *testing.T) {
	tests := []struct {
		name, mode string
		old        Text
		notes      int
	}{
		{"an output", "both", textOne, 3},
		{"a history entry", "saved", textOne, 1},
		{"an autosave", "autosaved", Text{}, 1},
		{"nothing", "exit 0", Text{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := fakeJob(t, Reviewer{}, tt.old, textTwo)
			runFake(t, j, tt.mode)
			got := Recover(Unended{Dir: filepath.Dir(j.Copy), Old: tt.old, New: textTwo})
			if got.Kind != Interrupted || len(got.Notes) != tt.notes || (len(got.Raw) > 0) != (tt.notes > 0) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestLabelsAndSuggestionsOfNotes(t *testing.T) {
	j := &Job{Copy: "/private/plan-r2.md", shown: shown{new: textTwo}, labels: []string{"nit"}}
	body := "[nit] shorter\n\n```suggestion\nx\ny\n```"
	raw := "## plan-r2.md:1 ( )\n" + body + "\n\n## plan-r2.md:2 ( )\n```suggestion\n```\n\n## plan-r2.md:3 ( )\n[other] x\n"
	got := j.parse(fromOutput, []byte(raw)).items
	if len(got) != 3 {
		t.Fatalf("notes %+v", got)
	}
	if n := got[0]; n.Label != "nit" || n.Body != "shorter" || n.Replacement != "x\ny" || n.Delete {
		t.Errorf("a suggestion is %+v", n)
	}
	if n := got[1]; n.Body != "" || !n.Delete || n.Replacement != "" {
		t.Errorf("a deletion is %+v", n)
	}
	if n := got[2]; n.Label != "" || n.Body != "[other] x" {
		t.Errorf("an unknown label is %+v", n)
	}
	back, ok := recordOf("plan-r2.md", got[0], false)
	if !ok || back.Body != body {
		t.Errorf("written again as %q", back.Body)
	}
}
