package session

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// watchTime bounds one look at the work tree.
const watchTime = 2 * time.Second

// shownChanges bounds how many changed files are named.
const shownChanges = 8

// watch is the work tree as it was when planning began, to tell the person when
// files change while the agent may only read. It names no culprit: an editor or
// another program may have written them.
type watch struct {
	ready chan struct{} // closed when first is there, or failed
	kept  atomic.Bool   // it is kept with an approval, so it must not be broken off
	first tool.Print
	err   error
}

// planningBegan starts what goes with planning: the look at the work tree and,
// the first time, at what the reviewer can do.
func (s *Session) planningBegan() {
	w := &watch{ready: make(chan struct{})}
	s.mu.Lock()
	s.watch = w
	s.mu.Unlock()
	looks := s.aside("fingerprint", func(life context.Context) {
		defer close(w.ready)
		ctx, cancel := context.WithTimeout(context.Background(), watchTime)
		defer cancel()
		defer context.AfterFunc(life, func() {
			if !w.kept.Load() {
				cancel()
			}
		})()
		w.first, w.err = tool.Fingerprint(ctx, s.opt.Dir, s.opt.Private...)
		if w.err != nil && !s.isClosing() {
			s.say(tree.Info, "Files that change while planning will not be noticed: %v.", w.err)
		}
	})
	if !looks {
		w.err = ErrClosed
		close(w.ready)
	}
	s.probeReviewer()
}

func (s *Session) planningEnded() {
	s.mu.Lock()
	s.watch = nil
	s.mu.Unlock()
}

// compareWatch looks again after a turn in planning, in the background.
func (s *Session) compareWatch() {
	s.mu.Lock()
	w := s.watch
	planning := s.state.Mode == plan.ModePlanning
	s.mu.Unlock()
	if w == nil || !planning {
		return
	}
	s.aside("fingerprint", func(ctx context.Context) { s.compare(ctx, w) })
}

func (s *Session) compare(ctx context.Context, w *watch) {
	<-w.ready
	if w.err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, watchTime)
	defer cancel()
	now, err := tool.Fingerprint(ctx, s.opt.Dir, s.opt.Private...)
	if err != nil {
		s.unwatch(w, err)
		return
	}
	changed := w.first.Diff(now)
	s.mu.Lock()
	current := s.watch == w
	if current {
		next := &watch{ready: make(chan struct{}), first: now}
		close(next.ready)
		s.watch = next
	}
	s.mu.Unlock()
	if len(changed) == 0 || !current {
		return
	}
	s.say(tree.Warning, "Files changed while planning: %s", nameSome(changed))
}

// unwatch gives up looking, and says so once.
func (s *Session) unwatch(w *watch, why error) {
	s.mu.Lock()
	current := s.watch == w && !s.closing
	if current {
		s.watch = nil
	}
	s.mu.Unlock()
	if current {
		s.say(tree.Info, "Files that change while planning are no longer noticed: %v.", why)
	}
}

func nameSome(names []string) string {
	if len(names) <= shownChanges {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:shownChanges], ", ") + fmt.Sprintf(" and %d more", len(names)-shownChanges)
}
