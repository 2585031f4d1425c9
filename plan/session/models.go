package session

import (
	"errors"
	"fmt"
	"slices"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tree"
)

// Efforts are how hard a model can be told to think; empty leaves it to the
// model.
var Efforts = []string{"low", "medium", "high"}

// ErrNoChoice reports an agent that runs on nothing that could be chosen.
var ErrNoChoice = errors.New("this agent has no models to choose from")

// models is what the person chose to run on, as the branch has it, and what is
// known of those choices. mu of the session guards it.
type models struct {
	epoch, seen int
	by          map[plan.Mode]tree.Model
	offers      map[string]agent.Offer
}

// choice is the model and the effort of a turn in mode. It needs mu.
func (s *Session) choice(mode plan.Mode) (model, effort string) {
	c := &s.models
	if c.by == nil || c.epoch != s.epoch || c.seen > len(s.branch) {
		c.by, c.epoch, c.seen = map[plan.Mode]tree.Model{}, s.epoch, 0
	}
	for ; c.seen < len(s.branch); c.seen++ {
		c.fold(s.branch[c.seen])
	}
	if mode != plan.ModePlanning {
		mode = plan.ModeNormal
	}
	now := c.by[mode]
	model, effort = now.Model, now.Effort
	config := s.opt.Config
	switch {
	case model == "" && mode == plan.ModePlanning && config.Planning.Model != "":
		model = config.Planning.Model
	case model == "":
		model = config.Model
	}
	switch {
	case effort == "" && mode == plan.ModePlanning:
		effort = config.Planning.Effort // never the one of the other mode
	case effort == "":
		effort = config.Effort
	}
	return model, effort
}

// fold takes what an entry says of the model or the effort; the other stays.
func (c *models) fold(e Item) {
	if e.Kind != tree.KindModel {
		return
	}
	m, err := tree.Decode[tree.Model](e)
	if err != nil {
		return
	}
	for _, mode := range []plan.Mode{plan.ModeNormal, plan.ModePlanning} {
		if m.For != "" && m.For != mode {
			continue
		}
		now := c.by[mode]
		if m.Agent != "" {
			now.Agent, now.Model = m.Agent, m.Model
			if m.Model == "" {
				now.Model = m.Agent // the demo agent is chosen by its name
			}
		}
		if m.Effort != "" {
			now.Effort = m.Effort
		}
		c.by[mode] = now
	}
}

// runsOn is what a turn in mode runs on, as far as it is known. It needs mu.
func (s *Session) runsOn(mode plan.Mode) agent.Offer {
	model, _ := s.choice(mode)
	if o, ok := s.models.offers[model]; ok {
		return o
	}
	if _, picks := s.opt.Agent.(agent.Picker); picks {
		return agent.Offer{Agent: s.opt.Agent.Name(), Model: model}
	}
	return agent.Offer{Agent: s.opt.Agent.Name(), Model: s.opt.Agent.Model()}
}

// lookUp asks what the choices stand for now: a key may have come or gone. It
// reads the disk.
func (s *Session) lookUp() {
	picker, ok := s.opt.Agent.(agent.Picker)
	if !ok {
		return
	}
	s.mu.Lock()
	normal, _ := s.choice(plan.ModeNormal)
	planning, _ := s.choice(plan.ModePlanning)
	s.mu.Unlock()
	offers := map[string]agent.Offer{normal: picker.Resolve(normal)}
	if planning != normal {
		offers[planning] = picker.Resolve(planning)
	}
	s.mu.Lock()
	s.models.offers = offers
	s.mu.Unlock()
	s.poke()
}

// beginModels takes the model of the command line, and says at the start what
// would otherwise only be said when a message is sent.
func (s *Session) beginModels() {
	if _, ok := s.opt.Agent.(agent.Picker); !ok {
		return
	}
	if s.opt.Model != "" && s.readOnly() == nil {
		if err := s.ChooseModel(s.opt.Model, ""); err != nil {
			s.say(tree.Warning, "--model %s is not used: %v.", s.opt.Model, err)
		}
	}
	s.lookUp()
	s.mu.Lock()
	o := s.runsOn(s.state.Mode)
	s.mu.Unlock()
	if o.Problem != "" {
		s.say(tree.Warning, "No turn can run on %s now: %s. /model chooses another; planmode doctor says more.", orThe(o.Model), o.Problem)
	}
}

func orThe(model string) string {
	if model == "" {
		return "a model"
	}
	return model
}

// Offers lists what turns can run on. It reads the disk.
func (s *Session) Offers() []agent.Offer {
	if p, ok := s.opt.Agent.(agent.Picker); ok {
		return p.Offers()
	}
	return nil
}

// ChooseModel makes the turns of a mode run on a model from the next one on;
// the empty mode is both. One that cannot run now may be chosen: what it lacks
// is said, and it may come.
func (s *Session) ChooseModel(name string, mode plan.Mode) error {
	p, ok := s.opt.Agent.(agent.Picker)
	if !ok {
		return ErrNoChoice
	}
	if err := s.readOnly(); err != nil {
		return fmt.Errorf("the session can only be read: %w", err)
	}
	o := p.Resolve(name)
	if o.Provider == "" && o.Problem != "" {
		return errors.New(o.Problem)
	}
	if err := s.record(tree.KindModel, tree.Model{Agent: o.Agent, Model: o.Model, For: mode}); err != nil {
		return fmt.Errorf("the choice could not be recorded, so nothing changed: %w", err)
	}
	s.mu.Lock()
	s.usage.ContextTokens, s.usage.Window = 0, 0 // of the model before
	s.mu.Unlock()
	s.lookUp()
	if o.Problem != "" {
		s.say(tree.Warning, "%s is chosen, but cannot run yet: %s.", orThe(o.Model), o.Problem)
	}
	return nil
}

// ChooseEffort makes the turns of a mode think that hard. The other mode keeps
// its own.
func (s *Session) ChooseEffort(effort string, mode plan.Mode) error {
	if _, ok := s.opt.Agent.(agent.Picker); !ok {
		return ErrNoChoice
	}
	if !slices.Contains(Efforts, effort) {
		return fmt.Errorf("%q is none of low, medium, high", effort)
	}
	if err := s.readOnly(); err != nil {
		return fmt.Errorf("the session can only be read: %w", err)
	}
	if mode != plan.ModePlanning {
		mode = plan.ModeNormal
	}
	if err := s.record(tree.KindModel, tree.Model{Effort: effort, For: mode}); err != nil {
		return fmt.Errorf("the choice could not be recorded, so nothing changed: %w", err)
	}
	return nil
}

// spend adds what the last turn cost to the session. It needs mu.
func (s *Session) spend() {
	s.spent += s.usage.Cost
	s.usage.Cost = 0
}

// bind gives a turn its model and effort.
func (s *Session) bind(t *turn) {
	s.lookUp()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spend()
	t.runs, t.effort = s.choice(t.mode)
	t.offer = s.runsOn(t.mode)
}
