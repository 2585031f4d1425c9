package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/document"
	"planmode/plan/tool"
)

// fakeHost is a host over a real directory. Its read tools answer in the form of
// the real ones; submissions are answered by a script, writes are carried out.
type fakeHost struct {
	t       *testing.T
	dir     string
	review  []func(args tool.SubmitArgs, ref plan.Ref) tool.Result // answers to submissions, in order
	deny    func(call tool.Call) bool
	stopAt  int // the batch before which the turn is interrupted; 0 for never
	id      plan.ID
	current int // revisions so far
	refs    []plan.Ref

	emitted  strings.Builder
	messages []agent.Message // what the turn added to the conversation
	text     strings.Builder // of the message being streamed
	batches  int
}

func (h *fakeHost) Emit(e agent.Event) {
	if d, ok := e.(agent.TextDelta); ok {
		h.emitted.WriteString(d.Text)
		h.text.WriteString(d.Text)
	}
}

var errInterrupted = errors.New("interrupted")

func (h *fakeHost) Batch(ctx context.Context, calls []tool.Call) ([]tool.Result, bool, error) {
	h.batches++
	m := agent.Message{Role: agent.RoleAssistant, Text: h.text.String(), Calls: calls}
	h.text.Reset()
	if h.stopAt == h.batches {
		h.messages = append(h.messages, m)
		return nil, false, errInterrupted
	}
	var results []tool.Result
	stop := false
	for _, c := range calls {
		if (c.Name == "submit_plan" || c.Name == "complete_plan") && len(calls) > 1 {
			h.t.Errorf("%s is not alone in its batch", c.Name)
		}
		r := h.run(c)
		r.CallID, r.Name = c.ID, c.Name
		stop = stop || r.Stop
		results = append(results, r)
	}
	h.messages = append(h.messages, m, agent.Message{Results: results})
	return results, stop, nil
}

func (h *fakeHost) run(c tool.Call) tool.Result {
	if h.deny != nil && h.deny(c) {
		return tool.Result{Text: "The person denied permission to run " + c.Name + ".", Error: true}
	}
	e := exchange{call: c}
	switch c.Name {
	case "ls":
		return h.ls()
	case "find":
		return h.find()
	case "read":
		return h.read(arg[readArgs](e))
	case "grep":
		return h.grep(arg[grepArgs](e))
	case "write":
		args := arg[writeArgs](e)
		if err := os.MkdirAll(filepath.Dir(args.Path), 0o700); err != nil {
			return tool.Result{Text: err.Error(), Error: true}
		}
		if err := os.WriteFile(args.Path, []byte(args.Content), 0o600); err != nil {
			return tool.Result{Text: err.Error(), Error: true}
		}
		return tool.Result{Text: "written"}
	case "submit_plan":
		return h.submit(arg[tool.SubmitArgs](e))
	case "complete_plan":
		args := arg[tool.CompleteArgs](e)
		return tool.Result{Text: "completed", Stop: true, Details: tool.Marshal(tool.PlanDetails{
			Kind: tool.DetailCompleted, Plan: plan.ID(args.PlanID), Revision: args.Revision})}
	}
	return tool.Result{Text: "unknown tool", Error: true}
}

func (h *fakeHost) ls() tool.Result {
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		return tool.Result{Text: err.Error(), Error: true}
	}
	if len(entries) == 0 {
		return tool.Result{Text: "[the directory is empty]\n"}
	}
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Name())
		if e.IsDir() {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
	}
	return tool.Result{Text: b.String()}
}

func (h *fakeHost) files() []string {
	var list []string
	_ = filepath.WalkDir(h.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(h.dir, p)
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	return list
}

func (h *fakeHost) find() tool.Result {
	if list := h.files(); len(list) > 0 {
		return tool.Result{Text: strings.Join(list, "\n") + "\n"}
	}
	return tool.Result{Text: "[nothing matches]\n"}
}

func (h *fakeHost) read(a readArgs) tool.Result {
	name := a.Path
	if !filepath.IsAbs(name) {
		name = filepath.Join(h.dir, name)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return tool.Result{Text: err.Error(), Error: true}
	}
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n") {
		if i+1 >= max(1, a.Offset) && (a.Limit == 0 || i < max(1, a.Offset)+a.Limit) {
			fmt.Fprintf(&b, "%d\t%s\n", i+1, line)
		}
	}
	return tool.Result{Text: b.String()}
}

func (h *fakeHost) grep(a grepArgs) tool.Result {
	var b strings.Builder
	for _, name := range h.files() {
		raw, _ := os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name)))
		for i, line := range strings.Split(string(raw), "\n") {
			if strings.Contains(strings.ToLower(line), strings.ToLower(a.Pattern)) {
				fmt.Fprintf(&b, "%s:%d:%s\n", name, i+1, line)
			}
		}
	}
	if b.Len() == 0 {
		return tool.Result{Text: "[no match]\n"}
	}
	return tool.Result{Text: b.String()}
}

