package store

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Setting is one effective setting of a configuration.
type Setting struct {
	Name     string // "planning.tools"
	Value    string // as JSON
	FromFile bool   // from config.json; else it is the default
}

// Settings lists every setting in the order of the documentation, with where its
// value came from.
func (c Config) Settings() []Setting {
	named := []struct {
		name  string
		value any
	}{
		{"contentLanguage", c.ContentLanguage}, {"reviewer", c.Reviewer}, {"reviewerLabels", c.ReviewerLabels}, {"theme", c.Theme}, {"ascii", c.ASCII},
		{"keys", c.Keys}, {"agent", c.Agent}, {"model", c.Model}, {"effort", c.Effort}, {"mode", c.Mode},
		{"prompts", c.Prompts}, {"modelPrompts", c.ModelPrompts},
		{"permissions.deny", listed(c.Permissions.Deny)}, {"permissions.allow", listed(c.Permissions.Allow)},
		{"planning.tools", c.Planning.Tools}, {"planning.shell", c.Planning.Shell},
		{"planning.model", c.Planning.Model}, {"planning.effort", c.Planning.Effort},
		{"compaction.auto", c.Compaction.Auto},
		{"providers", c.Providers}, {"mcp", masked(c.MCP)},
		{"gate.surface", c.Gate.Surface}, {"gate.launchers", c.Gate.Launchers}, {"notify", c.Notify}, {"motion", c.Motion},
	}
	out := make([]Setting, len(named))
	for i, n := range named {
		out[i] = Setting{Name: n.name, Value: compact(n.value), FromFile: c.file[n.name]}
	}
	return out
}

// listed writes no entries as an empty list.
func listed(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// masked hides the values that may be secrets: those that do not just name a
// variable.
func masked(servers map[string]Server) map[string]Server {
	out := make(map[string]Server, len(servers))
	for name, s := range servers {
		s.Env, s.Headers = hideValues(s.Env), hideValues(s.Headers)
		out[name] = s
	}
	return out
}

func hideValues(in map[string]string) map[string]string {
	out := make(map[string]string, len(in))
	for name, value := range in {
		if out[name] = value; !strings.HasPrefix(value, "$") && value != "" {
			out[name] = "(set)"
		}
	}
	return out
}

// compact writes a value that was read from JSON, or is a default, as JSON.
func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "?"
	}
	if s := string(bytes.TrimSpace(b.Bytes())); s != "null" {
		return s
	}
	return "{}"
}
