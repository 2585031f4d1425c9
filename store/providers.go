package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// The kinds of provider.
const (
	KindAnthropic  = "anthropic"
	KindOpenAI     = "openai"
	KindGoogle     = "google"
	KindOpenRouter = "openrouter"
	KindAzure      = "azure"
	KindBedrock    = "bedrock"
	KindCompatible = "openai-compatible"
)

// ProviderKinds lists every kind of provider.
var ProviderKinds = []string{KindAnthropic, KindOpenAI, KindGoogle, KindOpenRouter, KindAzure, KindBedrock, KindCompatible}

// Provider is a model provider that the person added, or what they changed of
// one that is built in, under its name.
type Provider struct {
	Kind    string  `json:"kind"` // one of ProviderKinds; empty for the built-in provider of that name
	BaseURL string  `json:"baseURL,omitempty"`
	KeyEnv  string  `json:"keyEnv,omitempty"` // the name of the variable, never a key
	API     string  `json:"api,omitempty"`    // of OpenAI's kinds: responses or chat; empty: what the kind speaks
	Region  string  `json:"region,omitempty"` // of bedrock
	Models  []Model `json:"models,omitempty"`
}

// Model is a model of a provider, and what the person knows about it. In the
// file it is its name, or an object. A zero number is unknown.
type Model struct {
	Name        string  `json:"name"`
	Window      int     `json:"window,omitempty"`     // tokens of context
	MaxOutput   int     `json:"maxOutput,omitempty"`  // tokens of one answer
	InputPrice  float64 `json:"inputPrice,omitempty"` // US dollars a million tokens
	OutputPrice float64 `json:"outputPrice,omitempty"`
	CachedPrice float64 `json:"cachedPrice,omitempty"` // of input that was cached; absent: like other input
	Images      bool    `json:"images,omitempty"`      // it takes images
	Effort      bool    `json:"effort,omitempty"`      // it takes a reasoning effort
}

// UnmarshalJSON reads a name or an object.
func (m *Model) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*m = Model{}
		return json.Unmarshal(b, &m.Name)
	}
	type plain Model
	return json.Unmarshal(b, (*plain)(m))
}

// providers reads the providers one by one: a bad one is warned about and left
// out, the others stay.
func (r *configReader) providers(into *map[string]Provider) {
	var raw map[string]json.RawMessage
	field(r, "providers", &raw, nil)
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		var p Provider
		err := json.Unmarshal(raw[name], &p)
		if err == nil {
			err = p.check(name)
		}
		if err != nil {
			r.warn("providers.%s: %v; it is left out", name, err)
			continue
		}
		if *into == nil {
			*into = map[string]Provider{}
		}
		(*into)[name] = p
	}
}

func (p Provider) check(name string) error {
	if name == "" || strings.ContainsAny(name, "/ \t\n") {
		return errors.New("its name must be one word without a slash")
	}
	if p.Kind == "" && !slices.Contains(ProviderKinds, name) {
		return fmt.Errorf("it needs a kind: one of %s", strings.Join(ProviderKinds, ", "))
	}
	if p.Kind != "" && !slices.Contains(ProviderKinds, p.Kind) {
		return fmt.Errorf("kind %q is none of %s", p.Kind, strings.Join(ProviderKinds, ", "))
	}
	if p.Kind == KindCompatible && p.BaseURL == "" {
		return errors.New("an openai-compatible provider needs a baseURL")
	}
	if p.BaseURL != "" {
		u, err := url.Parse(p.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			return errors.New("baseURL must be an http or https address without a user name or password")
		}
	}
	if p.API != "" && p.API != "responses" && p.API != "chat" {
		return fmt.Errorf("api %q is neither responses nor chat", p.API)
	}
	for _, m := range p.Models {
		if m.Name == "" {
			return errors.New("a model has no name")
		}
		if m.Window < 0 || m.MaxOutput < 0 || m.InputPrice < 0 || m.OutputPrice < 0 || m.CachedPrice < 0 {
			return fmt.Errorf("model %q has a negative number", m.Name)
		}
	}
	return nil
}

// Secrets names the variables that hold the keys of the person's own providers:
// no child of ours gets them.
func (c Config) Secrets() []string {
	var names []string
	for _, p := range c.Providers {
		if p.KeyEnv != "" {
			names = append(names, p.KeyEnv)
		}
	}
	slices.Sort(names)
	return names
}
