package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"planmode/plan/prompt"
)

const (
	promptsName = "prompts" // the directory beside config.json
	promptLimit = 64 << 10
)

// settlePrompts brings the names of modes in the configuration to one form, and
// adds the files prompts/<mode>.md for modes of which config.json says nothing.
func (c *Config) settlePrompts(dir string) (warnings []string) {
	warn := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	c.Prompts = byMode("prompts", c.Prompts, warn)
	for _, model := range slices.Sorted(maps.Keys(c.ModelPrompts)) {
		c.ModelPrompts[model] = byMode("modelPrompts."+model, c.ModelPrompts[model], warn)
	}
	for _, p := range prompt.Presets {
		if _, given := c.Prompts[p.Name]; given {
			continue
		}
		path := filepath.Join(dir, promptsName, p.Name+".md")
		b, err := readConfigFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			warn("%s: %v; the built-in instructions are used", path, err)
		case len(b) > promptLimit || !utf8.Valid(b):
			warn("%s: it is larger than %d KiB or not UTF-8; the built-in instructions are used", path, promptLimit>>10)
		default:
			if c.Prompts == nil {
				c.Prompts = map[string]string{}
			}
			c.Prompts[p.Name] = string(b)
		}
	}
	return warnings
}

// byMode reads the names of modes. Of two names for one mode the one that the
// mode is called by counts.
func byMode(where string, texts map[string]string, warn func(string, ...any)) map[string]string {
	out := map[string]string{}
	for _, given := range slices.Sorted(maps.Keys(texts)) {
		name, ok := prompt.ModeName(given)
		switch _, twice := out[name]; {
		case !ok:
			warn("%s: %q is no mode; the modes are plan and default", where, given)
			continue
		case twice && !strings.EqualFold(strings.TrimSpace(given), name):
			continue
		}
		out[name] = texts[given]
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
