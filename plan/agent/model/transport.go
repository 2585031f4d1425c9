package model

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// keyHeaders are the headers by which keys travel. The provider libraries fill
// some of them from the environment, for whatever server they talk to; here they
// are taken out, and only the key that belongs to the server goes in again.
var keyHeaders = []string{
	"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "X-Goog-User-Project",
	"Openai-Organization", "Openai-Project",
}

// transport sends the requests of one model: with its key and no other, to its
// host and no other, and seen by a witness.
type transport struct {
	base   http.RoundTripper
	host   string // with port as in the address; empty leaves requests as they are
	header string // the header of the key
	value  string // what stands in it; empty sends none
	keep   bool   // the headers are signed, so they stay as they are
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if t.host != "" && !strings.EqualFold(req.URL.Host, t.host) {
		return nil, fmt.Errorf("send a request: it is for %q and not for the provider's host", req.URL.Host)
	}
	if !t.keep {
		for _, h := range keyHeaders {
			req.Header.Del(h)
		}
		if t.value != "" {
			req.Header.Set(t.header, t.value)
		}
	}
	w, seen := req.Context().Value(witnessKey{}).(*witness)
	if seen && len(w.sealed) > 0 {
		if err := w.sealed.replace(req); err != nil {
			return nil, err
		}
	}
	resp, err := t.base.RoundTrip(req)
	if seen && err == nil {
		w.answered(resp)
		resp.Body = tee{resp.Body, w}
	}
	return resp, err
}

// newBase makes the transport that all models share.
func newBase() *http.Transport {
	dialer := &net.Dialer{Timeout: 20 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        8,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 20 * time.Second,
	}
}

// client is an HTTP client over t. It follows no redirect: a key would go with
// it.
func (t *transport) client() *http.Client {
	return &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
