package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan/text"
	"planmode/plan/tool"
)

// Limits of what one server may offer and return.
const (
	maxTools       = 200
	maxName        = 64 // what the providers of models allow
	maxSchema      = 64 << 10
	maxDescription = 8 << 10
	maxResult      = 256 << 10
	maxIgnored     = 20
	maxMessage     = 16 << 20 // over HTTP; the SDK bounds what comes over streams
	maxPages       = 50
)

// list asks the server for its tools and offers those that can be.
func (p *peer) list(ctx context.Context) error {
	p.mu.Lock()
	session := p.session
	p.mu.Unlock()
	if session == nil {
		return fmt.Errorf("there is no connection")
	}
	var found []*sdk.Tool
	params := &sdk.ListToolsParams{}
	for range maxPages {
		r, err := session.ListTools(ctx, params)
		if err != nil {
			return fmt.Errorf("list its tools: %w", err)
		}
		found = append(found, r.Tools...)
		if r.NextCursor == "" || len(found) > maxTools {
			break
		}
		params.Cursor = r.NextCursor
	}
	tools, ignored := p.offer(found)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.session != session {
		return fmt.Errorf("the connection ended")
	}
	p.tools, p.ignored = tools, ignored
	return nil
}

func (p *peer) offer(found []*sdk.Tool) (tools []tool.Tool, ignored []string) {
	taken := map[string]bool{}
	left := 0
	ignore := func(t *sdk.Tool, why string) {
		if len(ignored) < maxIgnored {
			ignored = append(ignored, fmt.Sprintf("%.*s: %s", maxName, t.Name, why))
		} else {
			left++
		}
	}
	for _, t := range found {
		r, err := p.remote(t)
		switch {
		case err != nil:
			ignore(t, err.Error())
		case taken[r.spec.Name]:
			ignore(t, "another tool has this name")
		case len(tools) == maxTools:
			ignore(t, fmt.Sprintf("more than %d tools", maxTools))
		default:
			taken[r.spec.Name] = true
			tools = append(tools, r)
		}
	}
	if left > 0 {
		ignored = append(ignored, fmt.Sprintf("and %d more", left))
	}
	return tools, ignored
}

// remote is one tool of a server.
type remote struct {
	peer *peer
	name string // the server's own name for it
	spec tool.Spec
	hint string // what the server says of its effect, in words
}

func (p *peer) remote(t *sdk.Tool) (remote, error) {
	if t.Name == "" {
		return remote{}, fmt.Errorf("it has no name")
	}
	schema, err := json.Marshal(t.InputSchema)
	if err != nil {
		return remote{}, fmt.Errorf("its schema cannot be read: %v", err)
	}
	var object struct {
		Type string `json:"type"`
	}
	switch {
	case len(schema) > maxSchema:
		return remote{}, fmt.Errorf("its schema is larger than %d KiB", maxSchema>>10)
	case json.Unmarshal(schema, &object) != nil || object.Type != "object":
		return remote{}, fmt.Errorf("its schema is not that of an object")
	}
	description := text.Clean(t.Description)
	if len(description) > maxDescription {
		description = strings.ToValidUTF8(description[:maxDescription], "") + " …"
	}
	return remote{
		peer: p, name: t.Name, hint: hint(t.Annotations),
		spec: tool.Spec{Name: Name(p.name, t.Name), Description: description, Schema: schema, Effect: tool.Executes, Server: p.name},
	}, nil
}

// hint puts the annotations into words. Nothing else reads them.
func hint(a *sdk.ToolAnnotations) string {
	switch {
	case a == nil:
		return ""
	case a.ReadOnlyHint:
		return "The server says that it only reads; planmode cannot check that."
	case a.DestructiveHint != nil && *a.DestructiveHint:
		return "The server says that it may destroy something."
	}
	return ""
}

// Name is what the agent calls a tool of a server: mcp__server__tool, in the letters
// that providers of models allow. A name that had to be changed or cut ends in a part
// of its hash, so that two tools never share one by accident.
func Name(server, name string) string {
	full := "mcp__" + server + "__" + name
	clean := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, full)
	if clean == full && len(full) <= maxName {
		return full
	}
	sum := sha256.Sum256([]byte(full))
	mark := "_" + hex.EncodeToString(sum[:4])
	return clean[:min(len(clean), maxName-len(mark))] + mark
}

// Spec implements tool.Tool.
func (r remote) Spec() tool.Spec { return r.spec }

