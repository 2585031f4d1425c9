package session

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/plan/tool/mcp"
)

// mcpServer is a server with one tool, which counts how often it was called.
func mcpServer(t *testing.T, calls *int) string {
	s := sdk.NewServer(&sdk.Implementation{Name: "rig", Version: "1"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: "note", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			*calls++
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "noted"}}}, nil, nil
		})
	server := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(server.Close)
	return server.URL
}

// calling is a turn that makes one call and keeps its result.
func calling(name string, got *tool.Result) func(context.Context, agent.Turn, agent.Host) error {
	return func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		results, _, err := h.Batch(ctx, []tool.Call{{ID: "1", Name: name, Args: json.RawMessage(`{}`)}})
		if err == nil {
			*got = results[0]
		}
		return err
	}
}

func offered(turn agent.Turn, name string) bool {
	for _, s := range turn.Tools {
		if s.Name == name {
			return true
		}
	}
	return false
}

func TestToolsOfServersPassTheSameGate(t *testing.T) {
	const name = "mcp__rig__note"
	for what, c := range map[string]struct {
		planning, named, allow bool
		offered, ran           bool
	}{
		"normal mode asks, and the person allows":     {allow: true, offered: true, ran: true},
		"normal mode asks, and the person denies":     {offered: true},
		"planning denies, whatever the server says":   {planning: true, allow: true},
		"planning asks about a tool that was named":   {planning: true, named: true, allow: true, offered: true, ran: true},
		"a named tool runs only if the person agrees": {planning: true, named: true, offered: true},
	} {
		t.Run(what, func(t *testing.T) {
			calls := 0
			r := newRig(t)
			r.opt.Servers = mcp.Start(mcp.Options{Servers: map[string]mcp.Server{"rig": {URL: mcpServer(t, &calls)}}})
			t.Cleanup(r.opt.Servers.Close)
			if c.named {
				r.opt.Config.Planning.Tools = []string{name}
			}
			if c.planning {
				r.plan("on")
			}
			if c.allow {
				r.desk.permit = func(_ context.Context, p Permit) (Grant, error) { return Grant{Answer: GrantOnce}, nil }
			}
			var got tool.Result
			r.agent.then(calling(name, &got))
			r.say("go")
			if is := offered(r.agent.told()[0], name); is != c.offered {
				t.Errorf("offered to the agent: %v, want %v", is, c.offered)
			}
			if (calls == 1) != c.ran || (got.Text == "noted") != c.ran || got.Error == c.ran {
				t.Errorf("%d calls, result %+v", calls, got)
			}
			if asked := len(r.desk.permits); (asked == 1) != c.offered {
				t.Errorf("the person was asked %d times", asked)
			}
		})
	}
}

func TestAServerThatFailsIsToldOnce(t *testing.T) {
	r := newRig(t)
	r.opt.Servers = mcp.Start(mcp.Options{Servers: map[string]mcp.Server{"gone": {Command: []string{"/nonexistent/x"}}}})
	t.Cleanup(r.opt.Servers.Close)
	r.say("one")
	r.say("two")
	if n := strings.Count(r.notices(), "The MCP server gone is not available"); n != 1 {
		t.Errorf("told %d times: %s", n, r.notices())
	}
	if said := r.Servers(); !strings.Contains(said, "gone: failed") || !strings.Contains(said, "/nonexistent/x") {
		t.Errorf("/mcp shows %q", said)
	}
}
