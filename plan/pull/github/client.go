// Package github sends requests to the REST interface of github.com for one review.
//
// A write is sent once: it is never retried, never follows a redirect and goes over a
// connection of its own. The token goes to the host of the interface only and is in no
// error. An answer to a write that may have taken effect is Uncertain, never a failure.
package github

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"planmode/plan/pull"
)

// DefaultAPI is the interface of github.com.
const DefaultAPI = "https://api.github.com"

const (
	maxReply = 64 << 20
	patience = 60 * time.Second
)

// Outcome is what is known of a write.
type Outcome string

// The outcomes. Rejected means that nothing was made.
const (
	Posted    Outcome = "posted"
	Rejected  Outcome = "rejected"
	Uncertain Outcome = "uncertain"
)

// Receipt is what came back for a write.
type Receipt struct {
	Outcome   Outcome
	Status    int // 0 if there was no answer
	RequestID string
	ID        int64
	URL       string
	Why       string // unless posted; not cleaned for a screen
}

// Client speaks as one token.
type Client struct {
	api   string
	token string
	http  *http.Client
}

// New makes a client. Another interface than that of github.com has to be on this
// machine; an empty token reads what is public.
func New(api, token string) (*Client, error) {
	if api == "" {
		api = DefaultAPI
	}
	api = strings.TrimRight(api, "/")
	u, err := url.Parse(api)
	if err != nil || u.User != nil || api != DefaultAPI && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return nil, errors.New("the interface of GitHub is " + DefaultAPI + ", or http on this machine")
	}
	return &Client{api: api, token: token, http: &http.Client{
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{ // HTTP/1.1 only: what HTTP/2 may send again by itself is not ours to say
			DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 20,
			TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
		},
	}}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// PostReview posts exactly the bytes that the approval covers.
func (c *Client) PostReview(ctx context.Context, a pull.Approval) Receipt {
	path := fmt.Sprintf("/repos/%s/%s/pulls/%d/reviews", a.Owner, a.Repo, a.Number)
	return c.post(ctx, path, pull.ReviewBody(a), http.StatusOK)
}

// PostReply posts one answer in a discussion that is there.
func (c *Client) PostReply(ctx context.Context, a pull.Approval, r pull.PostReply) Receipt {
	path := fmt.Sprintf("/repos/%s/%s/pulls/%d/comments/%d/replies", a.Owner, a.Repo, a.Number, r.RootID)
	return c.post(ctx, path, pull.ReplyBody(r), http.StatusCreated)
}

func (c *Client) post(ctx context.Context, path string, body []byte, want int) Receipt {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.api+path, bytes.NewReader(body))
	if err != nil {
		return Receipt{Outcome: Rejected, Why: "the request cannot be made"}
	}
	req.GetBody = nil // nothing may send it a second time
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	req.Header.Set("User-Agent", "planmode")
	req.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return Receipt{Outcome: Uncertain, Why: "there was no answer: " + err.Error()}
	}
	defer res.Body.Close()
	r := Receipt{Outcome: Uncertain, Status: res.StatusCode, RequestID: res.Header.Get("X-GitHub-Request-Id")}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	var made struct {
		ID  int64  `json:"id"`
		URL string `json:"html_url"`
	}
	switch s := res.StatusCode; {
	case s >= 300 && s < 500 && s != http.StatusRequestTimeout && s != http.StatusTooManyRequests:
		r.Outcome, r.Why = Rejected, fmt.Sprintf("status %d: %.500s", s, data)
	case s != want:
		r.Why = fmt.Sprintf("status %d: %.500s", s, data)
	case err != nil || json.Unmarshal(data, &made) != nil || made.ID <= 0:
		r.Why = "the answer cannot be read"
	default:
		r.Outcome, r.ID, r.URL = Posted, made.ID, made.URL
	}
	return r
}
