package session

import (
	"context"
	"sync"

	"planmode/plan/process"
)

// background is what a session does that nobody asked for and no turn waits for:
// looks at the work tree and at the reviewer. Close ends it and waits for all of
// it, so that nothing of a session runs on after its log and its store are closed.
type background struct {
	running sync.WaitGroup
	life    context.Context // ends when Close begins
	end     context.CancelFunc
}

func (b *background) begin() { b.life, b.end = context.WithCancel(context.Background()) }

// spawn starts a goroutine of the session's own that belongs to what runs, which
// Close stops before it waits.
func (s *Session) spawn(name string, f func()) {
	s.background.running.Add(1)
	process.Go("session: "+name, func() {
		defer s.background.running.Done()
		f()
	})
}

// aside starts a goroutine that nothing waits for but Close, with a context that
// ends then. It reports false, and starts nothing, when the session is closing.
func (s *Session) aside(name string, f func(context.Context)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing { // or Close could miss it
		return false
	}
	s.spawn(name, func() { f(s.background.life) })
	return true
}
