package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSettingsTellWhereAValueCameFrom(t *testing.T) {
	dirs := Dirs{Config: t.TempDir()}
	file := `{"theme": "light", "reviewer": "nothing", "planning": {"tools": ["x"]}, "more": 1}`
	if err := os.WriteFile(filepath.Join(dirs.Config, "config.json"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _ := LoadConfig(dirs)
	want := map[string]Setting{
		"theme":          {"theme", `"light"`, true},
		"reviewer":       {"reviewer", `"auto"`, false}, // the file's value is bad
		"planning.tools": {"planning.tools", `["x"]`, true},
		"planning.shell": {"planning.shell", `"off"`, false},
		"keys":           {"keys", `{}`, false},
	}
	for _, s := range c.Settings() {
		if w, ok := want[s.Name]; ok && s != w {
			t.Errorf("got %+v, want %+v", s, w)
		}
		delete(want, s.Name)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

func TestSettingsWithoutAFileAreDefaults(t *testing.T) {
	c, _ := LoadConfig(Dirs{Config: t.TempDir()})
	for _, s := range c.Settings() {
		if s.FromFile {
			t.Errorf("%s is said to come from a file that does not exist", s.Name)
		}
	}
}
