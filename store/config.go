package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	configName  = "config.json"
	configLimit = 1 << 20
)

// Config is the person's configuration. There is no project configuration: a
// repository cannot change what is allowed.
type Config struct {
	ContentLanguage string              `json:"contentLanguage"` // auto, en or zh-CN
	Reviewer        string              `json:"reviewer"`        // auto, revdiff or builtin
	ReviewerLabels  []string            `json:"reviewerLabels"`  // quick labels of the built-in reviewer, at most nine
	Theme           string              `json:"theme"`           // auto, light or dark
	ASCII           bool                `json:"ascii"`
	Keys            map[string][]string `json:"keys"`
	Agent           string              `json:"agent"`  // auto, demo or model
	Model           string              `json:"model"`  // "provider/model"; empty: the first that can run
	Effort          string              `json:"effort"` // low, medium or high; empty leaves it to the model
	Mode            string              `json:"mode"`   // manual, yolo or auto
	Planning        PlanningConfig      `json:"planning"`

	// Prompts are instructions for the modes "plan" and "default" in place of the
	// built-in ones, and ModelPrompts those that belong to a model, by its name.
	Prompts      map[string]string            `json:"prompts"`
	ModelPrompts map[string]map[string]string `json:"modelPrompts"`

	Compaction CompactionConfig    `json:"compaction"`
	Providers  map[string]Provider `json:"providers"`
	MCP        map[string]Server   `json:"mcp"`
	Gate       GateConfig          `json:"gate"`
	Notify     bool                `json:"notify"`
	Motion     string              `json:"motion"` // full or reduced

	Permissions PermissionsConfig `json:"permissions"`

	unread bool            // there is a file that could not be read
	file   map[string]bool // names of the settings that the file gave
}

// PlanningConfig is what holds while planning.
type PlanningConfig struct {
	Tools  []string `json:"tools"` // allowed besides the built-in ones, by exact name
	Shell  string   `json:"shell"` // off or readonly
	Model  string   `json:"model"`
	Effort string   `json:"effort"` // low, medium or high
}

// CompactionConfig is about what an agent is told of a long conversation.
type CompactionConfig struct {
	Auto bool `json:"auto"` // shorten it when the context is nearly full
}

// Server is an MCP server.
type Server struct {
	Command []string          `json:"command"`
	Env     map[string]string `json:"env"` // $NAME and ${NAME} stand for variables of the environment
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"` // of requests to URL, with the same variables
}

// GateConfig is about reviews that other programs ask for.
type GateConfig struct {
	Surface   string              `json:"surface"`
	Launchers map[string][]string `json:"launchers"`
}

// DefaultConfig is the configuration without a file.
func DefaultConfig() Config {
	return Config{
		ContentLanguage: "auto", Reviewer: "auto", ReviewerLabels: []string{"question", "blocker", "nit", "unclear", "out of scope"}, Theme: "auto", Agent: "auto", Mode: "manual",
		Planning: PlanningConfig{Shell: "off", Effort: "medium"},
		Gate:     GateConfig{Surface: "auto"}, Notify: true, Motion: "full", Compaction: CompactionConfig{Auto: true},
	}
}

// LoadConfig reads the configuration. It always returns one that can be used: a
// field with a bad value keeps its default and gives a warning, and so does a
// file that cannot be read at all. The file itself is never changed; a legacy
// file beside it is migrated once.
func LoadConfig(dirs Dirs) (Config, []string) { return LoadConfigWith(dirs, Options{}) }

// LoadConfigWith is LoadConfig with the migration under the probe of o.
func LoadConfigWith(dirs Dirs, o Options) (Config, []string) {
	c, warnings := loadConfig(dirs, o)
	return c, append(warnings, c.settlePrompts(dirs.Config)...)
}

func loadConfig(dirs Dirs, o Options) (Config, []string) {
	path := filepath.Join(dirs.Config, configName)
	b, err := readConfigFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return migrateConfig(dirs, o.Probe)
	}
	if err != nil {
		c := DefaultConfig()
		c.unread = true
		return c, []string{fmt.Sprintf("%s: %v; it is left as it is, and the defaults are used", path, err)}
	}
	c, warnings := parseConfig(path, b)
	return c, append(warnings, ignoredLegacy(dirs, b)...)
}

// ReadConfig is LoadConfig for a program that only looks: nothing is migrated.
func ReadConfig(dirs Dirs) (Config, []string) {
	path := filepath.Join(dirs.Config, configName)
	b, err := readConfigFile(path)
	if err != nil {
		return DefaultConfig(), nil
	}
	return parseConfig(path, b)
}

