package mcp

import (
	"fmt"
	"net/http"
)

// headers adds the person's headers to each request.
type headers struct {
	add  map[string]string
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (h *headers) RoundTrip(r *http.Request) (*http.Response, error) {
	if len(h.add) > 0 {
		r = r.Clone(r.Context())
		for name, value := range h.add {
			r.Header.Set(name, value)
		}
	}
	return h.next.RoundTrip(r)
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
