package github

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"planmode/plan/pull"
)

func TestAWriteIsSentOnceAndSaysWhatIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   Outcome
	}{
		"a review that was made":        {200, `{"id":7,"html_url":"https://github.com/o/r/pull/1#x"}`, Posted},
		"a success that cannot be read": {200, `{"id":`, Uncertain},
		"a success without an id":       {200, `{}`, Uncertain},
		"a line outside of the diff":    {422, `{"message":"Line could not be resolved"}`, Rejected},
		"a redirect":                    {307, ``, Rejected},
		"a gateway that gave up":        {502, ``, Uncertain},
		"a limit":                       {429, ``, Uncertain},
		"a timeout of the server":       {408, ``, Uncertain},
		"a connection that broke":       {0, ``, Uncertain},
	} {
		t.Run(name, func(t *testing.T) {
			a := pull.Approval{Owner: "o", Repo: "r", Number: 1, Event: "COMMENT", Body: "Fine.\n", HeadSHA: strings.Repeat("2", 40)}
			var sent atomic.Int32 // the aborted handler may outlive the answer
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent.Add(1)
				got, _ := io.ReadAll(r.Body)
				if string(got) != string(pull.ReviewBody(a)) || r.Header.Get("Idempotency-Key") != "" {
					t.Errorf("sent %s", got)
				}
				if c.status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			}))
			defer s.Close()
			client, err := New(s.URL, "tok-secret")
			if err != nil {
				t.Fatal(err)
			}
			got := client.PostReview(context.Background(), a)
			if got.Outcome != c.want || sent.Load() != 1 || strings.Contains(got.Why, "tok-secret") {
				t.Errorf("got %+v after %d requests, want %s after one", got, sent.Load(), c.want)
			}
		})
	}
}

func TestOnlyGitHubAndThisMachineAreSpokenTo(t *testing.T) {
	for api, ok := range map[string]bool{
		"": true, DefaultAPI: true, "http://127.0.0.1:80": true, "http://[::1]:80": true,
		"https://example.com": false, "http://api.github.com": false, "http://10.0.0.1": false, "http://u:p@127.0.0.1": false,
	} {
		if _, err := New(api, "t"); (err == nil) != ok {
			t.Errorf("%q: %v", api, err)
		}
	}
}
