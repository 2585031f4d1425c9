package waiter

import (
	"context"
	"net"
	"sync"
	"sync/atomic"

	"planmode/plan"
	"planmode/plan/process"
)

// Info is what a list shows of a gate that waits.
type Info struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Path     string    `json:"path,omitempty"`
	Asker    string    `json:"asker"`
	Cwd      string    `json:"cwd"`
	Since    plan.Time `json:"since"`
	Surfaces int       `json:"surfaces"` // where it is shown now
	Wants    bool      `json:"wants"`    // it waits for anybody to show it
}

// event is what happens to a gate. A surface that answers waits for told.
type event struct {
	kind   eventKind
	answer Answer
	err    error
	told   chan bool
	sent   chan struct{} // closed once the surface was told
}

type eventKind int

const (
	entered eventKind = iota
	left
	answered
	failed // of the surface on this terminal: it could not show the text
	opened // the program that opens a surface has ended
)

// server lets surfaces in.
type server struct {
	listener *socket
	job      Job
	since    plan.Time
	events   chan event
	over     context.Context
	shown    atomic.Int32
	wants    atomic.Bool
	mu       sync.Mutex
	conns    map[net.Conn]bool
}

func (s *server) serve() {
	for {
		c, err := s.listener.AcceptUnix()
		if err != nil {
			return
		}
		if !trusted(c) || !s.hold(c) {
			_ = c.Close()
			continue
		}
		process.Go("talk to a surface of a gate", func() { s.talk(c) })
	}
}

// hold remembers a connection; false when the gate is over, or has too many.
func (s *server) hold(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil || len(s.conns) > 64 {
		return false
	}
	s.conns[c] = true
	return true
}

func (s *server) drop(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	_ = c.Close()
}

func (s *server) close() {
	_ = s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
}

// put hands an event to the gate; false when it is over.
func (s *server) put(e event) bool {
	select {
	case s.events <- e:
		return true
	case <-s.over.Done():
		return false
	}
}

// talk serves one connection. One that attached is a surface until it closes.
func (s *server) talk(c net.Conn) {
	defer s.drop(c)
	in := &lines{from: c}
	m, err := in.next()
	switch {
	case err != nil:
	case m.Do == "list":
		_ = send(c, message{Do: "info", Info: s.info()})
	case m.Do == "attach":
		if !s.put(event{kind: entered}) {
			return
		}
		defer s.put(event{kind: left})
		if send(c, message{Do: "job", Job: &s.job}) == nil {
			s.answers(c, in)
		}
	}
}

// answers takes what an attached surface says until the gate has taken an answer.
func (s *server) answers(c net.Conn, in *lines) {
	for {
		m, err := in.next()
		if err != nil || m.Do != "answer" || m.Answer == nil {
			return
		}
		if reason := s.job.refuses(*m.Answer); reason != "" {
			_ = send(c, message{Do: "refused", Text: reason})
			continue
		}
		told := make(chan bool, 1)
		sent := make(chan struct{})
		if !s.put(event{kind: answered, answer: *m.Answer, told: told, sent: sent}) {
			_ = send(c, message{Do: "refused", Text: decidedText})
			return
		}
		<-told
		_ = send(c, message{Do: "taken"})
		close(sent)
		return
	}
}

const decidedText = "this review was decided already, or nobody waits for it any more; your answer was not used"

// refuses says why an answer cannot be one to this job; empty when it can.
func (j Job) refuses(a Answer) string {
	switch {
	case a.Outcome.Approved && a.Outcome.Exit:
		return "an answer cannot approve and close"
	case a.Outcome.Approved && !j.Format.CanApprove():
		return "this review asks for no approval"
	case a.Text.Key() != j.Text.Key():
		return "the answer is about another text"
	}
	return ""
}

func (s *server) info() *Info {
	j := s.job
	return &Info{
		ID: j.ID, Name: j.Text.Name, Path: j.Text.Path, Asker: j.Asker, Cwd: j.Cwd, Since: s.since,
		Surfaces: int(s.shown.Load()), Wants: s.wants.Load(),
	}
}
