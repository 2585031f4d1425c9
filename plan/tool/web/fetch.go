// Package web reads a page of the world wide web as text.
//
// What is read is bounded in time, bytes and redirects, and comes from public
// addresses only: each address is judged when it is dialled, after its name was
// resolved, so that neither a redirect nor a name that resolves to something else
// the second time leads into the person's own network. No proxy is used, for
// behind one no address could be judged; nothing of the person goes along: no
// cookies, no credentials, no referrer. Text is cleaned of what a screen or a
// reader would not see. Every failure says in one sentence what was wrong.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// The bounds of one page.
const (
	Timeout      = 20 * time.Second
	maxDownload  = 10 << 20
	maxText      = 200 << 10
	maxRedirects = 10
	maxURL       = 2048
)

// Options are what may differ between those who read pages.
type Options struct {
	// Private allows addresses that are not public: loopback, the local network.
	Private bool
	// Follow says whether a redirect to another host is followed; nil follows all.
	Follow func(host string) bool
	// Trust replaces the certificates that servers are judged by; nil means those of
	// the system.
	Trust *tls.Config
}

// Page is a page as text.
type Page struct {
	URL   string // after redirects
	Title string // one line; may be empty
	Text  string // Markdown, if the page was HTML
	Cut   bool   // there was more text
}

// RedirectError is a redirect that was not followed.
type RedirectError struct{ To string }

// Error says where it leads.
func (e *RedirectError) Error() string { return "it redirects to another host: " + e.To }

// ErrPrivate reports an address that is not a public one.
var ErrPrivate = errors.New("it is not a public address")

// Parse checks an address: http or https, with a host, and without credentials.
func Parse(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, fmt.Errorf("the address is longer than %d characters", maxURL)
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, errors.New("the address cannot be read")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("only addresses that begin with http:// or https:// can be read")
	case u.Hostname() == "" || u.Opaque != "":
		return nil, errors.New("the address has no host")
	case u.User != nil:
		return nil, errors.New("an address with a user name or a password is not read")
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// Fetch reads the page at an address.
func Fetch(ctx context.Context, o Options, raw string) (Page, error) {
	u, err := Parse(raw)
	if err != nil {
		return Page{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Page{}, errors.New("the address cannot be read")
	}
	req.Header.Set("User-Agent", "planmode (reads one page for a person)")
	req.Header.Set("Accept", "text/html, text/markdown, text/plain;q=0.9, application/json;q=0.8")
	client := o.client()
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		return Page{}, explain(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return Page{}, fmt.Errorf("the server answered %d %s", res.StatusCode, http.StatusText(res.StatusCode))
	}
	return read(ctx, res)
}

// read takes the text out of an answer.
func read(ctx context.Context, res *http.Response) (Page, error) {
	kind, err := mediaType(res.Header.Get("Content-Type"))
	if err != nil {
		return Page{}, err
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxDownload+1))
	if err != nil {
		return Page{}, explain(ctx, err)
	}
	if len(body) > maxDownload {
		return Page{}, fmt.Errorf("the page is larger than %d MB", maxDownload>>20)
	}
	return render(ctx, kind, res.Header.Get("Content-Type"), body, res.Request.URL)
}

// mediaType is the kind of an answer, if it is one that can be read.
func mediaType(header string) (string, error) {
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		return "", errors.New("the server does not say what the page is")
	}
	switch {
	case kind == "text/html", kind == "application/xhtml+xml":
		return "html", nil
	case kind == "text/plain", kind == "text/markdown", kind == "text/x-markdown", kind == "application/json", strings.HasSuffix(kind, "+json"):
		return "text", nil
	}
	return "", fmt.Errorf("the page is %.80q, and only HTML, plain text, Markdown and JSON can be read", kind)
}

func (o Options) client() *http.Client {
	dialer := &net.Dialer{Timeout: Timeout}
	if !o.Private {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return public(address) }
	}
	return &http.Client{
		CheckRedirect: o.redirect,
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer.DialContext, TLSClientConfig: o.Trust, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: 64 << 10, TLSHandshakeTimeout: Timeout,
		},
	}
}

func (o Options) redirect(req *http.Request, via []*http.Request) error {
	req.Header.Del("Referer")
	if len(via) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if _, err := Parse(req.URL.String()); err != nil {
		return fmt.Errorf("a redirect was not followed: %w", err)
	}
	if via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return errors.New("a redirect from https to http was not followed")
	}
	if o.Follow != nil && !strings.EqualFold(req.URL.Host, via[0].URL.Host) && !o.Follow(req.URL.Host) {
		return &RedirectError{To: req.URL.String()}
	}
	return nil
}

// explain makes one sentence of what went wrong.
func explain(ctx context.Context, err error) error {
	var dns *net.DNSError
	var refusal *RedirectError
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.Is(err, ErrPrivate):
		return fmt.Errorf("the page is not read: %w", ErrPrivate)
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("no answer within %v", Timeout)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &dns):
		return fmt.Errorf("the host %s was not found", dns.Name)
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("the page could not be fetched: %w", err)
}
