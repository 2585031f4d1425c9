// Package modeltest is a model server for tests: it speaks the wires of the
// providers from a script, correctly or with faults. It listens on the loopback
// and is used by tests alone.
package modeltest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Wire is one of the APIs.
type Wire string

// The wires.
const (
	Anthropic Wire = "anthropic"
	Chat      Wire = "chat"
	Responses Wire = "responses"
	Google    Wire = "google"
)

// Wires lists all of them.
var Wires = []Wire{Anthropic, Chat, Responses, Google}

// Call is a tool call. Args is sent as it is, whatever it holds.
type Call struct{ ID, Name, Args string }

// Reply is one answer of the server.
type Reply struct {
	Reasoning string
	Text      string
	Calls     []Call
	Finish    string // the reason it ends, in the words of the wire; empty: the proper one; "none": none is sent
	Piece     int    // bytes of text and arguments in one event; 0 means 16

	Status int         // other than 200: the answer is an error with Text as its message
	Header http.Header // added to the head
	Fault  string      // the type of an error event sent in place of the end
	Raw    string      // sent in place of all events
	Cut    int         // bytes of the stream to send before the connection breaks; 0: all
	Pause  time.Duration
	Stall  bool // after what is sent, nothing more comes and the connection stays
	Mute   bool // no head is sent either
}

// Request is what the server was asked.
type Request struct {
	Path   string
	Header http.Header
	Body   map[string]any
	Raw    string
}

// Server answers with its replies in their order; past the end it says "done".
type Server struct {
	URL string

	server *httptest.Server
	mu     sync.Mutex
	next   func(n int, r Request) Reply
	asked  []Request
	closed chan struct{}
}

// New starts a server with a fixed script.
func New(replies ...Reply) *Server {
	return NewFunc(func(n int, _ Request) Reply {
		if n < len(replies) {
			return replies[n]
		}
		return Reply{Text: "done"}
	})
}

// NewFunc starts a server that decides each reply; n counts requests from 0.
func NewFunc(next func(n int, r Request) Reply) *Server {
	s := &Server{next: next, closed: make(chan struct{})}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.server.URL
	return s
}

// Close stops the server, also what stalls.
func (s *Server) Close() {
	close(s.closed)
	s.server.CloseClientConnections()
	s.server.Close()
}

// Requests returns what was asked so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.asked...)
}

// wireOf tells the wire by the path.
func wireOf(path string) Wire {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return Anthropic
	case strings.HasSuffix(path, "/responses"):
		return Responses
	case strings.HasSuffix(path, ":streamGenerateContent"):
		return Google
	}
	return Chat
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	req := Request{Path: r.URL.Path, Header: r.Header.Clone(), Raw: string(raw)}
	if json.Unmarshal(raw, &req.Body) != nil {
		req.Body = nil
	}
	s.mu.Lock()
	reply := s.next(len(s.asked), req)
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	s.answer(w, r, reply)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, reply Reply) {
	if reply.Mute {
		s.hold(r)
		return
	}
	for name, values := range reply.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	wire := wireOf(r.URL.Path)
	if reply.Status != 0 && reply.Status != http.StatusOK {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(reply.Status)
		_, _ = io.WriteString(w, failureBody(wire, reply))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	s.send(w, r, Stream(wire, reply), reply)
}

// send writes the stream, event by event when it is paced, and breaks where the
// reply says.
func (s *Server) send(w http.ResponseWriter, r *http.Request, stream string, reply Reply) {
	broken := reply.Cut > 0 && reply.Cut < len(stream)
	if broken {
		stream = stream[:reply.Cut]
	}
	flush := http.NewResponseController(w)
	for len(stream) > 0 {
		n := len(stream)
		if i := strings.Index(stream, "\n\n"); reply.Pause > 0 && i >= 0 {
			n = i + 2
		}
		if _, err := io.WriteString(w, stream[:n]); err != nil {
			return
		}
		_ = flush.Flush()
		if stream = stream[n:]; reply.Pause > 0 && !s.sleep(r, reply.Pause) {
			return
		}
	}
	if reply.Stall {
		s.hold(r)
	}
	if broken {
		panic(http.ErrAbortHandler) // closes the connection without the end of the body
	}
}

func (s *Server) sleep(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.closed:
	}
	return false
}

func (s *Server) hold(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.closed:
	}
}

func failureBody(wire Wire, reply Reply) string {
	switch wire {
	case Anthropic:
		return encode(object{"type": "error", "error": object{"type": "some_error", "message": reply.Text}})
	case Google:
		return encode(object{"error": object{"code": reply.Status, "message": reply.Text, "status": "SOME"}})
	}
	return encode(object{"error": object{"message": reply.Text, "type": "some_error", "code": "some_code"}})
}
