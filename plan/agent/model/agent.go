package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"planmode/plan/agent"
	"planmode/store"
)

// Keys is where keys are kept that are not in the environment.
type Keys interface {
	Get(provider string) (string, error)
	List() ([]store.Held, error)
}

// Options are what the agent takes from its surroundings. Config and Getenv are
// needed.
type Options struct {
	Config store.Config
	Keys   Keys // nil: only the environment has keys
	Getenv func(string) string
	Base   http.RoundTripper // nil: the network

	Now func() time.Time
	// Wait waits and returns the context's error when that ends first.
	Wait func(ctx context.Context, d time.Duration) error

	// FirstByte and Idle bound the silence before an answer begins and within
	// it; zero stands for five and two minutes.
	FirstByte, Idle time.Duration
}

// Agent runs turns on language models. It keeps nothing between turns but open
// connections, and is safe for concurrent use.
type Agent struct {
	opt Options
}

var (
	_ agent.Picker     = (*Agent)(nil)
	_ agent.Summarizer = (*Agent)(nil)
)

// New makes the agent. Nothing is asked of any provider before a turn runs.
func New(o Options) *Agent {
	if o.Base == nil {
		o.Base = newBase()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.FirstByte == 0 {
		o.FirstByte = 5 * time.Minute
	}
	if o.Idle == 0 {
		o.Idle = 2 * time.Minute
	}
	return &Agent{opt: o}
}

// Name is "model".
func (a *Agent) Name() string { return agentName }

// Model is the default, as "provider/model".
func (a *Agent) Model() string { return a.Resolve("").Model }

// resolved is a model that can be asked: everything found and read.
type resolved struct {
	provider provider
	model    store.Model
	name     string // "provider/model"
	key      string
	base     http.RoundTripper
}

// resolve finds a model and its key. The error is a sentence for the person.
func (a *Agent) resolve(name string) (*resolved, error) {
	p, m, problem := a.find(name)
	if p.name == "" {
		return nil, errors.New(problem)
	}
	full := p.name + "/" + m.Name
	if problem != "" {
		return nil, fmt.Errorf("%s cannot run: %s", full, problem)
	}
	key, _ := a.envKey(p)
	if key == "" && a.opt.Keys != nil {
		kept, err := a.opt.Keys.Get(p.name)
		if err != nil && !errors.Is(err, store.ErrNoKey) {
			return nil, fmt.Errorf("%s cannot run: %w", full, err)
		}
		key = kept
	}
	return &resolved{provider: p, model: m, name: full, key: key, base: a.opt.Base}, nil
}

// wait is the Wait of an agent that runs in real time.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
