package session

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"planmode/plan"
	"planmode/plan/git"
	"planmode/plan/text"
)

// lookTime bounds a look at the work tree that a turn waits for.
const lookTime = time.Second

// freshness is what is known of the work tree that the open work was approved for.
// Somebody may switch the branch or change files whenever no turn runs; what a
// turn changes is the work itself and no reason to warn.
type freshness struct {
	looking sync.Mutex // one look at a time

	// The session's mu guards the rest.
	branch string // that is checked out
	ref    plan.Ref
	told   staleness // what the person is warned of
	rested staleness // what that was when the last turn ended
	left   footing   // what that turn left behind
}

// staleness says how a work tree is another one than a plan was approved for.
type staleness struct {
	head  string // of the commit that is checked out
	apart bool   // which does not even follow from the one then
	files string // of the files that the plan names
}

func (s staleness) lines() []string {
	var out []string
	for _, line := range []string{s.head, s.files} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// footing is what a work tree holds, as far as the open work depends on it.
type footing struct {
	head  string
	named map[string]plan.Hash
}

func (a footing) equal(b footing) bool { return a.head == b.head && maps.Equal(a.named, b.named) }

// Look finds out, in the background, which branch is checked out, and whether the
// work tree is still the one that the open work was approved for. While a turn
// runs it finds only the branch: the turn looks for itself when it ends.
func (s *Session) Look() {
	s.mu.Lock()
	busy := s.job != nil
	s.mu.Unlock()
	s.aside("freshness", func(ctx context.Context) {
		if busy {
			s.lookAtBranch(ctx)
			return
		}
		if !s.fresh.looking.TryLock() {
			return // one that runs finds the same
		}
		defer s.fresh.looking.Unlock()
		s.look(ctx, reachTime, false)
	})
}

func (s *Session) lookAtBranch(ctx context.Context) {
	name, err := s.opt.Repo.Branch(ctx)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.fresh.branch = name
	s.mu.Unlock()
	s.poke()
}

// lookBefore is the look of a turn that begins. The turn waits for it, or what the
// turn changes could not be told from what was changed before.
func (s *Session) lookBefore(ctx context.Context) {
	s.fresh.looking.Lock()
	defer s.fresh.looking.Unlock()
	s.look(ctx, lookTime, false)
}

// lookAfter takes what a turn changed as known, also when it was interrupted.
func (s *Session) lookAfter() {
	s.fresh.looking.Lock()
	defer s.fresh.looking.Unlock()
	s.look(s.background.life, lookTime, true)
}

// look needs looking. A look that fails or takes too long changes nothing.
func (s *Session) look(ctx context.Context, limit time.Duration, after bool) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s.lookAtBranch(ctx)
	defer s.poke()
	w := s.current().OpenWork()
	if w == nil {
		return
	}
	a, ok := s.approvalOf(w.Ref)
	if !ok {
		return
	}
	now := footingOf(ctx, s.opt.Repo, s.opt.Dir, a)
	s.mu.Lock()
	known, told, rested, left := s.fresh.ref == w.Ref, s.fresh.told, s.fresh.rested, s.fresh.left
	s.mu.Unlock()
	switch {
	case known && now.equal(left):
		told = rested
	case !after:
		told = stale(ctx, s.opt.Repo, s.opt.Dir, a)
	case !known: // it was approved in that turn
		told = staleness{}
	case now.head != "" && now.head != left.head: // commits are work, another branch is not
		if told.head, told.apart = moved(ctx, s.opt.Repo, a.Head, now.head); !told.apart {
			told.head = ""
		}
	}
	if after || !known {
		left, rested = now, told
	}
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	s.fresh.ref, s.fresh.told, s.fresh.rested, s.fresh.left = w.Ref, told, rested, left
	s.mu.Unlock()
}

// footingOf looks at what an approval recorded of a work tree.
func footingOf(ctx context.Context, repo git.Repo, dir string, a plan.Decision) footing {
	f := footing{named: map[string]plan.Hash{}}
	if a.Head != "" {
		f.head, _ = repo.Head(ctx) // no repository any more is a footing too
	}
	eachNamed(dir, a.Named, func(n plan.NamedFile, now plan.Hash) { f.named[n.Path] = now })
	return f
}

// AboutPlan says what changed in this work tree since the plan was approved, a
// sentence each. It runs git and reads files.
func (s *Session) AboutPlan(ctx context.Context, m plan.Manifest) []string {
	a := latestApproval(m)
	if a == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	return stale(ctx, s.opt.Repo, s.opt.Dir, *a).lines()
}

// stale compares the work tree with what an approval recorded of it.
func stale(ctx context.Context, repo git.Repo, dir string, a plan.Decision) staleness {
	var out staleness
	if head, err := repo.Head(ctx); err == nil && a.Head != "" {
		out.head, out.apart = moved(ctx, repo, a.Head, head)
	}
	if changed := changedNamed(dir, a.Named); len(changed) > 0 {
		out.files = fmt.Sprintf("%s of %d that the plan names changed since the approval: %s",
			text.Count(len(changed), "file"), len(a.Named), nameSome(changed))
	}
	return out
}

// moved says how HEAD went from one commit to another; apart, if not on the same
// line.
func moved(ctx context.Context, repo git.Repo, from, to string) (line string, apart bool) {
	if from == to {
		return "", false
	}
	on, err := repo.Follows(ctx, from)
	switch {
	case err != nil:
		return fmt.Sprintf("HEAD is %.8s; the plan was approved at %.8s, which is not here", to, from), true
	case on:
		return fmt.Sprintf("HEAD moved on since the approval, %.8s to %.8s", from, to), false
	}
	return fmt.Sprintf("HEAD %.8s lacks %.8s, where the plan was approved", to, from), true
}

// changedNamed are the named files that no longer hold what they held.
func changedNamed(dir string, named []plan.NamedFile) []string {
	var out []string
	eachNamed(dir, named, func(f plan.NamedFile, now plan.Hash) {
		if now != f.Hash {
			out = append(out, text.Line(f.Path))
		}
	})
	slices.Sort(out)
	return out
}

// eachNamed tells what the named files hold now; empty for one that is not there,
// or that is not looked into.
func eachNamed(dir string, named []plan.NamedFile, tell func(f plan.NamedFile, now plan.Hash)) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	for _, f := range named[:min(len(named), maxNamed)] {
		now := plan.Hash("")
		if st, err := root.Lstat(f.Path); err == nil && st.Mode().IsRegular() && st.Size() <= maxNamedBytes {
			now = hashOf(root, f.Path)
		}
		tell(f, now)
	}
}
