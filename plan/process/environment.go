package process

import "strings"

// secrets are the variables by which providers of models, the clouds that sell
// them, and GitHub take credentials, besides every name that ends in one of
// secretEndings.
var secrets = map[string]bool{
	"ANTHROPIC_AUTH_TOKEN":     true,
	"CLAUDE_CODE_OAUTH_TOKEN":  true,
	"AWS_SECRET_ACCESS_KEY":    true,
	"AWS_SESSION_TOKEN":        true,
	"AWS_BEARER_TOKEN_BEDROCK": true,
	"HF_TOKEN":                 true,
	"HUGGINGFACE_TOKEN":        true,
	"HUGGING_FACE_HUB_TOKEN":   true,
	"REPLICATE_API_TOKEN":      true,
	"COPILOT_GITHUB_TOKEN":     true,

	// With these a child could write to GitHub, which takes the approval of a person.
	"PLANMODE_GITHUB_TOKEN":   true,
	"GH_TOKEN":                true,
	"GITHUB_TOKEN":            true,
	"GH_ENTERPRISE_TOKEN":     true,
	"GITHUB_ENTERPRISE_TOKEN": true,
}

// secretEndings covers ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY,
// GOOGLE_API_KEY, OPENROUTER_API_KEY and whatever provider comes next.
var secretEndings = []string{"_API_KEY", "_APIKEY", "_API_KEYS"}

// Environment is base without the keys of model providers and of GitHub and without
// the variables named in drop (where a person's own provider takes its key). No
// child of ours needs them, and what it prints goes to a model.
func Environment(base []string, drop ...string) []string {
	kept := make([]string, 0, len(base))
	for _, pair := range base {
		name, _, _ := strings.Cut(pair, "=")
		if !secret(name, drop) {
			kept = append(kept, pair)
		}
	}
	return kept
}

// Lookup reads a variable from a list of pairs; the last one counts.
func Lookup(env []string, name string) string {
	value := ""
	for _, pair := range env {
		if key, v, ok := strings.Cut(pair, "="); ok && key == name {
			value = v
		}
	}
	return value
}

func secret(name string, drop []string) bool {
	upper := strings.ToUpper(name)
	if secrets[upper] || strings.HasPrefix(upper, "AZURE_") && strings.HasSuffix(upper, "KEY") {
		return true
	}
	for _, ending := range secretEndings {
		if strings.HasSuffix(upper, ending) {
			return true
		}
	}
	for _, d := range drop {
		if strings.EqualFold(name, d) {
			return true
		}
	}
	return false
}
