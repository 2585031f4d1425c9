package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// configHome makes a config directory with the files and returns its dirs.
func configHome(t testing.TB, files map[string]string) Dirs {
	t.Helper()
	d := below(t.TempDir())
	if err := os.Mkdir(d.Config, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(d.Config, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func TestLoadConfig(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want func(c *Config)
		warn []string // one substring a warning
	}{
		"every field is read": {
			text: `{"contentLanguage":"zh-CN","reviewer":"revdiff","reviewerLabels":["why"],"theme":"dark","ascii":true,"keys":{"plan.toggle":["f2"]},
				"agent":"demo","model":"m","mode":"yolo","planning":{"tools":["x"],"shell":"readonly","model":"p","effort":"high"},"compaction":{"auto":false},
				"providers":{"a":{"kind":"openai-compatible","baseURL":"http://localhost:1/v1","keyEnv":"K","models":["m",{"name":"n","window":8192,"images":true}]}},
				"mcp":{"s":{"command":["c"],"env":{"A":"b"},"url":"v","headers":{"H":"$T"}}},"gate":{"surface":"tmux","launchers":{"l":["c"]}},"notify":false,"motion":"reduced"}`,
			want: func(c *Config) {
				*c = Config{ContentLanguage: "zh-CN", Reviewer: "revdiff", ReviewerLabels: []string{"why"}, Theme: "dark", ASCII: true,
					Keys: map[string][]string{"plan.toggle": {"f2"}}, Agent: "demo", Model: "m", Mode: "yolo",
					Planning:  PlanningConfig{Tools: []string{"x"}, Shell: "readonly", Model: "p", Effort: "high"},
					Providers: map[string]Provider{"a": {Kind: KindCompatible, BaseURL: "http://localhost:1/v1", KeyEnv: "K", Models: []Model{{Name: "m"}, {Name: "n", Window: 8192, Images: true}}}},
					MCP:       map[string]Server{"s": {[]string{"c"}, map[string]string{"A": "b"}, "v", map[string]string{"H": "$T"}}},
					Gate:      GateConfig{"tmux", map[string][]string{"l": {"c"}}}, Motion: "reduced"}
			},
		},
		"an empty object gives the defaults": {text: `{}`, want: func(*Config) {}},
		"a bad value falls back alone": {
			text: `{"theme":"neon","reviewer":7,"ascii":true,"notify":null,"motion":"wild","planning":{"shell":"zsh","effort":"low"}}`,
			want: func(c *Config) { c.ASCII, c.Planning.Effort = true, "low" },
			warn: []string{"reviewer", `theme: "neon" is none of auto, light, dark; using auto`, "notify: it is null", `motion: "wild" is none of full, reduced; using full`, "planning.shell"},
		},
		"unknown keys are named": {
			text: `{"zeta":1,"Theme":"dark","planning":{"alpha":2}}`,
			want: func(*Config) {},
			warn: []string{`"planning.alpha"`, `"Theme"`, `"zeta"`},
		},
		"an object that is none gives the defaults": {text: `{"gate":[]}`, want: func(*Config) {}, warn: []string{"gate"}},
		"a list is no configuration":                {text: `[]`, want: func(*Config) {}, warn: []string{"not a JSON object"}},
		"null is no configuration":                  {text: `null`, want: func(*Config) {}, warn: []string{"not a JSON object"}},
		"no JSON is no configuration":               {text: `{"theme":`, want: func(*Config) {}, warn: []string{"not a JSON object"}},
		"an empty file is no configuration":         {text: ``, want: func(*Config) {}, warn: []string{"not a JSON object"}},
		"a huge file is not read":                   {text: strings.Repeat(" ", configLimit+1), want: func(*Config) {}, warn: []string{"too large"}},
	} {
		t.Run(name, func(t *testing.T) {
			dirs := configHome(t, map[string]string{configName: c.text})
			want := DefaultConfig()
			c.want(&want)
			got, warnings := LoadConfig(dirs)
			if !reflect.DeepEqual(values(got), want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if len(warnings) != len(c.warn) {
				t.Fatalf("warnings are %q", warnings)
			}
			for i, w := range c.warn {
				if !strings.Contains(warnings[i], w) {
					t.Errorf("warning %q does not say %q", warnings[i], w)
				}
			}
			if b, _ := os.ReadFile(filepath.Join(dirs.Config, configName)); string(b) != c.text {
				t.Error("the file was changed")
			}
		})
	}
	t.Run("no file gives the defaults and makes nothing", func(t *testing.T) {
		dirs := below(filepath.Join(t.TempDir(), "none"))
		got, warnings := LoadConfig(dirs)
		if !reflect.DeepEqual(values(got), DefaultConfig()) || len(warnings) != 0 {
			t.Errorf("got %+v, %q", got, warnings)
		}
		if _, err := os.Stat(dirs.Config); err == nil {
			t.Error("the directory was made")
		}
	})
	t.Run("a link to the file is followed", func(t *testing.T) {
		dirs := configHome(t, map[string]string{"real.json": `{"ascii":true}`})
		if err := os.Symlink("real.json", filepath.Join(dirs.Config, configName)); err != nil {
			t.Fatal(err)
		}
		if got, warnings := LoadConfig(dirs); !got.ASCII || len(warnings) != 0 {
			t.Errorf("got %+v, %q", got, warnings)
		}
	})
}

func TestLegacyConfigIsMigratedOnce(t *testing.T) {
	dirs := configHome(t, map[string]string{legacyConfigName: `{"contentLanguage":"zh-CN","extra":{"a":1}}`})
	got, warnings := LoadConfig(dirs)
	if got.ContentLanguage != "zh-CN" || len(warnings) != 2 || !strings.Contains(warnings[1], "moved to config.json") {
		t.Fatalf("got %+v, %q", got, warnings)
	}
	b, err := os.ReadFile(filepath.Join(dirs.Config, configName))
	if err != nil || string(b) != "{\n  \"contentLanguage\": \"zh-CN\",\n  \"extra\": {\n    \"a\": 1\n  }\n}\n" {
		t.Errorf("wrote %s, %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(dirs.Config, legacyConfigName)); err == nil {
		t.Error("the legacy file is still in place")
	}
	if _, err := os.Stat(filepath.Join(dirs.Config, legacyConfigName+migratedSuffix)); err != nil {
		t.Error("the legacy file was not kept")
	}
	if again, warnings := LoadConfig(dirs); again.ContentLanguage != "zh-CN" || len(warnings) != 1 {
		t.Errorf("the second time: %+v, %q", again, warnings)
	}
}

func TestLegacyConfigThatIsLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":     `nope`,
		"no object":   `["en"]`,
		"a bad value": `{"contentLanguage":"fr"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dirs := configHome(t, map[string]string{legacyConfigName: text})
			got, warnings := LoadConfig(dirs)
			if !reflect.DeepEqual(values(got), DefaultConfig()) || len(warnings) != 1 {
				t.Errorf("got %+v, %q", got, warnings)
			}
			if b, _ := os.ReadFile(filepath.Join(dirs.Config, legacyConfigName)); string(b) != text {
				t.Error("the legacy file was changed")
			}
			if _, err := os.Stat(filepath.Join(dirs.Config, configName)); err == nil {
				t.Error("config.json was made")
			}
		})
	}
	t.Run("one beside config.json is named if it differs", func(t *testing.T) {
		dirs := configHome(t, map[string]string{configName: `{"contentLanguage":"en","ascii":true}`, legacyConfigName: `{"contentLanguage":"zh-CN"}`})
		if got, warnings := LoadConfig(dirs); got.ContentLanguage != "en" || len(warnings) != 1 || !strings.Contains(warnings[0], "is ignored") {
			t.Errorf("got %+v, %q", got, warnings)
		}
	})
	t.Run("one beside config.json that says the same is not", func(t *testing.T) {
		dirs := configHome(t, map[string]string{configName: `{"contentLanguage":"en","ascii":true}`, legacyConfigName: `{"contentLanguage":"en"}`})
		if _, warnings := LoadConfig(dirs); len(warnings) != 0 {
			t.Errorf("got %q", warnings)
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	b, err := json.Marshal(DefaultConfig())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"theme":1,"planning":{"shell":"x"},"zeta":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _ := parseConfig("config.json", b)
		out, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		again, warnings := parseConfig("config.json", out)
		twice, _ := json.Marshal(again)
		for _, w := range warnings {
			if !strings.Contains(w, "it is null") { // an unset map or list
				t.Fatalf("what was accepted is not accepted again: %s", w)
			}
		}
		if string(twice) != string(out) {
			t.Fatalf("read as\n%s\nthen\n%s", out, twice)
		}
	})
}

// values is c without where they came from.
func values(c Config) Config {
	c.file, c.unread = nil, false
	return c
}

func TestALegacyFileThatSomebodyMigratedMeanwhileIsNotTheDefaults(t *testing.T) {
	dirs := Dirs{Config: t.TempDir()}
	path := filepath.Join(dirs.Config, configName)
	if err := os.WriteFile(path, []byte(`{"contentLanguage":"zh-CN"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	// As it is for a process that looked before the file was there.
	if c, warnings := migrateConfig(dirs, nil); c.ContentLanguage != "zh-CN" || len(warnings) > 0 {
		t.Errorf("%q, %q", c.ContentLanguage, warnings)
	}
}
