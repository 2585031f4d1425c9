package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/document"
	"planmode/plan/prompt"
	"planmode/plan/tool"
)

// realHost runs every call by the real tools behind the real policy. The planner
// behind submit_plan and complete_plan accepts what the session would accept.
type realHost struct {
	t         *testing.T
	set       *tool.Set
	mode      plan.Mode
	setting   string // content language
	notes     [][]plan.Annotation
	submitted []tool.SubmitArgs
	ref       plan.Ref
	completed []tool.CompleteArgs
	messages  []agent.Message
	said      strings.Builder
}

func (h *realHost) Emit(e agent.Event) {
	if d, ok := e.(agent.TextDelta); ok {
		h.said.WriteString(d.Text)
	}
}

func (h *realHost) Batch(ctx context.Context, calls []tool.Call) ([]tool.Result, bool, error) {
	policy := tool.Policy{Mode: h.mode, OpenWork: h.mode == plan.ModeNormal}
	var results []tool.Result
	stop := false
	for i, j := range policy.Check(h.set, calls) {
		c := calls[i]
		if j.Verdict == tool.Deny {
			h.t.Errorf("the policy denies %s %s: %s", c.Name, c.Args, j.Message)
			results = append(results, tool.Result{CallID: c.ID, Name: c.Name, Text: j.Message, Error: true})
			continue
		}
		run, _ := h.set.Find(c.Name)
		if p, ok := run.(tool.Previewer); ok {
			if _, err := p.Preview(ctx, c); err != nil {
				h.t.Errorf("preview of %s: %v", c.Name, err)
			}
		}
		r := run.Run(ctx, c, func(string) {})
		stop = stop || r.Stop
		results = append(results, r)
	}
	h.messages = append(h.messages, agent.Message{Role: agent.RoleAssistant, Calls: calls}, agent.Message{Role: agent.RoleUser, Results: results})
	return results, stop, nil
}

func (h *realHost) SubmitPlan(_ context.Context, call tool.Call, args tool.SubmitArgs) tool.Result {
	body, err := document.Normalise([]byte(args.Markdown))
	if err == nil {
		err = document.Parse(body).Check(h.setting)
	}
	if err == nil {
		_, err = document.CleanTitle(args.Title)
	}
	if err != nil {
		h.t.Errorf("a submission does not pass: %v\n%s", err, args.Markdown)
	}
	h.submitted = append(h.submitted, args)
	if h.ref.Plan == "" {
		h.ref.Plan = plan.NewID(testNow, args.Title, [4]byte{5})
	} else if args.PlanID != string(h.ref.Plan) {
		h.t.Errorf("r%d is submitted as %q", h.ref.Revision+1, args.PlanID)
	}
	h.ref.Revision, h.ref.Hash = h.ref.Revision+1, plan.HashOf(body)
	d := tool.PlanDetails{Kind: tool.DetailApproved, Plan: h.ref.Plan, Revision: h.ref.Revision, Hash: h.ref.Hash, Title: args.Title}
	text, stop := "approved", true
	if len(h.notes) > 0 {
		d.Kind, d.Annotations = tool.DetailChangesRequested, h.notes[0]
		doc := document.Parse(body)
		for i := range d.Annotations {
			d.Annotations[i] = document.Anchor(doc, d.Annotations[i])
		}
		h.notes = h.notes[1:]
		text, stop = prompt.Feedback(prompt.Reference{Ref: h.ref, Title: args.Title}, "", d.Annotations), false
	}
	return tool.Result{CallID: call.ID, Name: call.Name, Text: text, Details: tool.Marshal(d), Stop: stop}
}

func (h *realHost) CompletePlan(_ context.Context, call tool.Call, args tool.CompleteArgs) tool.Result {
	h.completed = append(h.completed, args)
	return tool.Result{CallID: call.ID, Name: call.Name, Text: "completed", Stop: true}
}

