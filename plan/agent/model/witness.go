package model

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"
)

// maxLine bounds one line of a stream: the largest arguments that a tool takes,
// escaped twice, still fit.
const maxLine = 96 << 20

// call is a tool call as the wire carried it.
type call struct {
	id, name string
	args     []byte
}

// evidence is what the wire itself said of one answer.
type evidence struct {
	finish  string // the reason it ended, in the words of the wire; empty: it did not
	calls   []call
	damaged string // why no call of it can be trusted; empty if nothing is wrong
	usage   usage
	sealed  []json.RawMessage // reasoning to pass back
}

// reader takes the events of one wire.
type reader interface {
	// event takes the data of one event.
	event(data []byte)
	evidence() evidence
}

// witness reads what a provider sends, beside the library. The transport feeds
// it from one goroutine while another may ask how long it has been silent.
type witness struct {
	mu      sync.Mutex
	read    reader // nil: a wire that is not made of text
	line    []byte
	data    []byte
	heard   time.Time
	now     func() time.Time
	status  int
	wait    string // the Retry-After header
	tooLong bool
	broken  bool
	sealed  sealed // goes into the request
}

// witnessKey is the context key by which a request carries its witness.
type witnessKey struct{}

func withWitness(ctx context.Context, w *witness) context.Context {
	return context.WithValue(ctx, witnessKey{}, w)
}

func newWitness(read reader, now func() time.Time) *witness {
	return &witness{read: read, now: now, heard: now()}
}

// answered notes the head of the response.
func (w *witness) answered(resp *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard, w.status = w.now(), resp.StatusCode
	w.wait = resp.Header.Get("Retry-After")
	if ms := resp.Header.Get("Retry-After-Ms"); ms != "" {
		w.wait = ms + "ms"
	}
}

// head is the status and the wait that the response named.
func (w *witness) head() (status int, wait string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status, w.wait
}

// silence is how long nothing came.
func (w *witness) silence() (d time.Duration, begun bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now().Sub(w.heard), w.status != 0
}

// feed takes bytes in the order of the wire.
func (w *witness) feed(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard = w.now()
	if w.read == nil || w.tooLong {
		return
	}
	for {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			break
		}
		w.line = append(w.line, p[:end]...)
		p = p[end+1:]
		w.endLine()
	}
	w.line = append(w.line, p...)
	if len(w.line)+len(w.data) > maxLine {
		w.tooLong, w.line, w.data = true, nil, nil
	}
}

// endLine takes one line of the event stream format.
func (w *witness) endLine() {
	line := bytes.TrimSuffix(w.line, []byte("\r"))
	defer func() { w.line = w.line[:0] }()
	if len(line) == 0 {
		w.endEvent()
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	if string(name) != "data" {
		return
	}
	if len(w.data) > 0 {
		w.data = append(w.data, '\n')
	}
	w.data = append(w.data, bytes.TrimPrefix(value, []byte(" "))...)
}

func (w *witness) endEvent() {
	if len(w.data) > 0 && !bytes.HasPrefix(w.data, []byte("[DONE]")) {
		w.read.event(w.data)
	}
	w.data = w.data[:0]
}

// ended takes what stands without a line end: the last event of a stream that
// closed behind it. A cut inside it is no JSON, and says nothing.
func (w *witness) ended() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.read == nil || w.tooLong {
		return
	}
	if len(w.line) > 0 {
		w.endLine()
	}
	w.endEvent()
}

// breaks notes that the body could not be read to its end. Not every library
// says so.
func (w *witness) breaks() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = true
}

func (w *witness) isBroken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

// testify returns the evidence; false on a wire that this witness cannot read.
func (w *witness) testify() (evidence, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.read == nil {
		return evidence{}, false
	}
	e := w.read.evidence()
	if w.tooLong {
		e.damaged = "a line of the answer is too long"
	}
	return e, true
}

// tee is a response body that a witness sees.
type tee struct {
	io.ReadCloser
	w *witness
}

// Read implements io.Reader.
func (t tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if n > 0 {
		t.w.feed(p[:n])
	}
	switch err {
	case nil:
	case io.EOF:
		t.w.ended()
	default:
		t.w.breaks()
	}
	return n, err
}
