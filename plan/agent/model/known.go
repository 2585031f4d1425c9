package model

import (
	"strings"

	"planmode/store"
)

// builtin is a provider that works from its usual variables, with no
// configuration.
type builtin struct {
	kind    string
	keyEnvs []string
	baseEnv string // a variable that moves it elsewhere
	models  []store.Model
}

// builtins are in the order in which a default is looked for. The numbers are
// those that the providers publish for these names; where they are not known
// for sure there are none.
var builtins = []builtin{
	{kind: store.KindAnthropic, keyEnvs: []string{"ANTHROPIC_API_KEY"}, baseEnv: "ANTHROPIC_BASE_URL", models: []store.Model{
		{Name: "claude-sonnet-4-5", Window: 200_000, MaxOutput: 64_000, InputPrice: 3, OutputPrice: 15, CachedPrice: 0.3, Images: true, Effort: true},
		{Name: "claude-opus-4-5", Window: 200_000, MaxOutput: 64_000, InputPrice: 5, OutputPrice: 25, CachedPrice: 0.5, Images: true, Effort: true},
		{Name: "claude-haiku-4-5", Window: 200_000, MaxOutput: 64_000, InputPrice: 1, OutputPrice: 5, CachedPrice: 0.1, Images: true, Effort: true},
	}},
	{kind: store.KindOpenAI, keyEnvs: []string{"OPENAI_API_KEY"}, baseEnv: "OPENAI_BASE_URL", models: []store.Model{
		{Name: "gpt-5.1", Window: 400_000, InputPrice: 1.25, OutputPrice: 10, CachedPrice: 0.125, Images: true, Effort: true},
		{Name: "gpt-5", Window: 400_000, InputPrice: 1.25, OutputPrice: 10, CachedPrice: 0.125, Images: true, Effort: true},
		{Name: "gpt-5-mini", Window: 400_000, InputPrice: 0.25, OutputPrice: 2, CachedPrice: 0.025, Images: true, Effort: true},
	}},
	{kind: store.KindGoogle, keyEnvs: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, models: []store.Model{
		{Name: "gemini-2.5-pro", Window: 1_048_576, Images: true, Effort: true},
		{Name: "gemini-2.5-flash", Window: 1_048_576, Images: true, Effort: true},
	}},
	{kind: store.KindOpenRouter, keyEnvs: []string{"OPENROUTER_API_KEY"}, models: []store.Model{
		{Name: "anthropic/claude-sonnet-4.5", Images: true, Effort: true},
		{Name: "openai/gpt-5.1", Images: true, Effort: true},
	}},
	{kind: store.KindAzure, keyEnvs: []string{"AZURE_OPENAI_API_KEY", "AZURE_API_KEY"}, baseEnv: "AZURE_OPENAI_ENDPOINT"},
	{kind: store.KindBedrock, keyEnvs: []string{"AWS_BEARER_TOKEN_BEDROCK"}, models: []store.Model{
		{Name: "us.anthropic.claude-sonnet-4-5-20250929-v1:0", Window: 200_000, MaxOutput: 64_000, Images: true, Effort: true},
	}},
}

// guess fills in what a model's name tells of it, where the person said nothing.
func guess(kind string, m store.Model) store.Model {
	for _, b := range builtins {
		for _, known := range b.models {
			if b.kind == kind && known.Name == m.Name {
				return over(known, m)
			}
		}
	}
	name := strings.ToLower(m.Name)
	switch {
	case strings.Contains(name, "claude-3-haiku"), strings.Contains(name, "claude-3-opus"):
		m.Images = true
	case strings.Contains(name, "claude-3-5"):
		m.Images = true
	case strings.Contains(name, "claude"), strings.HasPrefix(name, "gemini-"):
		m.Images, m.Effort = true, true
	case kind == store.KindOpenAI && (strings.HasPrefix(name, "gpt-5") || strings.HasPrefix(name, "o3") || strings.HasPrefix(name, "o4")):
		m.Images, m.Effort = true, true
	case kind == store.KindOpenAI && (strings.HasPrefix(name, "gpt-4o") || strings.HasPrefix(name, "gpt-4.1")):
		m.Images = true
	}
	return m
}

// over is known with what the person said laid over it.
func over(known, said store.Model) store.Model {
	out := known
	if said.Window > 0 {
		out.Window = said.Window
	}
	if said.MaxOutput > 0 {
		out.MaxOutput = said.MaxOutput
	}
	if said.InputPrice > 0 || said.OutputPrice > 0 {
		out.InputPrice, out.OutputPrice, out.CachedPrice = said.InputPrice, said.OutputPrice, said.CachedPrice
	}
	return out
}

// claudeOutput is how much a Claude model may answer when nobody said: the API
// demands a number, and refuses one that is too large.
func claudeOutput(name string) int {
	name = strings.ToLower(name)
	switch {
	case strings.Contains(name, "claude-3-5"):
		return 8192
	case strings.Contains(name, "claude-3-7"):
		return 64_000
	case strings.Contains(name, "claude-3"):
		return 4096
	}
	return 32_000
}

// cost is what u costs in US dollars, and whether that is known.
func cost(m store.Model, u usage) (float64, bool) {
	if m.InputPrice == 0 || m.OutputPrice == 0 {
		return 0, false
	}
	cached := m.CachedPrice
	if cached == 0 {
		cached = m.InputPrice
	}
	write := m.InputPrice
	if u.cacheWrite > 0 {
		write *= 1.25 // what the one provider that charges for it asks
	}
	sum := float64(u.input)*m.InputPrice + float64(u.cacheRead)*cached + float64(u.cacheWrite)*write + float64(u.output)*m.OutputPrice
	return sum / 1e6, true
}
