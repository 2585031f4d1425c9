package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"planmode/plan"
	"planmode/plan/session/result"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/revdiff"
)

const (
	maxDiffFiles = 200
	diffTime     = 15 * time.Second
)

// Diff shows what changed in the work tree since the plan at hand was approved, in
// the reviewer, with the steps of the plan in its description. Comments made there
// go to the agent as a message. Nothing is decided by it: it is looking, before
// the work is completed.
func (s *Session) Diff(context.Context) error {
	w := s.current().Work
	if w == nil {
		s.say(tree.Info, "There is no approved plan whose result could be shown. %s", s.leadOn())
		return nil
	}
	if reason := s.disabledReason(); reason != "" {
		return errors.New(reason)
	}
	a, ok := s.approvalOf(w.Ref)
	if !ok {
		return fmt.Errorf("the approval of %s is not on record", w.Ref)
	}
	j, ctx, ok := s.beginNext("waiting for you to look at the changes")
	if !ok {
		return ErrBusy
	}
	message, err := s.showDiff(ctx, w.Ref, a)
	s.end(j)
	if err != nil || message == "" {
		return err
	}
	return s.Send(message)
}

// showDiff returns what the person wants the agent to be told; empty for nothing.
func (s *Session) showDiff(ctx context.Context, ref plan.Ref, a plan.Decision) (string, error) {
	look, cancel := context.WithTimeout(ctx, diffTime)
	defer cancel()
	names, how := s.changedSince(look, a, ref.Plan)
	switch {
	case how == "":
		s.say(tree.Info, "What changed since the approval cannot be told: there was no git commit then, and the work tree was not fingerprinted.")
		return "", nil
	case len(names) == 0:
		s.say(tree.Info, "No file changed since %q r%d was approved.", s.titleOf(ref), ref.Revision)
		return "", nil
	case a.Head == "":
		s.say(tree.Info, "%s changed since the approval: %s\nWhat they held then is not known, since it was not in a git repository: only their names can be shown.",
			text.Count(len(names), "file"), nameSome(cleaned(names)))
		return "", nil
	}
	c := result.Of(s.diffHead(ref, a, len(names)), s.changedFiles(look, a.Head, names))
	if c.Shown == 0 {
		s.say(tree.Info, "%s changed since the approval, and none of them can be shown:\n%s", text.Count(len(names), "file"), strings.Join(c.Left, "\n"))
		return "", nil
	}
	return s.reviewDiff(ctx, ref, c)
}

func cleaned(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = text.Line(n)
	}
	return out
}

// diffHead says what is compared with what.
func (s *Session) diffHead(ref plan.Ref, a plan.Decision, files int) string {
	return fmt.Sprintf("# Changed since the approval\n\n%s r%d, approved %s at commit %.8s. %s.\n\nNotes made here go to the agent as a message. The plan's steps are in the description.\n",
		text.Line(s.titleOf(ref)), ref.Revision, a.At.Local().Format("2006-01-02 15:04"), a.Head, text.Count(files, "file"))
}

