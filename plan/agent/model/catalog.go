package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"planmode/plan/agent"
	"planmode/plan/text"
	"planmode/store"
)

// agentName is what the status line calls this agent.
const agentName = "model"

// provider is a provider with everything that was said of it.
type provider struct {
	name, kind, baseURL, api, region string

	keyEnvs    []string
	configured bool // the person named it, so it may need no key
	models     []store.Model
}

// keyHint says where its key comes from.
func (p provider) keyHint() string {
	set := "planmode auth set " + p.name
	if len(p.keyEnvs) == 0 {
		return "the key (" + set + ")"
	}
	return p.keyEnvs[0] + ", or the key of " + set
}

// providers lists the person's own first, by name, then those that are built in
// and not among them.
func (a *Agent) providers() []provider {
	var out []provider
	for _, name := range slices.Sorted(maps.Keys(a.opt.Config.Providers)) {
		out = append(out, a.configured(name, a.opt.Config.Providers[name]))
	}
	for _, b := range builtins {
		if _, taken := a.opt.Config.Providers[b.kind]; !taken {
			out = append(out, a.builtin(b))
		}
	}
	return out
}

func (a *Agent) builtin(b builtin) provider {
	p := provider{name: b.kind, kind: b.kind, keyEnvs: b.keyEnvs, models: b.models}
	if b.baseEnv != "" {
		p.baseURL = a.opt.Getenv(b.baseEnv)
	}
	if b.kind == store.KindAzure {
		if d := a.opt.Getenv("AZURE_OPENAI_DEPLOYMENT"); d != "" {
			p.models = []store.Model{{Name: d}}
		}
	}
	return p
}

func (a *Agent) configured(name string, c store.Provider) provider {
	kind := c.Kind
	if kind == "" {
		kind = name
	}
	p := provider{name: name, kind: kind, baseURL: c.BaseURL, api: c.API, region: c.Region, configured: true, models: c.Models}
	if c.KeyEnv != "" {
		p.keyEnvs = []string{c.KeyEnv}
	}
	for _, b := range builtins {
		if b.kind != kind {
			continue
		}
		if c.KeyEnv == "" && c.BaseURL == "" { // a key belongs to the host it was made for
			p.keyEnvs = b.keyEnvs
		}
		if len(p.models) == 0 && name == kind {
			p.models = b.models
		}
		if p.baseURL == "" && b.baseEnv != "" {
			p.baseURL = a.opt.Getenv(b.baseEnv)
		}
	}
	return p
}

// envKey is the key from the environment, and the variable it came from.
func (a *Agent) envKey(p provider) (key, env string) {
	for _, name := range p.keyEnvs {
		if v := strings.TrimSpace(a.opt.Getenv(name)); v != "" {
			return v, name
		}
	}
	return "", ""
}

// problem says why p cannot be used now; empty if it can. It does not ask the
// keyring, only whether it holds something.
func (a *Agent) problem(p provider, held map[string]bool) string {
	if p.kind == store.KindAzure && p.baseURL == "" {
		return "it has no address: set AZURE_OPENAI_ENDPOINT, or its baseURL in config.json"
	}
	if _, env := a.envKey(p); env != "" || held[p.name] {
		return ""
	}
	switch {
	case p.kind == store.KindCompatible, p.configured && p.baseURL != "" && len(p.keyEnvs) == 0:
		return "" // a server of the person's own, which may ask for no key
	case p.kind == store.KindBedrock:
		if a.opt.Getenv("AWS_ACCESS_KEY_ID") != "" || a.opt.Getenv("AWS_PROFILE") != "" {
			return ""
		}
		return "there are no AWS credentials: set AWS_PROFILE, AWS_ACCESS_KEY_ID or AWS_BEARER_TOKEN_BEDROCK"
	case len(p.keyEnvs) > 0:
		return fmt.Sprintf("there is no key: set %s, or run planmode auth set %s", p.keyEnvs[0], p.name)
	}
	return "there is no key: run planmode auth set " + p.name
}

// heldKeys is which providers have a key kept. A list that cannot be read holds
// none: what is missing is then said of each provider.
func (a *Agent) heldKeys() map[string]bool {
	held := map[string]bool{}
	if a.opt.Keys == nil {
		return held
	}
	list, err := a.opt.Keys.List()
	if err != nil {
		return held
	}
	for _, h := range list {
		held[h.Provider] = true
	}
	return held
}

// Offers implements agent.Picker.
func (a *Agent) Offers() []agent.Offer {
	var out []agent.Offer
	held := a.heldKeys()
	for _, p := range a.providers() {
		problem := a.problem(p, held)
		for _, m := range p.models {
			out = append(out, offer(p, guess(p.kind, m), problem))
		}
	}
	return out
}

func offer(p provider, m store.Model, problem string) agent.Offer {
	return agent.Offer{
		Agent: agentName, Model: p.name + "/" + m.Name, Provider: p.name,
		Problem: problem, Window: m.Window, Images: m.Images,
	}
}

// Resolve implements agent.Picker.
func (a *Agent) Resolve(name string) agent.Offer {
	p, m, problem := a.find(name)
	if p.name == "" {
		return agent.Offer{Agent: agentName, Model: text.Line(name), Problem: problem}
	}
	return offer(p, m, problem)
}

// find looks a name up: "provider/model", a provider for its first model, or a
// model that a provider lists. The empty name is the configured default or,
// without one, the first that can run.
func (a *Agent) find(name string) (provider, store.Model, string) {
	held, all := a.heldKeys(), a.providers()
	if name == "" {
		name = a.opt.Config.Model
	}
	if name == "" {
		return a.first(all, held)
	}
	prefix, rest, _ := strings.Cut(name, "/")
	for _, p := range all {
		if p.name != prefix {
			continue
		}
		if rest == "" && len(p.models) == 0 {
			return p, store.Model{}, "it has no models: name one, as in " + p.name + "/MODEL"
		}
		if rest == "" {
			rest = p.models[0].Name
		}
		return p, guess(p.kind, p.model(rest)), a.problem(p, held)
	}
	for _, p := range all {
		for _, m := range p.models {
			if m.Name == name && a.problem(p, held) == "" {
				return p, guess(p.kind, m), ""
			}
		}
	}
	return provider{}, store.Model{}, fmt.Sprintf("there is no provider %q; a model is named PROVIDER/MODEL", text.Truncate(text.Line(prefix), 40))
}

// first is the default when none is configured. AWS credentials are there for
// many reasons, so they choose Bedrock for nobody who did not name it.
func (a *Agent) first(all []provider, held map[string]bool) (provider, store.Model, string) {
	for _, p := range all {
		_, env := a.envKey(p)
		if p.kind == store.KindBedrock && !p.configured && env == "" {
			continue
		}
		if len(p.models) > 0 && a.problem(p, held) == "" {
			return p, guess(p.kind, p.models[0]), ""
		}
	}
	return provider{}, store.Model{}, "no provider has a key"
}

// model is the model of that name, also one that nobody listed.
func (p provider) model(name string) store.Model {
	for _, m := range p.models {
		if m.Name == name {
			return m
		}
	}
	return store.Model{Name: name}
}
