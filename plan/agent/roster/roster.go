// Package roster is the agent of a session that has two to choose from: the
// demo agent, which needs nothing, and the one that has a language model. It
// says what every turn runs on and never falls back in silence: what was asked
// for and cannot run is an error that names what is missing.
package roster

import (
	"context"
	"errors"
	"sync"

	"planmode/plan/agent"
)

// The choices of the configuration.
const (
	Auto  = "auto"  // a model if one can run or one was named, else the demo agent
	Demo  = "demo"  // the demo agent, unless a model is chosen in the session
	Model = "model" // a model, also when none can run
)

// Roster is both agents.
type Roster struct {
	demo   agent.Agent
	model  agent.Picker
	choice string
	named  bool // the person named a model

	once   sync.Once
	begins bool // a model could run when it was first asked
}

var _ agent.Picker = (*Roster)(nil)

// New makes the roster. named says that the configuration names a model, which
// counts as asking for one.
func New(demo agent.Agent, model agent.Picker, choice string, named bool) *Roster {
	return &Roster{demo: demo, model: model, choice: choice, named: named}
}

// Name is the name of what an unnamed turn runs on.
func (r *Roster) Name() string { return r.Resolve("").Agent }

// Model is the model of what an unnamed turn runs on.
func (r *Roster) Model() string { return r.Resolve("").Model }

func (r *Roster) demoOffer() agent.Offer { return agent.Offer{Agent: r.demo.Name()} }

// Resolve implements agent.Picker.
func (r *Roster) Resolve(name string) agent.Offer {
	switch {
	case name == r.demo.Name(), name == "" && r.choice == Demo:
		return r.demoOffer()
	case name != "":
		return r.model.Resolve(name)
	}
	o := r.model.Resolve("")
	// Decided once: a key that comes later must not send what was said to the demo
	// agent to a provider.
	r.once.Do(func() { r.begins = o.Problem == "" })
	if !r.begins && r.choice == Auto && !r.named {
		return r.demoOffer()
	}
	return o
}

// Offers implements agent.Picker: what can run first.
func (r *Roster) Offers() []agent.Offer {
	var ready, lacking []agent.Offer
	for _, o := range r.model.Offers() {
		if o.Problem == "" {
			ready = append(ready, o)
		} else {
			lacking = append(lacking, o)
		}
	}
	return append(append(ready, r.demoOffer()), lacking...)
}

// Run implements agent.Agent.
func (r *Roster) Run(ctx context.Context, turn agent.Turn, host agent.Host) error {
	o := r.Resolve(turn.Model)
	switch {
	case o.Agent == r.demo.Name():
		return r.demo.Run(ctx, turn, host)
	case o.Problem != "" && o.Model == "":
		return errors.New(o.Problem)
	}
	turn.Model = o.Model
	return r.model.Run(ctx, turn, host)
}

// SummarizerFor gives what summarises on a model; the demo agent does not.
func (r *Roster) SummarizerFor(model string) (agent.Summarizer, bool) {
	o := r.Resolve(model)
	if o.Agent == r.demo.Name() {
		return nil, false
	}
	return agent.SummarizerOf(r.model, o.Model)
}
