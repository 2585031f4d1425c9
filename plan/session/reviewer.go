package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/compare"
)

// probeTime bounds how long the reviewer is asked what it can do.
const probeTime = 5 * time.Second

// reviewerState is the reviewer in use. It is probed in the background; until
// then only what every version has is used.
type reviewerState struct {
	mu     sync.Mutex
	found  revdiff.Reviewer
	hinted bool // the install hint was given in this session
	probed bool
}

func (r *reviewerState) get() revdiff.Reviewer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.found
}

func (r *reviewerState) name() string { return r.get().Name }

func (r *reviewerState) describe() string {
	found := r.get()
	switch {
	case found.Name == "":
		return "none"
	case found.Hint != "":
		return found.Name + " (revdiff is not installed: " + found.Hint + ")"
	}
	return found.Name + " · " + found.Path
}

// findReviewer looks for the reviewer of the person's choice: one stat, no run.
// A choice that cannot run disables Plan Mode; it is never silently replaced.
func (s *Session) findReviewer() {
	found, err := revdiff.Find(s.opt.Finder)
	switch {
	case errors.Is(err, revdiff.ErrMissing):
		s.disabled = "revdiff is not installed and config asks for it. Install it (" + revdiff.InstallHint + ") and restart, or set \"reviewer\" to \"auto\"."
	case err != nil:
		s.disabled = err.Error() + ". Put this right and restart; revdiff: " + revdiff.InstallHint + "."
	}
	s.reviewer.found = found
}

func (s *Session) disabledReason() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.disabled
}

// probeReviewer asks, once a session and in the background, what the reviewer
// can do, and gives the install hint where it helps.
func (s *Session) probeReviewer() {
	s.reviewer.mu.Lock()
	first := !s.reviewer.probed
	found := s.reviewer.found
	s.reviewer.probed = true
	hint := found.Hint != "" && !s.reviewer.hinted
	s.reviewer.hinted = s.reviewer.hinted || hint
	s.reviewer.mu.Unlock()
	if hint {
		s.say(tree.Info, "Plans open in the %s. To use revdiff instead: %s.", found.Name, found.Hint)
	}
	if !first || found.Name == "" {
		return
	}
	s.aside("probe", func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		known, err := revdiff.Probe(ctx, found, s.opt.Env, s.opt.ProbeCache)
		if err != nil {
			return // it still works, with fewer options
		}
		s.reviewer.mu.Lock()
		s.reviewer.found = known
		s.reviewer.mu.Unlock()
		if d := known.Degraded(); d != "" {
			s.say(tree.Warning, "%s", d)
		}
	})
}

// prepare writes the private copies for a review and says how to run it.
func (s *Session) prepare(sh *showing) (*revdiff.Job, error) {
	old, previous, err := s.comparison(sh.ref)
	if err != nil {
		return nil, err
	}
	dir, err := s.opt.Store.ReviewDir(sh.ref.Plan, sh.id)
	if err != nil {
		return nil, err
	}
	r := s.reviewer.get()
	sh.reviewer = r.Name
	if sh.base = old.Revision; sh.base > 0 {
		sh.compared = changes(old, revdiff.Text{Revision: sh.ref.Revision, Bytes: sh.text})
	}
	told, err := s.brief(sh)
	if err != nil {
		return nil, err
	}
	req := revdiff.Request{
		Reviewer: r, Dir: dir, Old: old, New: revdiff.Text{Revision: sh.ref.Revision, Bytes: sh.text},
		Title: sh.title, Previous: previous, Pending: sh.pending, Env: s.opt.Env, Labels: s.opt.Config.ReviewerLabels, Brief: told,
	}
	if err := s.unfinished(sh.ref, &req); err != nil {
		s.say(tree.Warning, "What you had not finished about r%d could not be read: %v. It was not touched.", sh.ref.Revision, err)
	}
	job, err := revdiff.Prepare(req)
	if err != nil {
		return nil, err
	}
	for _, n := range job.Notices {
		s.say(tree.Info, "%s", n)
	}
	return job, nil
}