// readConfigFile may follow symlinks: the file is the person's own, and many
// keep it in a repository of such files.
func readConfigFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, ErrSymlink
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, configLimit+1))
	if err == nil && len(b) > configLimit {
		err = ErrTooLarge
	}
	return b, err
}

// parseConfig reads the text of a configuration; name is for the warnings.
func parseConfig(name string, b []byte) (Config, []string) {
	c := DefaultConfig()
	c.file = map[string]bool{}
	r := &configReader{name: name, taken: c.file}
	if err := json.Unmarshal(b, &r.fields); err != nil || r.fields == nil {
		r.warn("it is not a JSON object (%v); it is left as it is, and the defaults are used", cause(err))
		c.unread = true
		return c, r.warnings
	}
	field(r, "contentLanguage", &c.ContentLanguage, oneOf("auto", "en", "zh-CN"))
	field(r, "reviewer", &c.Reviewer, oneOf("auto", "revdiff", "builtin"))
	field(r, "reviewerLabels", &c.ReviewerLabels, labels)
	field(r, "theme", &c.Theme, oneOf("auto", "light", "dark"))
	field(r, "ascii", &c.ASCII, nil)
	field(r, "keys", &c.Keys, nil)
	field(r, "agent", &c.Agent, oneOf("auto", "demo", "model"))
	field(r, "model", &c.Model, nil)
	field(r, "effort", &c.Effort, oneOf("", "low", "medium", "high"))
	field(r, "mode", &c.Mode, oneOf("manual", "yolo", "auto"))
	field(r, "prompts", &c.Prompts, nil)
	field(r, "modelPrompts", &c.ModelPrompts, nil)
	r.providers(&c.Providers)
	field(r, "mcp", &c.MCP, nil)
	field(r, "notify", &c.Notify, nil)
	field(r, "motion", &c.Motion, oneOf("full", "reduced"))
	c.permissions(r)
	r.object("planning", func(r *configReader) {
		field(r, "planning.tools", &c.Planning.Tools, nil)
		field(r, "planning.shell", &c.Planning.Shell, oneOf("off", "readonly"))
		field(r, "planning.model", &c.Planning.Model, nil)
		field(r, "planning.effort", &c.Planning.Effort, oneOf("low", "medium", "high"))
	})
	r.object("compaction", func(r *configReader) {
		field(r, "compaction.auto", &c.Compaction.Auto, nil)
	})
	r.object("gate", func(r *configReader) {
		field(r, "gate.surface", &c.Gate.Surface, nil)
		field(r, "gate.launchers", &c.Gate.Launchers, nil)
	})
	r.unknown()
	return c, r.warnings
}

func cause(err error) error {
	if err == nil {
		return errors.New("null")
	}
	return err
}

// configReader takes the fields of one object, by their full names.
type configReader struct {
	name     string
	prefix   string
	fields   map[string]json.RawMessage
	taken    map[string]bool // full names of the fields that were good
	warnings []string
}

func (r *configReader) warn(format string, args ...any) {
	r.warnings = append(r.warnings, r.name+": "+fmt.Sprintf(format, args...))
}

func (r *configReader) take(name string) (json.RawMessage, bool) {
	key := strings.TrimPrefix(name, r.prefix)
	raw, ok := r.fields[key]
	delete(r.fields, key)
	return raw, ok
}

// field reads one field. A bad value leaves what was there.
func field[T any](r *configReader, name string, into *T, check func(T) error) {
	raw, ok := r.take(name)
	if !ok {
		return
	}
	var v T
	err := json.Unmarshal(raw, &v)
	if err == nil && string(raw) == "null" {
		err = errors.New("it is null")
	}
	if err == nil && check != nil {
		err = check(v)
	}
	if err != nil {
		r.warn("%s: %v; using %v", name, err, *into)
		return
	}
	*into = v
	r.taken[name] = true
}

// object reads the fields of a nested object.
func (r *configReader) object(name string, read func(*configReader)) {
	raw, ok := r.take(name)
	if !ok {
		return
	}
	inner := &configReader{name: r.name, prefix: name + ".", taken: r.taken}
	if err := json.Unmarshal(raw, &inner.fields); err != nil || inner.fields == nil {
		r.warn("%s: it is not an object; using the defaults", name)
		return
	}
	read(inner)
	inner.unknown()
	r.warnings = append(r.warnings, inner.warnings...)
}

// unknown warns of the fields that nobody took. They stay in the file.
func (r *configReader) unknown() {
	for _, name := range slices.Sorted(maps.Keys(r.fields)) {
		r.warn("unknown key %q is ignored", r.prefix+name)
	}
}

func oneOf(values ...string) func(string) error {
	return func(v string) error {
		if slices.Contains(values, v) {
			return nil
		}
		return fmt.Errorf("%q is none of %s", v, strings.Join(values, ", "))
	}
}