// Preview implements tool.Previewer.
func (r remote) Preview(_ context.Context, call tool.Call) (tool.Preview, error) {
	body := string(call.Args)
	var v any
	if json.Unmarshal(call.Args, &v) == nil {
		if b, err := json.MarshalIndent(v, "", "  "); err == nil {
			body = string(b)
		}
	}
	return tool.Preview{
		Title: fmt.Sprintf("Use %s of the MCP server %s", r.name, r.peer.name), Body: body,
		Scope: "mcp:" + r.spec.Name, Meaning: fmt.Sprintf("the tool %s of %s, with any arguments", r.name, r.peer.name),
		Danger: r.hint,
	}, nil
}

// Run implements tool.Tool.
func (r remote) Run(ctx context.Context, call tool.Call, progress tool.Progress) tool.Result {
	session := r.peer.connection()
	if session == nil {
		return failure(call, "The MCP server %s is not connected now. Go on without it, or ask the person to look at /mcp.", r.peer.name)
	}
	params := &sdk.CallToolParams{Name: r.name, Arguments: call.Args}
	token, forget := follow(progress)
	defer forget()
	params.SetProgressToken(token)
	res, err := session.CallTool(ctx, params)
	switch {
	case ctx.Err() != nil:
		return failure(call, "The call was interrupted; what %s did meanwhile is not known.", r.peer.name)
	case err != nil:
		return failure(call, "%s could not be called: %v.", r.name, err)
	}
	return tool.Result{CallID: call.ID, Name: call.Name, Text: bounded(written(res)), Error: res.IsError}
}

func failure(call tool.Call, format string, args ...any) tool.Result {
	return tool.Result{CallID: call.ID, Name: call.Name, Text: fmt.Sprintf(format, args...), Error: true}
}

// written is a result as text. What is no text is named, not shown.
func written(res *sdk.CallToolResult) string {
	var parts []string
	for _, c := range res.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			parts = append(parts, c.Text)
		case *sdk.ImageContent:
			parts = append(parts, fmt.Sprintf("[image, %s, %d bytes: not shown]", c.MIMEType, len(c.Data)))
		case *sdk.AudioContent:
			parts = append(parts, fmt.Sprintf("[audio, %s, %d bytes: not shown]", c.MIMEType, len(c.Data)))
		case *sdk.ResourceLink:
			parts = append(parts, fmt.Sprintf("[resource %s: %s]", c.Name, c.URI))
		case *sdk.EmbeddedResource:
			parts = append(parts, embedded(c))
		}
	}
	if len(parts) == 0 && res.StructuredContent != nil {
		if b, err := json.MarshalIndent(res.StructuredContent, "", "  "); err == nil {
			parts = append(parts, string(b))
		}
	}
	if len(parts) == 0 {
		return "The tool returned nothing."
	}
	return strings.Join(parts, "\n")
}

func embedded(c *sdk.EmbeddedResource) string {
	switch {
	case c.Resource == nil:
		return "[an empty resource]"
	case c.Resource.Text != "":
		return c.Resource.Text
	}
	return fmt.Sprintf("[resource %s, %s, %d bytes: not shown]", c.Resource.URI, c.Resource.MIMEType, len(c.Resource.Blob))
}

func bounded(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= maxResult {
		return s
	}
	half := maxResult / 2
	return strings.ToValidUTF8(s[:half], "") + fmt.Sprintf("\n[%d bytes left out]\n", len(s)-2*half) + strings.ToValidUTF8(s[len(s)-half:], "")
}

// followers are the calls whose progress is shown. The SDK has one handler a client,
// and tokens must be unique among all calls that run.
var followers struct {
	sync.Mutex
	next atomic.Int64
	by   map[string]tool.Progress
}

func follow(progress tool.Progress) (token string, forget func()) {
	token = fmt.Sprintf("call-%d", followers.next.Add(1))
	followers.Lock()
	defer followers.Unlock()
	if followers.by == nil {
		followers.by = map[string]tool.Progress{}
	}
	followers.by[token] = progress
	return token, func() {
		followers.Lock()
		defer followers.Unlock()
		delete(followers.by, token)
	}
}

func progressed(p *sdk.ProgressNotificationParams) {
	token, ok := p.ProgressToken.(string)
	if !ok {
		return
	}
	line := fmt.Sprintf("%g", p.Progress)
	if p.Total > 0 {
		line = fmt.Sprintf("%g of %g", p.Progress, p.Total)
	}
	if p.Message != "" {
		line += " " + text.Line(p.Message)
	}
	followers.Lock()
	defer followers.Unlock()
	if progress := followers.by[token]; progress != nil {
		progress(line + "\n")
	}
}
