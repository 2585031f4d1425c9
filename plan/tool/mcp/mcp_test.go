package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan/tool"
)

// serverEnv makes the test binary play an MCP server on its standard streams.
const serverEnv = "PLANMODE_TEST_MCP"

func TestMain(m *testing.M) {
	switch os.Getenv(serverEnv) {
	case "":
		os.Exit(m.Run())
	case "mute":
		fmt.Fprintln(os.Stderr, "cannot find the database")
		os.Exit(3)
	default:
		if err := testServer().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

type echoArgs struct {
	Text string `json:"text"`
}

func testServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "rig", Version: "1.2"}, nil)
	yes := true
	sdk.AddTool(s, &sdk.Tool{Name: "echo", Description: "Says it again.", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(ctx context.Context, r *sdk.CallToolRequest, a echoArgs) (*sdk.CallToolResult, any, error) {
			if token := r.Params.GetProgressToken(); token != nil {
				err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 2, Message: "half way"})
				if err != nil {
					return nil, nil, err
				}
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "you said " + a.Text}}}, nil, nil
		})
	sdk.AddTool(s, &sdk.Tool{Name: "wipe", Annotations: &sdk.ToolAnnotations{DestructiveHint: &yes}},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return nil, nil, fmt.Errorf("nothing to wipe")
		})
	sdk.AddTool(s, &sdk.Tool{Name: "env"},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: strings.Join(os.Environ(), "\n")}}}, nil, nil
		})
	sdk.AddTool(s, &sdk.Tool{Name: "hang"},
		func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			<-ctx.Done()
			return nil, nil, ctx.Err()
		})
	return s
}

