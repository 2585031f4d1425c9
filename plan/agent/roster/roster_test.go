package roster

import (
	"context"
	"testing"

	"planmode/plan/agent"
)

// fake is an agent that notes what it ran.
type fake struct {
	name string
	key  bool
	ran  []string
}

func (f *fake) Name() string  { return f.name }
func (f *fake) Model() string { return "" }
func (f *fake) Run(_ context.Context, turn agent.Turn, _ agent.Host) error {
	f.ran = append(f.ran, turn.Model)
	return nil
}

func (f *fake) Offers() []agent.Offer { return []agent.Offer{f.Resolve("p/a")} }

func (f *fake) Resolve(name string) agent.Offer {
	switch {
	case !f.key && name == "":
		return agent.Offer{Agent: "model", Problem: "no provider has a key"}
	case name == "":
		name = "p/a"
	}
	o := agent.Offer{Agent: "model", Model: name, Provider: "p"}
	if !f.key {
		o.Problem = "no key"
	}
	return o
}

func TestWhatATurnRunsOn(t *testing.T) {
	cases := map[string]struct {
		choice     string
		named, key bool
		model      string
		demo       bool
		fails      bool
	}{
		"without a key it is the demo agent":           {choice: Auto, demo: true},
		"with a key it is the model":                   {choice: Auto, key: true},
		"a model that was named is never replaced":     {choice: Auto, named: true, fails: true},
		"the demo agent when it was asked for":         {choice: Demo, key: true, demo: true},
		"a model that was asked for and has no key":    {choice: Model, fails: true},
		"the demo agent, chosen in the session":        {choice: Model, key: true, model: "demo", demo: true},
		"a model, chosen in a session of the demo one": {choice: Demo, key: true, model: "p/b"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			demo, model := &fake{name: "demo"}, &fake{name: "model", key: c.key}
			r := New(demo, model, c.choice, c.named)
			err := r.Run(t.Context(), agent.Turn{Model: c.model}, nil)
			if (err != nil) != c.fails || len(demo.ran) > 0 != c.demo || len(model.ran) > 0 != (!c.demo && !c.fails) {
				t.Errorf("%v; demo %v, model %v", err, demo.ran, model.ran)
			}
		})
	}
}

func TestAKeyThatComesLaterChangesNothingByItself(t *testing.T) {
	demo, model := &fake{name: "demo"}, &fake{name: "model"}
	r := New(demo, model, Auto, false)
	for range 2 {
		if err := r.Run(t.Context(), agent.Turn{}, nil); err != nil {
			t.Fatal(err)
		}
		model.key = true
	}
	if len(demo.ran) != 2 || len(model.ran) != 0 {
		t.Errorf("demo %v, model %v", demo.ran, model.ran)
	}
}
