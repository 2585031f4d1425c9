package revdiff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"planmode/plan"
	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/revdiff/brief"
)

// Text is the exact text of one revision.
type Text struct {
	Revision int
	Bytes    []byte
	Name     string // what its copy is called; empty after the revision
}

// label is what the text is called in a sentence.
func (t Text) label() string {
	if t.Name != "" {
		return t.Name
	}
	return "r" + strconv.Itoa(t.Revision)
}

// Request is a review to prepare.
type Request struct {
	Reviewer Reviewer
	Dir      string // fresh, private and absolute; everything is written there
	Old      Text   // what to compare with; Revision 0 shows New alone
	New      Text
	Title    string            // of the plan
	Previous []plan.Annotation // what the person said in the last round, on Old
	Pending  []plan.Annotation // notes saved before and not sent, to go on with
	About    []byte            // shown on the key for the description; what the person said before if empty
	Labels   []string          // quick labels of the built-in reviewer
	Brief    *brief.Brief      // what else the built-in reviewer is told; nil for nothing. Its paths are set here
	Draft    []byte            // what the built-in reviewer had saved of an unfinished review of New; nil for none
	Edit     []byte            // the person's unfinished edit of New; nil for none
	Env      []string          // the environment to start from
}

// Large is how many lines make revdiff slow enough to matter: its colouring of
// Markdown takes about half a millisecond a line before anything is shown.
const Large = 1000

const (
	outputName      = "annotations.md"
	stderrName      = "stderr.txt"
	configName      = "config"
	descriptionName = "last-round.md"
	preloadName     = "unsent.md"
	reviewDir       = string(filepath.Separator) // no repository above it
	maxConfig       = 1 << 20
)

// HistoryName is the folder of a job for what is saved on the way.
const HistoryName = "history"

var errBadRequest = errors.New("incomplete review request")

// Prepare writes private copies of the texts and says how to run the reviewer on
// them. It works with a reviewer that was not probed, using only what every
// version since 1.0.0 has.
func Prepare(r Request) (*Job, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	j := &Job{
		Name: r.Reviewer.Name, Path: r.Reviewer.Path, Dir: reviewDir,
		Stderr:  filepath.Join(r.Dir, stderrName),
		Output:  filepath.Join(r.Dir, outputName),
		History: filepath.Join(r.Dir, HistoryName),
		Title:   text.Line(fmt.Sprintf("Review: %s r%d", r.Title, r.New.Revision)),
		shown:   shown{old: r.Old, new: r.New},
		labels:  r.Labels,
	}
	if r.New.Name != "" {
		j.Title = text.Line(r.Title)
	}
	j.shown.strict = r.Reviewer.Builtin || r.Reviewer.probed("exit-code-on-annotations")
	j.shown.silent = !r.Reviewer.has("exit-code-on-annotations")
	j.Env = environment(r.Env, j.Dir)
	if r.Reviewer.Builtin && process.Lookup(j.Env, QuickStart) == "" {
		j.Env = append(j.Env, QuickStart+"=off")
	}
	if err := os.Mkdir(j.History, 0o700); err != nil {
		return nil, fmt.Errorf("prepare the review: %w", err)
	}
	var err error
	if j.Copy, err = r.copyOut(r.New); err != nil {
		return nil, err
	}
	if r.compares(j) {
		if j.shown.oldCopy, err = r.copyOut(r.Old); err != nil {
			return nil, err
		}
	} else {
		j.shown.old = Text{}
	}
	return j, r.arguments(j)
}

func (r Request) check() error {
	switch {
	case r.Reviewer.Path == "":
		return fmt.Errorf("%w: no reviewer", errBadRequest)
	case r.New.Revision < 1 || r.New.Revision == r.Old.Revision:
		return fmt.Errorf("%w: revision %d against %d", errBadRequest, r.New.Revision, r.Old.Revision)
	case !filepath.IsAbs(r.Dir):
		return fmt.Errorf("%w: directory %q is not absolute", errBadRequest, r.Dir)
	}
	info, err := os.Lstat(r.Dir)
	if err != nil {
		return fmt.Errorf("prepare the review: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("prepare the review: %s is not a directory", r.Dir)
	}
	return nil
}

// copyOut writes a private copy, named after the revision so that the notes say
// which text they are about.
func (r Request) copyOut(t Text) (string, error) {
	path := copyPath(r.Dir, t)
	return path, create(path, t.Bytes)
}

func copyPath(dir string, t Text) string {
	if t.Name != "" {
		return filepath.Join(dir, t.Name+".md")
	}
	return filepath.Join(dir, "plan-r"+strconv.Itoa(t.Revision)+".md")
}

// create writes a file that must not exist yet.
func create(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("prepare the review: %w", err)
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("prepare the review: write %s: %w", path, err)
	}
	return nil
}

