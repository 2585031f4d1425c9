package mcp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan/process"
)

func TestAListThatChangesIsAskedForAgain(t *testing.T) {
	server := testServer()
	asked := 0
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if method == "tools/list" {
				asked++
			}
			return next(ctx, method, r)
		}
	})
	ours, theirs := sdk.NewInMemoryTransports()
	go func() { _ = server.Run(t.Context(), theirs) }()
	p := newPeer(t.Context(), "rig", Server{})
	s := Start(Options{})
	session, err := s.client(p).Connect(t.Context(), ours, nil)
	if err != nil || !p.take(session) {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	for i := range 500 { // one by one, as a server that wants to keep us busy would
		server.AddTool(&sdk.Tool{Name: fmt.Sprintf("extra%d", i), InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return nil, nil })
	}
	done := make(chan struct{})
	go func() { defer close(done); p.relist() }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !slices.ContainsFunc(p.status().Tools, func(name string) bool { return strings.HasPrefix(name, "mcp__rig__extra") }) {
		<-tick.C
	}
	p.close()
	<-done
	if asked > 10 {
		t.Errorf("it was asked %d times", asked)
	}
}

func TestOnlyTheFirstOfManyIgnoredToolsAreNamed(t *testing.T) {
	var found []*sdk.Tool
	for i := range 5_000 {
		found = append(found, &sdk.Tool{Name: fmt.Sprint(i) + strings.Repeat("长", 1000), InputSchema: map[string]any{"type": "object"}})
	}
	tools, ignored := (&peer{name: "p"}).offer(found)
	if len(tools) != maxTools || len(ignored) != maxIgnored+1 || ignored[maxIgnored] != fmt.Sprintf("and %d more", 5_000-maxTools-maxIgnored) {
		t.Fatalf("%d tools, ignored %q", len(tools), ignored)
	}
	if n := len(ignored[0]); n > 4*maxName {
		t.Errorf("a name takes %d bytes", n)
	}
}

func TestAnAnswerWithoutEndIsGivenUp(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Header.Get("Accept"))
		chunk := make([]byte, 1<<20)
		for range 2 * maxMessage / len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: &requests{nil, http.DefaultTransport}}
	for kind, bounded := range map[string]bool{"application/json": true, "text/plain": true, "text/event-stream": false} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", kind)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if (err != nil) != bounded || bounded && n > maxMessage+1 {
			t.Errorf("%s: %d bytes, %v", kind, n, err)
		}
	}
}

func TestAServerThatIsClosedWhileItStartsLeavesNoChild(t *testing.T) {
	p := newPeer(t.Context(), "rig", stdio(t, "run"))
	p.close()
	s := Start(Options{})
	defer s.Close()
	if tr, err := s.transport(p); err == nil || p.child != nil {
		t.Errorf("transport %v, child %v", tr, p.child)
	}
	child, err := process.Serve(process.Command{Path: self(t), Env: []string{serverEnv + "=run"}})
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	if p.adopt(child) {
		t.Error("a closed peer took a child")
	}
}

func TestNothingStartsOnceAllAreClosed(t *testing.T) {
	s := start(t, Options{Servers: map[string]Server{"rig": stdio(t, "mute")}})
	s.Close()
	if err := s.Restart("rig"); err != nil {
		t.Fatal(err)
	}
	if got := s.Starting(); len(got) != 0 {
		t.Errorf("%q start", got)
	}
}
