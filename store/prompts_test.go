package store

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestPromptsOfThePerson(t *testing.T) {
	for _, c := range []struct {
		name    string
		config  string // config.json; empty for none
		files   map[string]string
		want    map[string]string
		models  map[string]map[string]string
		warning string
	}{
		{"nothing", "", nil, nil, nil, ""},
		{"by the names of the modes", `{"prompts":{"plan":"P","default":"D"}}`, nil, map[string]string{"plan": "P", "default": "D"}, nil, ""},
		{"by other names for them", `{"prompts":{"Planning":"P","code":"D"}}`, nil, map[string]string{"plan": "P", "default": "D"}, nil, ""},
		{"the name itself counts before another", `{"prompts":{"code":"A","default":"D","execute":"E"}}`, nil, map[string]string{"default": "D"}, nil, ""},
		{"a mode that is none", `{"prompts":{"yolo":"x"}}`, nil, nil, nil, `"yolo" is no mode`},
		{"from a file without a configuration", "", map[string]string{"plan.md": "from the file"}, map[string]string{"plan": "from the file"}, nil, ""},
		{"the configuration counts before a file, even an empty text", `{"prompts":{"plan":""}}`, map[string]string{"plan.md": "file", "default.md": "D"},
			map[string]string{"plan": "", "default": "D"}, nil, ""},
		{"a file that is no text", "", map[string]string{"plan.md": "\xff"}, nil, nil, "not UTF-8"},
		{"a file that is too large", "", map[string]string{"plan.md": strings.Repeat("x", promptLimit+1)}, nil, nil, "larger than 64 KiB"},
		{"texts of a model, an empty one too", `{"modelPrompts":{"small":{"pair_programming":"","plan":"P"}}}`, nil, nil,
			map[string]map[string]string{"small": {"default": "", "plan": "P"}}, ""},
		{"a wrong type", `{"prompts":["x"]}`, nil, nil, nil, "prompts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dirs := Dirs{Config: t.TempDir()}
			if c.config != "" {
				write(t, filepath.Join(dirs.Config, configName), c.config)
			}
			for name, text := range c.files {
				write(t, filepath.Join(dirs.Config, promptsName, name), text)
			}
			got, warnings := LoadConfig(dirs)
			if len(got.Prompts)+len(c.want) > 0 && !reflect.DeepEqual(got.Prompts, c.want) || len(got.ModelPrompts)+len(c.models) > 0 && !reflect.DeepEqual(got.ModelPrompts, c.models) {
				t.Errorf("got %q, %q", got.Prompts, got.ModelPrompts)
			}
			said := strings.Join(warnings, "\n")
			if c.warning == "" && said != "" || !strings.Contains(said, c.warning) {
				t.Errorf("warned %q", said)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