// runReal goes through the whole flow in dir: plan, one revision for each batch of
// notes, approval, implementation, completion.
func runReal(t *testing.T, dir, goal, setting string, notes ...[]plan.Annotation) *realHost {
	t.Helper()
	h := &realHost{t: t, mode: plan.ModePlanning, setting: setting, notes: notes}
	temp := t.TempDir()
	h.set = tool.New(tool.Options{Dir: dir, Planner: h, Temp: temp})
	a := New(Options{Temp: temp, Delay: noDelay})
	turn := agent.Turn{
		Mode: plan.ModePlanning, Dir: dir, Language: setting, Now: testNow,
		System:   prompt.System(prompt.Facts{Mode: plan.ModePlanning, Language: setting, Dir: dir}),
		Messages: []agent.Message{userSays(goal)}, Tools: h.set.Specs(plan.ModePlanning, false, nil),
	}
	if err := a.Run(context.Background(), turn, h); err != nil {
		t.Fatal(err)
	}
	if len(h.submitted) != len(notes)+1 {
		t.Fatalf("%d submissions, want %d; it said %q", len(h.submitted), len(notes)+1, h.said.String())
	}
	latest := h.submitted[len(h.submitted)-1]
	handoff := prompt.Handoff(prompt.Reference{Ref: h.ref, Title: latest.Title, Text: latest.Markdown, Path: "/x/" + string(h.ref.Plan) + "/revisions/r1.md"}, prompt.Approval{Notes: "mind the tests"})
	h.mode, turn.Mode, turn.Work = plan.ModeNormal, plan.ModeNormal, &h.ref
	turn.Messages = append(append(turn.Messages, h.messages...), agent.Message{Role: agent.RoleHandoff, Plan: &h.ref, Text: handoff})
	if err := a.Run(context.Background(), turn, h); err != nil {
		t.Fatal(err)
	}
	if len(h.completed) != 1 || h.completed[0].PlanID != string(h.ref.Plan) || h.completed[0].Revision != h.ref.Revision {
		t.Errorf("completed %+v; it said %q", h.completed, h.said.String())
	}
	return h
}

// snapshot is every file below dir with its content.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(p)
		fmt.Fprintf(&b, "%s %x\n", p, plan.HashOf(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWholeFlowWithTheRealTools(t *testing.T) {
	cases := []struct{ name, goal, setting, want string }{
		{"in English", "Add OAuth login", "auto", "`login.go:4` holds “login”: `func Login("},
		{"in Chinese", "请为登录 Login 增加两步验证", "auto", "`login.go:4` 中出现 “Login”"},
		{"in Chinese by configuration", "Add OAuth login", "zh-CN", "`login.go:4` 中出现 “login”"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := newConversation(t, goProject).dir
			before := snapshot(t, dir)
			h := runReal(t, dir, c.goal, c.setting, []plan.Annotation{{Line: 5, Body: "why?"}, {Body: "drop step 2"}})
			if !strings.Contains(h.submitted[0].Markdown, c.want) {
				t.Errorf("the plan lacks %q:\n%s", c.want, h.submitted[0].Markdown)
			}
			if len(steps(h.submitted[1].Markdown)) != len(steps(h.submitted[0].Markdown))-1 {
				t.Errorf("step 2 is still there:\n%s", h.submitted[1].Markdown)
			}
			if !strings.Contains(h.said.String(), "mind the tests") {
				t.Errorf("the notes of the approval are not mentioned: %q", h.said.String())
			}
			if snapshot(t, dir) != before {
				t.Error("the repository changed")
			}
		})
	}
}

func TestRealToolsOnHostileRepositories(t *testing.T) {
	for seed := range seeds(10) {
		t.Run(fmt.Sprint("repository ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 11))
			dir := newConversation(t, hostileRepository(t, r)).dir
			runReal(t, dir, "Add login "+pick(r, 4), "auto", []plan.Annotation{{Line: r.IntN(60), Body: pick(r, 3)}, {Line: r.IntN(60), Body: pick(r, 2)}})
		})
	}
}

func TestRealToolsOnSpecialFiles(t *testing.T) {
	dir := newConversation(t, map[string]string{
		"huge.go":   strings.Repeat("func login() {}\n", 300_000),
		"line.go":   strings.Repeat("login", 400_000),
		"binary.go": "login\x00\x01\x02\xff",
		"中文 名字.go":  "package login\n",
		"README.md": "",
	}).dir
	for name, target := range map[string]string{"endless.go": "/dev/zero", "loop": ".", "dangling.md": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	h := runReal(t, dir, "Fix the login", "auto")
	if n := len(h.submitted[0].Markdown); n > 16<<10 {
		t.Errorf("the plan has %d bytes", n)
	}
}

func TestEveryCallFitsTheSchemaOfItsTool(t *testing.T) {
	h := runReal(t, newConversation(t, goProject).dir, "Add OAuth login", "auto")
	known := map[string]map[string]bool{}
	for _, mode := range []plan.Mode{plan.ModePlanning, plan.ModeNormal} {
		for _, spec := range h.set.Specs(mode, true, nil) {
			var schema struct{ Properties map[string]any }
			if err := json.Unmarshal(spec.Schema, &schema); err != nil {
				t.Fatal(err)
			}
			known[spec.Name] = map[string]bool{}
			for name := range schema.Properties {
				known[spec.Name][name] = true
			}
		}
	}
	for _, m := range h.messages {
		for _, c := range m.Calls {
			for name := range arg[map[string]any](exchange{call: c}) {
				if !known[c.Name][name] {
					t.Errorf("%s has no argument %q", c.Name, name)
				}
			}
		}
	}
}
