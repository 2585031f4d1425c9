package doctor

import (
	"planmode/plan/agent"
	"planmode/plan/agent/model"
	"planmode/plan/agent/roster"
	"planmode/store"
)

// scripted stands for the demo agent, which needs nothing.
type scripted struct{ agent.Agent }

// Name is the demo agent's.
func (scripted) Name() string { return roster.Demo }

// agent says what a new session would run on. It asks no provider and no keyring.
func (r *Report) agent(s Surroundings, c store.Config) {
	models := model.New(model.Options{Config: c, Keys: store.OpenKeys(s.Dirs, nil), Getenv: s.Getenv})
	offer := roster.New(scripted{}, models, c.Agent, c.Model != "").Resolve("")
	how := "Set the key of a provider in the environment, keep one with planmode auth set, or name a local server under \"providers\" in config.json."
	switch {
	case offer.Agent == roster.Demo && c.Agent == roster.Demo:
		r.ok("agent", "the demo agent, as configured")
	case offer.Agent == roster.Demo:
		r.warn("agent", "the demo agent: no provider has a key", how)
	case offer.Problem != "":
		name := offer.Model
		if name == "" {
			name = "a model"
		}
		r.fail("agent", name+" cannot run: "+offer.Problem, how)
	default:
		r.ok("agent", "%s", offer.Model)
	}
	for _, a := range models.Accounts() {
		if a.From != "" {
			r.ok("agent."+a.Provider, "it has a key: %s", a.From)
		}
	}
}
