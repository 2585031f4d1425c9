package mcp

import (
	"fmt"
	"io"
	"mime"
	"net/http"
)

// requests adds the person's headers to each request and bounds what comes back.
type requests struct {
	add  map[string]string
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (h *requests) RoundTrip(r *http.Request) (*http.Response, error) {
	if len(h.add) > 0 {
		r = r.Clone(r.Context())
		for name, value := range h.add {
			r.Header.Set(name, value)
		}
	}
	res, err := h.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind != "text/event-stream" {
		res.Body = &message{ReadCloser: res.Body, left: maxMessage}
	}
	return res, nil
}

// message is the body of an answer that is read as a whole.
type message struct {
	io.ReadCloser
	left int
}

func (m *message) Read(p []byte) (int, error) {
	if m.left < 0 {
		return 0, fmt.Errorf("the answer is larger than %d MiB", maxMessage>>20)
	}
	n, err := m.ReadCloser.Read(p[:min(len(p), m.left+1)])
	m.left -= n
	return n, err
}

// stay follows redirects within the same origin only: the headers may hold a key,
// and they go with every request.
func stay(r *http.Request, via []*http.Request) error {
	first := via[0].URL
	if r.URL.Scheme != first.Scheme || r.URL.Host != first.Host {
		return fmt.Errorf("it redirects to another server, %s", r.URL.Host)
	}
	if len(via) >= 5 {
		return fmt.Errorf("it redirects more than 5 times")
	}
	return nil
}