// compares decides whether the run can show the changes, and tells the person
// why if it cannot.
func (r Request) compares(j *Job) bool {
	if r.Old.Revision == 0 {
		return false
	}
	whole := fmt.Sprintf("the whole of r%d is shown, not the changes since r%d", r.New.Revision, r.Old.Revision)
	switch {
	case !r.Reviewer.has("compare-old"):
		j.notice("This %s is too old to compare two files (1.0.0 can): %s.", r.Reviewer.Name, whole)
	case !r.Reviewer.Builtin && !hasGit(j.Env):
		j.notice("revdiff needs git to compare, and git is not installed: %s.", whole)
	default:
		return true
	}
	return false
}

func (j *Job) notice(format string, args ...any) {
	j.Notices = append(j.Notices, fmt.Sprintf(format, args...))
}

func hasGit(env []string) bool {
	_, ok := lookPath(process.Lookup(env, "PATH"), "git")
	return ok
}

// arguments completes j.Args. Values are attached with "=", so that none can be
// taken for a flag.
func (r Request) arguments(j *Job) error {
	args := append([]string{}, r.Reviewer.Prefix...)
	add := func(flag, value string) {
		if r.Reviewer.has(flag) {
			args = append(args, "--"+flag+value)
		}
	}
	if j.shown.oldCopy != "" {
		args = append(args, "--compare-old="+j.shown.oldCopy, "--compare-new="+j.Copy)
		add("word-diff", "")
	} else {
		args = append(args, "--only="+j.Copy)
	}
	args = append(args, "--output="+j.Output)
	add("history-dir", "="+j.History)
	add("wrap", "")
	add("wrap-indent", "=2")
	if j.shown.strict {
		args = append(args, "--exit-code-on-annotations")
	}
	if r.Reviewer.Builtin && len(r.Labels) > 0 {
		args = append(args, "--labels="+strings.Join(r.Labels, ","))
	}
	if n := r.lines(); n > Large && !r.Reviewer.Builtin {
		add("no-colors", "")
		j.notice("The plan has %d lines: revdiff runs without colours, since they would make it take seconds to open.", n)
	}
	if (len(r.Previous) > 0 || len(r.About) > 0) && r.Reviewer.has("description-file") && !r.briefs() {
		path := filepath.Join(r.Dir, descriptionName)
		about := r.About
		if len(about) == 0 {
			about = describe(r.Old.Revision, r.Previous, r.New.Bytes)
		}
		if err := create(path, about); err != nil {
			return err
		}
		args = append(args, "--description-file="+path)
	}
	briefed, err := r.brief(j)
	if err != nil {
		return err
	}
	args = append(args, briefed...)
	preload, err := r.preload(j)
	if err != nil {
		return err
	}
	if preload != "" {
		args = append(args, "--annotations="+preload)
	}
	filtered, err := r.filteredConfig(j)
	if filtered != "" {
		args = append(args, "--config="+filtered)
	}
	j.Args = args
	return err
}

func (r Request) lines() int {
	return max(bytes.Count(r.Old.Bytes, []byte("\n")), bytes.Count(r.New.Bytes, []byte("\n")))
}

// filteredConfig writes the person's config without what breaks a review, if
// there is any of that; their theme, keys and other preferences stay. A config
// that cannot be read is left to the reviewer.
func (r Request) filteredConfig(j *Job) (string, error) {
	source := configPath(j.Env)
	if r.Reviewer.Builtin || source == "" {
		return "", nil
	}
	f, err := os.Open(source)
	if err != nil {
		return "", nil
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig))
	if err != nil {
		return "", nil
	}
	config, found := filterConfig(string(b))
	if !found {
		return "", nil
	}
	path := filepath.Join(r.Dir, configName)
	return path, create(path, []byte(config))
}