func start(t *testing.T, o Options) *Servers {
	t.Helper()
	s := Start(o)
	t.Cleanup(s.Close)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	s.Wait(ctx)
	return s
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func stdio(t *testing.T, mode string) Server {
	return Server{Command: []string{self(t)}, Env: map[string]string{serverEnv: mode}}
}

func find(t *testing.T, s *Servers, name string) tool.Previewer {
	t.Helper()
	for _, x := range s.Tools() {
		if x.Spec().Name == name {
			return x.(tool.Previewer)
		}
	}
	t.Fatalf("there is no tool %s in %+v", name, s.Status())
	return nil
}

func call(ctx context.Context, t tool.Tool, args string) (tool.Result, string) {
	var progress strings.Builder
	r := t.Run(ctx, tool.Call{ID: "1", Name: t.Spec().Name, Args: json.RawMessage(args)}, func(s string) { progress.WriteString(s) })
	return r, progress.String()
}

func TestAServerOverItsStandardStreamsOffersItsTools(t *testing.T) {
	s := start(t, Options{
		Servers: map[string]Server{"rig": stdio(t, "run")}, Dir: t.TempDir(),
		Env: []string{"PATH=" + os.Getenv("PATH"), "ANTHROPIC_API_KEY=secret", "MY_KEY=hidden"}, Secrets: []string{"MY_KEY"},
	})
	r, progress := call(t.Context(), find(t, s, "mcp__rig__echo"), `{"text":"hello"}`)
	if r.Error || r.Text != "you said hello" || r.CallID != "1" {
		t.Errorf("echo answered %+v", r)
	}
	if progress != "" && progress != "1 of 2 half way\n" { // a notification may come after the answer
		t.Errorf("the progress was %q", progress)
	}
	if r, _ := call(t.Context(), find(t, s, "mcp__rig__wipe"), `{}`); !r.Error || !strings.Contains(r.Text, "nothing to wipe") {
		t.Errorf("a tool that fails answered %+v", r)
	}
	if r, _ := call(t.Context(), find(t, s, "mcp__rig__echo"), `{"other":1}`); !r.Error {
		t.Errorf("bad arguments were taken: %+v", r)
	}
	r, _ = call(t.Context(), find(t, s, "mcp__rig__env"), `{}`)
	if strings.Contains(r.Text, "secret") || strings.Contains(r.Text, "hidden") {
		t.Error("a key reached the server")
	}
}

func TestWhatAServerSaysOfItselfIsOnlyAHint(t *testing.T) {
	s := start(t, Options{Servers: map[string]Server{"rig": stdio(t, "run")}})
	for _, x := range s.Tools() {
		if spec := x.Spec(); spec.Effect != tool.Executes || spec.Server != "rig" {
			t.Errorf("%s has the effect %v of the server %q", spec.Name, spec.Effect, spec.Server)
		}
	}
	p, err := find(t, s, "mcp__rig__echo").Preview(t.Context(), tool.Call{Args: json.RawMessage(`{"text":"x"}`)})
	if err != nil || !strings.Contains(p.Danger, "cannot check") || !strings.Contains(p.Body, `"text": "x"`) || p.Scope != "mcp:mcp__rig__echo" {
		t.Errorf("the preview is %+v, %v", p, err)
	}
}

func TestAServerThatCannotStartSaysWhyAndCostsNothingElse(t *testing.T) {
	s := start(t, Options{Servers: map[string]Server{
		"rig": stdio(t, "run"), "mute": stdio(t, "mute"), "gone": {Command: []string{filepath.Join(t.TempDir(), "none")}},
		"both": {Command: []string{"x"}, URL: "http://127.0.0.1:1"}, "none": {}, "down": {URL: "http://127.0.0.1:1/mcp"},
	}})
	find(t, s, "mcp__rig__echo")
	want := map[string]string{"mute": "cannot find the database", "gone": "no such file", "both": "one of them", "none": "neither", "down": "refused"}
	for _, st := range s.Status() {
		if part, bad := want[st.Name]; bad && (st.State != Failed || !strings.Contains(st.Reason, part)) {
			t.Errorf("%s is %s: %q lacks %q", st.Name, st.State, st.Reason, part)
		}
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	s := start(t, Options{Servers: map[string]Server{"rig": stdio(t, "run")}})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan tool.Result, 1)
	hang := find(t, s, "mcp__rig__hang")
	go func() { r, _ := call(ctx, hang, `{}`); done <- r }()
	stop()
	select {
	case r := <-done:
		if !r.Error || !strings.Contains(r.Text, "interrupted") {
			t.Errorf("it answered %+v", r)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the call did not end")
	}
}

func TestAServerThatDiedCanBeStartedAgain(t *testing.T) {
	s := start(t, Options{Servers: map[string]Server{"rig": stdio(t, "run")}})
	old := find(t, s, "mcp__rig__echo")
	if err := s.Restart("rig"); err != nil {
		t.Fatal(err)
	}
	s.Wait(t.Context())
	if r, _ := call(t.Context(), find(t, s, "mcp__rig__echo"), `{"text":"again"}`); r.Text != "you said again" {
		t.Errorf("after the restart: %+v", r)
	}
	if r, _ := call(t.Context(), old, `{"text":"x"}`); !r.Error || !strings.Contains(r.Text, "not connected") {
		t.Errorf("a tool of the ended connection answered %+v", r)
	}
	if err := s.Restart("other"); err == nil {
		t.Error("an unknown server was restarted")
	}
}

func TestAServerOverHTTPGetsTheHeadersAndStaysOnItsHost(t *testing.T) {
	var seen []string
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return testServer() }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://localhost:1/", http.StatusTemporaryRedirect)
			return
		}
		seen = append(seen, r.Header.Get("Authorization"))
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	s := start(t, Options{
		Servers: map[string]Server{
			"web":  {URL: server.URL, Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"}},
			"away": {URL: server.URL + "/away", Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"}},
		},
		Getenv: func(name string) string { return map[string]string{"TOKEN": "t0k"}[name] },
	})
	if r, _ := call(t.Context(), find(t, s, "mcp__web__echo"), `{"text":"hi"}`); r.Text != "you said hi" {
		t.Errorf("it answered %+v", r)
	}
	s.Close()
	for _, h := range seen {
		if h != "Bearer t0k" {
			t.Errorf("a request had the header %q", h)
		}
	}
	for _, st := range s.Status() {
		if st.Name == "away" && !strings.Contains(st.Reason, "another server") {
			t.Errorf("away is %s: %s", st.State, st.Reason)
		}
	}
}

func TestNamesFitTheProvidersAndNeverCollide(t *testing.T) {
	for _, c := range []struct{ server, name, want string }{
		{"git", "log", "mcp__git__log"},
		{"git hub", "list.issues", "mcp__git_hub__list_issues_"},
		{"数据库", "查询", "mcp________________"},
		{"s", strings.Repeat("x", 80), "mcp__s__x"},
	} {
		got := Name(c.server, c.name)
		if len(got) > maxName || !strings.HasPrefix(got, c.want[:min(len(c.want), 10)]) || strings.Trim(got, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Errorf("Name(%q, %q) = %q", c.server, c.name, got)
		}
	}
	if Name("a.b", "c") == Name("a_b", "c") || Name("a", strings.Repeat("x", 70)+"1") == Name("a", strings.Repeat("x", 70)+"2") {
		t.Error("two tools share a name")
	}
}

func TestAToolThatCannotBeOfferedIsNamed(t *testing.T) {
	p := &peer{name: "p"}
	good := &sdk.Tool{Name: "good", InputSchema: map[string]any{"type": "object"}, Description: "x\x1b[31mred"}
	tools, ignored := p.offer([]*sdk.Tool{
		good, good, {Name: "", InputSchema: map[string]any{"type": "object"}}, {Name: "odd", InputSchema: "text"},
		{Name: "large", InputSchema: map[string]any{"type": "object", "description": strings.Repeat("x", maxSchema)}},
	})
	if len(tools) != 1 || len(ignored) != 4 {
		t.Fatalf("offered %d, ignored %q", len(tools), ignored)
	}
	if d := tools[0].Spec().Description; strings.ContainsRune(d, '\x1b') {
		t.Errorf("an escape is in the description %q", d)
	}
}

func TestALongResultKeepsItsBeginningAndItsEnd(t *testing.T) {
	got := bounded("begin " + strings.Repeat("界", maxResult) + " end")
	if len(got) > maxResult+100 || !strings.HasPrefix(got, "begin") || !strings.HasSuffix(got, "end") || !strings.Contains(got, "left out") {
		t.Errorf("%d bytes: %q … %q", len(got), got[:20], got[len(got)-20:])
	}
}