// changedFiles reads the content of the files then and now.
func (s *Session) changedFiles(ctx context.Context, head string, names []string) []result.File {
	root, err := os.OpenRoot(s.opt.Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	var out []result.File
	for i, name := range names {
		f := result.File{Path: name}
		if i >= maxDiffFiles {
			f.Unknown = "there are too many files"
			out = append(out, f)
			continue
		}
		f.New, err = nowIn(root, name)
		if err == nil {
			f.Old, err = s.opt.Repo.Content(ctx, head, name)
			if errors.Is(err, fs.ErrNotExist) {
				f.Old, err = nil, nil
			} else if err == nil && f.Old == nil {
				f.Old = []byte{}
			}
		}
		if err != nil {
			f.Unknown = err.Error()
		}
		if f.Old == nil && f.New == nil && err == nil {
			continue // it came and went
		}
		out = append(out, f)
	}
	return out
}

// nowIn reads a file of the work tree; nil when there is none.
func nowIn(root *os.Root, name string) ([]byte, error) {
	st, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("no regular file")
	case st.Size() > result.MaxFile:
		return nil, errors.New("too large")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, result.MaxFile+1))
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// reviewDiff runs the reviewer on the two texts.
func (s *Session) reviewDiff(ctx context.Context, ref plan.Ref, c result.Changes) (string, error) {
	id, err := s.newReviewID()
	if err != nil {
		return "", err
	}
	dir, err := s.opt.Store.ReviewDir(ref.Plan, id)
	if err != nil {
		return "", err
	}
	job, err := revdiff.Prepare(revdiff.Request{
		Reviewer: s.reviewer.get(), Dir: dir, Title: "Changed since the approval: " + s.titleOf(ref), Env: s.opt.Env,
		Old: revdiff.Text{Revision: 1, Bytes: c.Old, Name: "at-approval"}, New: revdiff.Text{Revision: 2, Bytes: c.New, Name: "now"},
		About: s.stepsText(ref),
	})
	if err != nil {
		return "", err
	}
	exit, err := s.opt.Desk.Review(ctx, job)
	if err != nil {
		return "", unanswered(ctx, err)
	}
	r := revdiff.Classify(job, exit)
	if r.Kind != revdiff.Annotated && len(r.Notes) > 0 {
		s.say(tree.Warning, "Your notes on the changes were not sent: %s. They are kept in %s.", r.Message, dir)
		return "", nil
	}
	if err := s.opt.Store.EndReview(ref.Plan, id); err != nil {
		s.say(tree.Warning, "The private copies of the review could not be removed: %v.", err)
	}
	switch r.Kind {
	case revdiff.Annotated:
		return s.comments(ref, c, r.Notes), nil
	case revdiff.Failed:
		return "", fmt.Errorf("show the changes: %s\n%s", r.Message, r.Stderr)
	case revdiff.Edited:
		s.say(tree.Info, "What you edited in the reviewer was a copy; your files are as they were.")
	}
	return "", nil
}

// stepsText is the plan's steps, to be looked at beside the changes.
func (s *Session) stepsText(ref plan.Ref) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Steps of %s r%d\n\n", text.Line(s.titleOf(ref)), ref.Revision)
	s.mu.Lock()
	v := s.views[ref]
	s.mu.Unlock()
	if v != nil {
		for i, step := range v.Steps {
			fmt.Fprintf(&b, "%d. %s\n", i+1, text.Line(step))
		}
	}
	return []byte(b.String())
}

// comments writes the notes as a message of the person's, each with its file and
// line.
func (s *Session) comments(ref plan.Ref, c result.Changes, notes []plan.Annotation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "I looked at what changed since %q r%d was approved. My %s:\n", text.Line(s.titleOf(ref)), ref.Revision, text.Count(len(notes), "comment"))
	for _, n := range notes {
		fmt.Fprintf(&b, "\n- %s", placeOf(c, n))
		if q := strings.TrimSpace(text.Line(n.Quote)); q != "" {
			fmt.Fprintf(&b, " (`%s`)", text.Truncate(strings.ReplaceAll(q, "`", "'"), 160))
		}
		b.WriteString(":\n")
		for line := range strings.SplitSeq(strings.TrimSpace(text.Clean(n.Body)), "\n") {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		if n.Replacement != "" {
			fmt.Fprintf(&b, "  Suggested instead: %s\n", text.Clean(n.Replacement))
		}
	}
	return b.String()
}

// placeOf is where a note belongs in the work tree.
func placeOf(c result.Changes, n plan.Annotation) string {
	if n.Line < 1 {
		return "on all of it"
	}
	p, ok := c.At(n.Line, n.Side == "old")
	switch {
	case !ok:
		return "on all of it"
	case p.Line == 0:
		return path.Clean(text.Line(p.Path))
	}
	where := fmt.Sprintf("%s:%d", text.Line(p.Path), p.Line)
	if end, ok := c.At(n.End, n.Side == "old"); ok && end.Path == p.Path && end.Line > p.Line {
		where += fmt.Sprintf("-%d", end.Line)
	}
	if p.Old {
		where += " as it was at the approval"
	}
	return where
}
