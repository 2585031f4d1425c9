package process

import "sync"

// sink keeps the head and the tail of what is written to it, in at most limit
// bytes, and passes everything on as it comes.
type sink struct {
	mu     sync.Mutex
	limit  int
	each   func([]byte)
	head   []byte
	ring   []byte // the tail, once the head is full
	next   int    // where the ring continues
	total  int
	closed bool
}

func newSink(limit int, each func([]byte)) *sink { return &sink{limit: limit, each: each} }

// Write never fails before shut, so that a child is never stopped by a full
// buffer of ours. The observer is called under the lock: after shut returns it
// is never called again.
func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, errShut
	}
	if s.each != nil {
		s.each(p)
	}
	s.total += len(p)
	rest := p
	if room := s.limit - s.limit/2 - len(s.head); room > 0 {
		n := min(room, len(rest))
		s.head = append(s.head, rest[:n]...)
		rest = rest[n:]
	}
	s.tail(rest)
	return len(p), nil
}

func (s *sink) tail(p []byte) {
	size := s.limit / 2
	if len(p) > size {
		p = p[len(p)-size:]
	}
	if room := size - len(s.ring); room > 0 && s.next == 0 {
		n := min(room, len(p))
		s.ring = append(s.ring, p[:n]...)
		p = p[n:]
	}
	for len(p) > 0 {
		n := copy(s.ring[s.next:], p)
		p = p[n:]
		s.next = (s.next + n) % len(s.ring)
	}
}

// kept returns all that was written, or, when that is more than the limit, its
// head, its tail and how many bytes are missing between them.
func (s *sink) kept() (head, tail []byte, cut int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tail = append(tail, s.ring[s.next:]...)
	tail = append(tail, s.ring[:s.next]...)
	head = append(head, s.head...)
	if cut = s.total - len(head) - len(tail); cut == 0 {
		return append(head, tail...), nil, 0
	}
	return head, tail, cut
}

func (s *sink) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

type shutError struct{}

func (shutError) Error() string { return "output is no longer read" }

var errShut = shutError{}