// submit checks a submission as the real host does and answers by the script;
// approval is the answer when the script is over.
func (h *fakeHost) submit(args tool.SubmitArgs) tool.Result {
	body, err := document.Normalise([]byte(args.Markdown))
	if err == nil {
		err = document.Parse(body).Check("auto")
	}
	if err != nil {
		h.t.Errorf("a plan was submitted that does not pass: %v\n%s", err, args.Markdown)
	}
	if _, err := document.CleanTitle(args.Title); err != nil {
		h.t.Errorf("a title was submitted that does not pass: %v", err)
	}
	if h.id == "" {
		h.id = plan.NewID(testNow, args.Title, [4]byte{1, 2, 3, 4})
	}
	ref := plan.Ref{Plan: h.id, Revision: h.current + 1, Hash: plan.HashOf(body)}
	if len(h.review) == 0 {
		h.accept(ref)
		return tool.Result{Text: "approved", Stop: true, Details: tool.Marshal(tool.PlanDetails{
			Kind: tool.DetailApproved, Plan: ref.Plan, Revision: ref.Revision, Hash: ref.Hash, Title: args.Title})}
	}
	answer := h.review[0]
	h.review = h.review[1:]
	return answer(args, ref)
}

func (h *fakeHost) accept(ref plan.Ref) {
	h.current = ref.Revision
	h.refs = append(h.refs, ref)
}

// changes answers a submission with notes.
func (h *fakeHost) changes(request string, notes func(markdown string) []plan.Annotation) func(tool.SubmitArgs, plan.Ref) tool.Result {
	return func(args tool.SubmitArgs, ref plan.Ref) tool.Result {
		h.accept(ref)
		d := tool.PlanDetails{Kind: tool.DetailChangesRequested, Plan: ref.Plan, Revision: ref.Revision, Hash: ref.Hash, Title: args.Title, Request: request}
		if notes != nil {
			d.Annotations = notes(args.Markdown)
		}
		return tool.Result{Text: "changes requested", Details: tool.Marshal(d)}
	}
}

// answer answers a submission with a kind and a text.
func answer(kind tool.DetailKind, text string, stop bool) func(tool.SubmitArgs, plan.Ref) tool.Result {
	return func(args tool.SubmitArgs, ref plan.Ref) tool.Result {
		bad := kind == tool.DetailInvalid || kind == tool.DetailInvalidPlanID
		return tool.Result{Text: text, Error: bad, Stop: stop, Details: tool.Marshal(tool.PlanDetails{Kind: kind, Reason: text})}
	}
}

var testNow = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// conversation drives turns over one fake host and keeps what was said.
type conversation struct {
	*fakeHost
	agent *Agent
	turn  agent.Turn
}

func newConversation(t *testing.T, files map[string]string) *conversation {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &conversation{
		fakeHost: &fakeHost{t: t, dir: dir},
		agent:    New(Options{Temp: t.TempDir(), Delay: noDelay}),
		turn:     agent.Turn{Mode: plan.ModePlanning, Dir: dir, Language: "auto", Now: testNow},
	}
}

func noDelay(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// run runs one turn that starts with m and returns what the agent said.
func (c *conversation) run(m agent.Message) (string, error) {
	c.turn.Messages = append(c.turn.Messages, m)
	c.turn.Now = c.turn.Now.Add(time.Minute)
	c.messages, c.batches = nil, 0
	c.emitted.Reset()
	c.text.Reset()
	err := c.agent.Run(context.Background(), c.turn, c)
	if c.text.Len() > 0 {
		c.messages = append(c.messages, agent.Message{Role: agent.RoleAssistant, Text: c.text.String()})
	}
	c.turn.Messages = append(c.turn.Messages, c.messages...)
	return c.emitted.String(), err
}

// say runs a turn with a message of the person, which must end without an error.
func (c *conversation) say(text string) string {
	c.t.Helper()
	said, err := c.run(agent.Message{Role: agent.RoleUser, Text: text})
	if err != nil {
		c.t.Fatalf("turn %q: %v", text, err)
	}
	c.checkSpeech(said)
	return said
}

var badlyFilled = regexp.MustCompile(`%!\w?\(`)

func (c *conversation) checkSpeech(said string) {
	c.t.Helper()
	if !strings.HasPrefix(said, label) || strings.Count(said, label) != 1 {
		c.t.Errorf("a turn is labelled once, at its start; got %q", said)
	}
	if badlyFilled.MatchString(said) {
		c.t.Errorf("a sentence was filled in badly: %q", said)
	}
}

// calls are all calls of the named tool so far.
func (c *conversation) calls(name string) []tool.Call {
	var list []tool.Call
	for _, m := range c.turn.Messages {
		for _, call := range m.Calls {
			if call.Name == name {
				list = append(list, call)
			}
		}
	}
	return list
}

// submitted are the plans handed in so far.
func (c *conversation) submitted() []tool.SubmitArgs {
	var list []tool.SubmitArgs
	for _, call := range c.calls("submit_plan") {
		list = append(list, arg[tool.SubmitArgs](exchange{call: call}))
	}
	return list
}

// approve switches to normal mode with the latest revision as open work and runs
// the turn that its handoff starts.
func (c *conversation) handOff() (string, error) {
	ref := c.refs[len(c.refs)-1]
	plans := c.submitted()
	c.turn.Mode, c.turn.Draft, c.turn.Work = plan.ModeNormal, nil, &ref
	return c.run(agent.Message{Role: agent.RoleHandoff, Plan: &ref, Text: "Approved.\n\n" + plans[len(plans)-1].Markdown})
}

// steps are the execution steps of a plan.
func steps(markdown string) []string { return document.Parse([]byte(markdown)).Steps() }

// lineWith is the number of the first line that holds part.
func lineWith(t *testing.T, markdown, part string) int {
	t.Helper()
	for i, line := range strings.Split(markdown, "\n") {
		if strings.Contains(line, part) {
			return i + 1
		}
	}
	t.Fatalf("no line holds %q in\n%s", part, markdown)
	return 0
}

func userSays(text string) agent.Message { return agent.Message{Role: agent.RoleUser, Text: text} }
