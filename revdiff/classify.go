package revdiff

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/revdiff/brief"
)

// Kind is what a review brought back.
type Kind string

// The kinds. Only Annotated asks for changes by itself; after the others the
// person decides, and none of them is an approval.
const (
	Annotated     Kind = "annotated"     // notes, by a clean end
	Clean         Kind = "clean"         // ended, and no annotations were recorded
	Flushed       Kind = "flushed"       // notes were written out, and the review was then discarded
	Interrupted   Kind = "interrupted"   // a signal, or notes that were only saved on the way
	Edited        Kind = "edited"        // the private copy was changed
	Contradiction Kind = "contradiction" // what came back cannot be
	Failed        Kind = "failed"        // the reviewer could not do its work
)

// Result is the outcome of one run.
type Result struct {
	Kind    Kind
	Notes   []plan.Annotation // collected or recovered; to be sent at once only when Annotated
	Raw     []byte            // the notes as they were collected
	Edited  []byte            // the text of the copy, if it was changed and can be a revision
	Message string            // one sentence about what happened; empty when Annotated
	Stderr  string            // the last lines of the standard error, clean; when Failed

	// From the built-in reviewer only.
	Verdict json.RawMessage // the person's answer to the card; only after a clean end
	Marks   []brief.Mark    // earlier notes that the person settled or opened again
	Draft   []byte          // what was written and not finished, to go on with; nil after a clean end
	Edit    []byte          // the person's own edit of the text, if there is one
}

// exitAnnotated is the exit code that means "notes were written".
const exitAnnotated = 10

// Exit codes by which a program tells that a signal ended it.
const exitSignal = 128

// Classify says what the run of j that ended as exit brought back. It reads only
// the files of the job and changes nothing.
func Classify(j *Job, exit Exit) Result {
	notes := j.collect()
	edit := j.inspect()
	r := Result{Notes: notes.items, Raw: notes.raw, Edited: edit.text}
	j.left(&r)
	switch {
	case !exit.Started || exit.Code == -1 && exit.Signal == "":
		return r.failed(j, "%s could not be run%s", j.Name, cause(exit.Err))
	case exit.Lost:
		return r.is(Interrupted, "the terminal went away during the review")
	case exit.Signal != "":
		return r.is(Interrupted, "%s was ended by %s", j.Name, exit.Signal)
	case exit.ByUs:
		return r.is(Interrupted, "%s was stopped", j.Name)
	case exit.Code > exitSignal && exit.Code < exitSignal+64:
		return r.is(Interrupted, "%s was ended by %s", j.Name, signalName(exit.Code-exitSignal))
	case exit.Code != 0 && exit.Code != exitAnnotated:
		return r.failed(j, "%s ended with code %d", j.Name, exit.Code)
	case edit.damage != "":
		return r.is(Contradiction, "%s", edit.damage)
	case edit.changed:
		return r.is(Edited, "%s", edit.sentence(j))
	case notes.damage != "":
		return r.is(Contradiction, "%s", notes.damage)
	}
	return j.ended(r, notes, exit)
}

// ended judges a run that ended by itself, left the copies alone and wrote
// nothing that cannot be read.
func (j *Job) ended(r Result, notes collection, exit Exit) Result {
	odd := j.concluded(&r)
	switch {
	case odd != "":
		return r.is(Contradiction, "%s", odd)
	case exit.Code == exitAnnotated && notes.from == fromOutput:
		return r.is(Annotated, "")
	case exit.Code == exitAnnotated:
		return r.is(Contradiction, "%s reported annotations and wrote none", j.Name)
	case notes.from == fromOutput && j.shown.silent:
		return r.is(Annotated, "")
	case notes.from == fromOutput:
		return r.is(Flushed, "annotations were written out on the way and the review was then discarded")
	case notes.from == fromHistory:
		return r.is(Interrupted, "%s was interrupted and saved the annotations it had", j.Name)
	}
	return r.is(Clean, "no annotations were recorded (%s)", exit.Elapsed.Round(time.Second/10))
}

func (r Result) is(k Kind, format string, args ...any) Result {
	r.Kind = k
	r.Message = text.Line(fmt.Sprintf(format, args...))
	return r
}

func (r Result) failed(j *Job, format string, args ...any) Result {
	r.Stderr = tail(j.Stderr)
	return r.is(Failed, format, args...)
}

// signalName names the signals a program can be expected to report by its code.
func signalName(n int) string {
	switch n {
	case 1:
		return "SIGHUP"
	case 2:
		return "Ctrl+C"
	case 15:
		return "SIGTERM"
	}
	return fmt.Sprintf("signal %d", n)
}

func cause(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

// edit is what became of the private copies.
type edit struct {
	changed bool
	text    []byte // nil if it is too large to become a revision
	damage  string
}

func (e edit) sentence(j *Job) string {
	if e.text == nil {
		return fmt.Sprintf("the copy of %s was changed and is now too large for a plan", j.shown.new.label())
	}
	return fmt.Sprintf("the text of %s was edited in the reviewer", j.shown.new.label())
}

// maxEdited leaves room for what normalising takes away.
const maxEdited = 2 * plan.MaxPlanBytes

// inspect compares the copies with the texts that were to be shown.
func (j *Job) inspect() edit {
	now, err := readRegular(j.Copy, maxEdited)
	if errors.Is(err, errTooLarge) {
		return edit{changed: true}
	}
	if err != nil {
		became := "can no longer be read"
		if errors.Is(err, fs.ErrNotExist) {
			became = "is gone"
		}
		return edit{damage: fmt.Sprintf("the copy of %s under review %s: %v", j.shown.new.label(), became, err)}
	}
	if j.shown.oldCopy != "" {
		old, err := readRegular(j.shown.oldCopy, maxEdited)
		if err != nil || !bytes.Equal(old, j.shown.old.Bytes) {
			return edit{damage: fmt.Sprintf("the copy of %s to compare with was changed during the review", j.shown.old.label())}
		}
	}
	if bytes.Equal(now, j.shown.new.Bytes) {
		return edit{}
	}
	return edit{changed: true, text: now}
}

const (
	tailLines = 10
	tailBytes = 16 << 10
)

// tail is the last lines of a file, clean.
func tail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	b := make([]byte, min(info.Size(), tailBytes))
	n, _ := f.ReadAt(b, info.Size()-int64(len(b)))
	lines := strings.Split(strings.TrimSpace(text.Clean(string(b[:n]))), "\n")
	if len(lines) > tailLines {
		lines = lines[len(lines)-tailLines:]
	}
	return strings.Join(lines, "\n")
}
