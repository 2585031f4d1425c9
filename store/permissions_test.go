package store

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestDenyRulesThatAreNoTextAreKeptAsUnreadable(t *testing.T) {
	for _, c := range []struct {
		text        string
		deny, allow []string
		warnings    int
	}{
		{`{}`, nil, nil, 0},
		{`{"permissions":{}}`, nil, nil, 0},
		{`{"permissions":{"deny":null,"allow":null}}`, nil, nil, 0},
		{`{"permissions":{"deny":["bash git push"],"allow":["bash go test"]}}`, []string{"bash git push"}, []string{"bash go test"}, 0},
		{`{"permissions":{"deny":["a",7,null,{"x":1}]}}`, []string{"a", "?7", "?null", `?{"x":1}`}, nil, 3},
		{`{"permissions":{"deny":"bash rm"}}`, []string{`?"bash rm"`}, nil, 1},
		{`{"permissions":["bash rm"]}`, []string{`?["bash rm"]`}, nil, 1},
		{`{"permissions":null}`, []string{"?null"}, nil, 1},
		{`{"permissions":{"allow":["a",7]}}`, nil, nil, 1},
		{`{"permissions":{"denied":["a"]}}`, nil, nil, 1},
	} {
		got, warnings := LoadConfig(configHome(t, map[string]string{configName: c.text}))
		if !reflect.DeepEqual(got.Permissions, PermissionsConfig{c.deny, c.allow}) || len(warnings) != c.warnings {
			t.Errorf("%s: %+v, %q", c.text, got.Permissions, warnings)
		}
		if got.Unread() {
			t.Errorf("%s counts as unread", c.text)
		}
	}
	for _, text := range []string{`{`, `[]`, ``} {
		if got, _ := LoadConfig(configHome(t, map[string]string{configName: text})); !got.Unread() {
			t.Errorf("%q counts as read", text)
		}
	}
}

// configured is a store whose configuration has this text, if any.
func configured(t *testing.T, text string) (*Store, string) {
	t.Helper()
	base := t.TempDir()
	dirs := Dirs{Config: filepath.Join(base, "config"), Data: filepath.Join(base, "data"), State: filepath.Join(base, "state"), Run: filepath.Join(base, "run")}
	path := filepath.Join(dirs.Config, configName)
	if text != "" {
		if err := os.MkdirAll(dirs.Config, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(dirs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

func TestARuleIsAddedAndTheRestOfTheConfigurationStays(t *testing.T) {
	for _, c := range []struct{ name, was, want string }{
		{"there is no file", "", "{\n  \"permissions\": {\n    \"allow\": [\n      \"bash go test\"\n    ]\n  }\n}\n"},
		{"other settings, unknown ones too, keep their order", `{"zeta": {"b":1, "a":[1,2]}, "theme":"dark"}`,
			"{\n  \"zeta\": {\n    \"b\": 1,\n    \"a\": [\n      1,\n      2\n    ]\n  },\n  \"theme\": \"dark\",\n  \"permissions\": {\n    \"allow\": [\n      \"bash go test\"\n    ]\n  }\n}\n"},
		{"rules that are there stay", `{"permissions":{"deny":["bash rm"],"allow":["a"],"x":1.50},"mode":"yolo"}`,
			"{\n  \"permissions\": {\n    \"deny\": [\n      \"bash rm\"\n    ],\n    \"allow\": [\n      \"a\",\n      \"bash go test\"\n    ],\n    \"x\": 1.50\n  },\n  \"mode\": \"yolo\"\n}\n"},
		{"the rule is there", `{"permissions":{"allow":["bash go test"]}}`, `{"permissions":{"allow":["bash go test"]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, path := configured(t, c.was)
			if err := s.AllowRule("bash go test"); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v", got, err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("the file is %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestAConfigurationThatCannotBeUnderstoodIsNotTouched(t *testing.T) {
	for _, text := range []string{`{`, `[]`, `{"a":1} {}`, `{"permissions":7}`, `{"permissions":{"allow":"x"}}`, `{"a":1,"a":2}`, `{"permissions":null}`, ` `} {
		s, path := configured(t, text)
		if err := s.AllowRule("bash go test"); err == nil {
			t.Errorf("%s: no error", text)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s became %s, %v", text, got, err)
		}
	}
}

func TestAConfigurationThatIsALinkIsNotReplaced(t *testing.T) {
	s, path := configured(t, "{}")
	real := filepath.Join(t.TempDir(), "mine.json")
	if err := os.Rename(path, real); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	if err := s.AllowRule("bash go test"); !errors.Is(err, ErrConfigLink) {
		t.Errorf("got %v", err)
	}
	if got, err := os.ReadFile(real); err != nil || string(got) != "{}" {
		t.Errorf("it became %s, %v", got, err)
	}
}

func FuzzWithRule(f *testing.F) {
	for _, text := range []string{`{}`, `{"permissions":{"allow":["a"],"deny":[1]},"x":{"y":[]}}`, `{"a":1,"a":2}`, `[`, `null`, "{\"\\u0061\":1}"} {
		f.Add([]byte(text), "bash go test")
	}
	f.Fuzz(func(t *testing.T, was []byte, rule string) {
		now, err := withRule(was, rule)
		if err != nil || strings.ContainsRune(rule, '\uFFFD') || string(now) == string(was) {
			return
		}
		again, err := withRule(now, rule)
		if err != nil {
			t.Fatalf("%q became %q, which is not understood: %v", was, now, err)
		}
		if c, _ := parseConfig("x", now); len(c.Permissions.Allow) == 0 {
			t.Fatalf("%q became %q without the rule", was, now)
		}
		if strings.ToValidUTF8(rule, "") == rule && string(again) != string(now) {
			t.Fatalf("adding it twice gives %q and %q", now, again)
		}
	})
}
