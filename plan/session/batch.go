package session

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// grants remembers what the person allowed for the rest of the session.
type grants struct {
	mu     sync.Mutex
	scopes map[string]bool
}

func (g *grants) has(scope string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return scope != "" && g.scopes[scope]
}

func (g *grants) add(scope string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.scopes == nil {
		g.scopes = map[string]bool{}
	}
	g.scopes[scope] = true
}

// forget takes back every grant.
func (g *grants) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.scopes = nil
}

// policy is the gate as it stands now, not as it stood when the turn began: a
// mode that changed meanwhile counts at once.
func (t *turn) policy() tool.Policy {
	st := t.s.current()
	mode := st.Mode
	if t.mode == plan.ModePlanning {
		mode = plan.ModePlanning
	}
	return tool.Policy{
		Mode: mode, OpenWork: st.OpenWork() != nil,
		Extra: t.s.opt.Config.Planning.Tools, Granted: t.s.grants.has,
		Permission: t.s.Permission(), Rules: t.s.rules(),
	}
}

// answer runs one judged call. The gate is asked again just before a call runs,
// because an earlier call of the batch or the person may have changed the mode.
func (t *turn) answer(ctx context.Context, c tool.Call, j tool.Judgement) tool.Result {
	switch {
	case t.ended:
		return refused("not run: an earlier call of this batch ended the turn")
	case ctx.Err() != nil:
		return refused("not run: the turn was interrupted")
	case j.Verdict == tool.Deny:
		return refused(j.Message)
	}
	again := t.policy().Check(t.s.tools, []tool.Call{c})[0]
	if again.Verdict == tool.Deny {
		return refused(again.Message)
	}
	j = again // who is asked may have changed, too
	impl, ok := t.s.tools.Find(c.Name)
	if !ok {
		return refused("there is no tool named " + c.Name)
	}
	if j.Verdict == tool.Ask {
		if r, allowed := t.permit(ctx, impl, c, j); !allowed {
			return r
		}
		last := t.policy().Check(t.s.tools, []tool.Call{c})[0]
		if last.Verdict == tool.Deny {
			return refused(last.Message)
		}
		j.Looks = last.Looks
	}
	begun := t.s.opt.Now()
	r := j.Perform(ctx, impl, c, t.s.progress(c.ID))
	slog.Debug("tool ended", "session", t.s.opt.Session, "name", c.Name, "took", t.s.opt.Now().Sub(begun), "failed", r.Error)
	return r
}

// permit asks the person unless the scope of the call was granted before.
func (t *turn) permit(ctx context.Context, impl tool.Tool, c tool.Call, j tool.Judgement) (tool.Result, bool) {
	p, ok := impl.(tool.Previewer)
	if !ok {
		return refused("it cannot be shown to the person first, so it does not run"), false
	}
	shown, err := p.Preview(ctx, c)
	if err != nil {
		return refused(err.Error()), false
	}
	if t.s.grants.has(shown.Scope) {
		return tool.Result{}, true
	}
	shown.Always = t.s.offer(impl.Spec(), shown, j.Reason)
	t.s.waiting(c.ID, true)
	grant, err := t.s.opt.Desk.Permit(ctx, Permit{Call: c, Preview: shown, Why: j.Reason, Place: t.asks[c.ID], Of: len(t.asks)})
	t.s.waiting(c.ID, false)
	if err != nil {
		return refused("the person did not answer; it did not run"), false
	}
	scope := shown.Scope
	if grant.Answer == GrantAlways {
		scope = shown.Always.Rule
	}
	if err := t.s.record(tree.KindPermission, tree.Permission{
		Tool: c.Name, Scope: scope, Answer: string(grant.Answer), Subject: shown.Title, Reason: grant.Reason,
	}); err != nil {
		return refused("the answer could not be recorded, so it did not run: " + err.Error()), false
	}
	switch grant.Answer {
	case GrantSession:
		t.s.grants.add(shown.Scope)
		return tool.Result{}, true
	case GrantAlways:
		if shown.Always.Rule == "" {
			break // it was not on offer
		}
		t.s.always(shown.Always.Rule)
		return tool.Result{}, true
	case GrantOnce:
		return tool.Result{}, true
	}
	text := "The person refused this call. Do not try to get the same effect another way; ask, or go on without it."
	if grant.Reason != "" {
		text += " Their reason: " + grant.Reason
	}
	return refused(text), false
}

func refused(text string) tool.Result { return tool.Result{Text: text, Error: true} }

// validArgs keeps what a model sent loggable when it is no JSON at all.
func validArgs(raw json.RawMessage) json.RawMessage {
	if json.Valid(raw) {
		return raw
	}
	quoted, err := json.Marshal(string(raw))
	if err != nil {
		return json.RawMessage(`null`)
	}
	return quoted
}

// countRefusal ends the turn at the third submission that was refused, wherever
// that was: by the gate, by the tool or by the plan's own checks.
func (t *turn) countRefusal(c tool.Call, r tool.Result) tool.Result {
	if c.Name != "submit_plan" || !r.Error || r.Stop {
		return r
	}
	if t.refusals++; t.refusals < maxRefusals {
		return r
	}
	t.s.say(tree.Warning, "The agent submitted a plan that was refused %d times, so the turn was ended. The last reason: %s\nPlan Mode is still on; tell the agent how to go on.", t.refusals, r.Text)
	r.Text += " The turn ends here; the person has been told."
	r.Stop = true
	return r
}