// comparison is what a revision is compared with: the last other one that the
// person looked at, and what they said about that.
func (s *Session) comparison(ref plan.Ref) (revdiff.Text, []plan.Annotation, error) {
	m, err := s.opt.Store.Manifest(ref.Plan)
	if err != nil {
		return revdiff.Text{}, nil, err
	}
	base := s.lastLooked(m, ref)
	if base == 0 {
		return revdiff.Text{}, nil, nil
	}
	old := plan.Ref{Plan: ref.Plan, Revision: base, Hash: m.Revisions[base-1].Hash}
	text, err := s.opt.Store.Revision(old)
	if err != nil {
		s.say(tree.Warning, "r%d cannot be compared with r%d: %v. It is shown whole.", ref.Revision, base, err)
		return revdiff.Text{}, nil, nil
	}
	return revdiff.Text{Revision: base, Bytes: text}, s.notesOn(old), nil
}

// batches returns the batches of notes on a revision in this branch, oldest
// first.
func (s *Session) batches(ref plan.Ref) []tree.Annotations {
	var out []tree.Annotations
	for _, e := range s.Items(0) {
		if e.Kind != tree.KindAnnotations {
			continue
		}
		if a, err := tree.Decode[tree.Annotations](e); err == nil && a.Ref == ref {
			out = append(out, a)
		}
	}
	return out
}

// notesOn returns the last batch of notes on a revision.
func (s *Session) notesOn(ref plan.Ref) []plan.Annotation {
	all := s.batches(ref)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1].Items
}

// unsent returns the last batch of notes on a revision if the agent never got
// it: the review was cancelled, kept or broken off after they were written.
func (s *Session) unsent(ref plan.Ref) []plan.Annotation {
	all := s.batches(ref)
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	for _, e := range s.Items(0) {
		switch e.Kind {
		case plan.KindChangesRequested:
			if ev, err := tree.Decode[plan.ChangesRequested](e); err == nil && ev.Review == last.Review {
				return nil
			}
		case plan.KindPlanApproved: // which says what became of them
			if ev, err := tree.Decode[plan.PlanApproved](e); err == nil && ev.Review == last.Review {
				return nil
			}
		}
	}
	return last.Items
}

// saved reads what an interrupted review had saved.
func (s *Session) saved(r plan.OpenReview) revdiff.Result {
	var best revdiff.Result
	text, err := s.opt.Store.Revision(r.Ref)
	if err != nil {
		return best
	}
	old, _, err := s.comparison(r.Ref)
	if err != nil {
		return best
	}
	dirs, err := s.opt.Store.ReviewDirs(r.Ref.Plan, r.ID)
	if err != nil {
		return best
	}
	for _, dir := range dirs {
		found := revdiff.Recover(revdiff.Unended{
			Dir: dir, Review: r.ID, Old: old, New: revdiff.Text{Revision: r.Ref.Revision, Bytes: text}, Labels: s.opt.Config.ReviewerLabels,
		})
		edit, verdict := best.Edit, best.Verdict
		if len(found.Notes) > len(best.Notes) || len(best.Notes) == 0 && len(found.Draft) > len(best.Draft) {
			best = found
		}
		if len(found.Edit) > 0 {
			edit = found.Edit
		}
		if len(found.Verdict) > 0 {
			verdict = found.Verdict
		}
		best.Edit, best.Verdict = edit, verdict
	}
	return best
}

// changes counts the lines that differ, as the reviewer does.
func changes(old, now revdiff.Text) string {
	lines := func(t revdiff.Text) []string { return strings.Split(strings.TrimSuffix(string(t.Bytes), "\n"), "\n") }
	size := compare.Text(lines(old), lines(now)).Size
	out := fmt.Sprintf("r%d → r%d: %s added, %d removed", old.Revision, now.Revision, text.Count(size.Added, "line"), size.Removed)
	if size.Moved > 0 {
		out += fmt.Sprintf(", %d moved", size.Moved)
	}
	return out
}
