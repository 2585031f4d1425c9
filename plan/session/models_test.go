package session

import (
	"context"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
)

// pickAgent is a scripted agent that runs on several models.
type pickAgent struct {
	*scriptAgent
	lacking string // a model that cannot run
}

func (a *pickAgent) Resolve(name string) agent.Offer {
	o := agent.Offer{Agent: "model", Model: name, Provider: "p"}
	switch {
	case name == "":
		o.Model = "p/first"
	case name == a.lacking:
		o.Problem = "there is no key"
	case !strings.HasPrefix(name, "p/"):
		return agent.Offer{Agent: "model", Model: name, Problem: "there is no provider of that name"}
	}
	return o
}

func (a *pickAgent) Offers() []agent.Offer { return []agent.Offer{a.Resolve("")} }

func picking(t *testing.T, change func(*Options)) (*rig, *pickAgent) {
	t.Helper()
	r := newRig(t)
	r.say("hello") // or there is nothing to resume
	a := &pickAgent{scriptAgent: r.agent}
	r.configure = func(o *Options) {
		o.Agent = a
		if change != nil {
			change(o)
		}
	}
	r.resume()
	return r, a
}

// ran is the model and effort of the last turn.
func (r *rig) ran() string {
	told := r.agent.told()
	last := told[len(told)-1]
	return last.Model + " " + last.Effort
}

func TestModelAndEffortBelongToAMode(t *testing.T) {
	r, _ := picking(t, func(o *Options) {
		o.Config.Model, o.Config.Effort = "p/work", "high"
		o.Config.Planning.Model = "p/think"
	})
	r.say("one")
	if got := r.ran(); got != "p/work high" {
		t.Errorf("normal mode ran on %q", got)
	}
	r.plan("on")
	r.say("two")
	if got := r.ran(); got != "p/think medium" {
		t.Errorf("planning ran on %q: the effort outside never leaks in", got)
	}
	if err := r.ChooseEffort("low", plan.ModeNormal); err != nil {
		t.Fatal(err)
	}
	r.say("three")
	if got := r.ran(); got != "p/think medium" {
		t.Errorf("an effort of normal mode reached planning: %q", got)
	}
	if err := r.ChooseModel("p/deep", plan.ModePlanning); err != nil {
		t.Fatal(err)
	}
	if err := r.ChooseEffort("high", plan.ModePlanning); err != nil {
		t.Fatal(err)
	}
	r.say("four")
	if got := r.ran(); got != "p/deep high" {
		t.Errorf("planning ran on %q", got)
	}
	r.plan("off")
	r.say("five")
	if got := r.ran(); got != "p/work low" {
		t.Errorf("normal mode ran on %q", got)
	}
	r.resume()
	r.plan("on")
	r.say("six")
	if got := r.ran(); got != "p/deep high" {
		t.Errorf("after a resume planning ran on %q", got)
	}
}

func TestTheCommandLineChoosesForBothModes(t *testing.T) {
	r, _ := picking(t, func(o *Options) { o.Model, o.Config.Planning.Model = "p/given", "p/think" })
	r.plan("on")
	r.say("one")
	if got := r.ran(); got != "p/given medium" {
		t.Errorf("ran on %q", got)
	}
	if v := r.View(); v.Model != "p/given" || v.Effort != "medium" || v.Demo {
		t.Errorf("shown %q %q", v.Model, v.Effort)
	}
}

func TestAModelThatCannotRunIsSaidAtTheStartAndKept(t *testing.T) {
	r, a := picking(t, nil)
	a.lacking = "p/later"
	if err := r.ChooseModel("p/later", ""); err != nil {
		t.Fatal(err)
	}
	if v := r.View(); v.Model != "p/later" || v.Problem == "" || !strings.Contains(r.notices(), "cannot run yet: there is no key") {
		t.Errorf("%+v\n%s", v, r.notices())
	}
	r.resume()
	if !strings.Contains(r.notices(), "No turn can run on p/later now") {
		t.Errorf("notices: %s", r.notices())
	}
	a.lacking = "" // the key came
	r.say("one")
	if v := r.View(); v.Problem != "" || r.ran() != "p/later " {
		t.Errorf("%q, ran on %q", v.Problem, r.ran())
	}
	if err := r.ChooseModel("nowhere", ""); err == nil || r.View().Model != "p/later" {
		t.Errorf("a name that nothing answers to: %v, %q", err, r.View().Model)
	}
}

func TestUsageAndCostAreOfTheSession(t *testing.T) {
	r, _ := picking(t, nil)
	for range 2 {
		r.agent.then(func(_ context.Context, _ agent.Turn, h agent.Host) error {
			h.Emit(agent.Usage{ContextTokens: 500, Window: 1000, Cost: 0.25})
			h.Emit(agent.Usage{ContextTokens: 600, Window: 1000, Cost: 0.5})
			h.Emit(agent.Notice{Text: "it was cut"})
			return nil
		})
		r.say("go")
	}
	if v := r.View(); v.Cost != 1 || v.Context != 60 {
		t.Errorf("cost %v, context %d", v.Cost, v.Context)
	}
	if !strings.Contains(r.notices(), "it was cut") {
		t.Errorf("notices: %s", r.notices())
	}
}
