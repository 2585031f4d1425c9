package keymap

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestDefaultsAreValidAndDoNotClash(t *testing.T) {
	m, warnings := New(nil)
	if len(warnings) > 0 {
		t.Error(warnings)
	}
	for _, b := range m.Bindings() {
		keys, bad := parseAll(b.Action, b.Keys)
		if len(bad) > 0 || !slices.Equal(keys, b.Keys) || b.Does == "" {
			t.Errorf("%s: %q, %q", b.Action, keys, bad)
		}
	}
}

func TestHint(t *testing.T) {
	m, _ := New(map[string][]string{"plan.steps": {}, "expand": {"alt++"}, "redraw": {"f5"}})
	for action, want := range map[Action]string{
		PlanToggle: "Ctrl+Alt+P", PlanSteps: "", Expand: "Alt++", Interrupt: "Esc Esc", Redraw: "F5",
		PageUp: "PgUp", Newline: "Alt+Enter", "no such": "",
	} {
		if got := m.Hint(action); got != want {
			t.Errorf("%s: %q, want %q", action, got, want)
		}
	}
}

func TestOverrides(t *testing.T) {
	tests := []struct {
		name    string
		action  Action
		keys    []string
		want    []string
		warning string
	}{
		{"modifiers come in any order and case", PlanToggle, []string{"Alt+CTRL+P"}, []string{"ctrl+alt+p"}, ""},
		{"aliases are known", Interrupt, []string{"escape escape", "option+escape"}, []string{"esc esc", "alt+esc"}, ""},
		{"an empty list unbinds", Expand, []string{}, nil, ""},
		{"a bad key leaves the good ones", Expand, []string{"ctrl+nope", "f3"}, []string{"f3"}, "is not the name of a key"},
		{"only bad keys leave the default", Expand, []string{"hyperdrive+x"}, []string{"ctrl+o"}, "modifier"},
		{"a letter would type text", PlanToggle, []string{"p"}, []string{"ctrl+alt+p", "shift+tab"}, "types text"},
		{"a shifted letter would type text", PlanToggle, []string{"shift+p"}, []string{"ctrl+alt+p", "shift+tab"}, "types text"},
		{"a lone esc may not interrupt", Interrupt, []string{"esc"}, []string{"esc esc", "alt+esc"}, "first half"},
		{"two different keys are no pair", Interrupt, []string{"esc tab"}, []string{"esc esc", "alt+esc"}, "same key twice"},
		{"a repeated modifier is refused", Expand, []string{"ctrl+ctrl+x"}, []string{"ctrl+o"}, "twice"},
		{"nothing is not a key", Expand, []string{""}, []string{"ctrl+o"}, "is not one key"},
		{"an unknown action is named", "fly", []string{"f9"}, nil, `unknown action "fly"`},
		{"a clash is named", Expand, []string{"ctrl+l"}, []string{"ctrl+l"}, "both expand and redraw"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, warnings := New(map[string][]string{string(tt.action): tt.keys})
			var got []string
			for _, b := range m.Bindings() {
				if b.Action == tt.action {
					got = b.Keys
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("keys %q, want %q", got, tt.want)
			}
			all := strings.Join(warnings, "\n")
			if (tt.warning == "") != (all == "") || !strings.Contains(all, tt.warning) {
				t.Errorf("warnings %q, want %q", all, tt.warning)
			}
		})
	}
}

func TestLockKeysDoNotMatter(t *testing.T) {
	m, _ := New(nil)
	msg := tea.KeyPressMsg{Code: 'p', Mod: tea.ModCtrl | tea.ModAlt | tea.ModNumLock | tea.ModCapsLock}
	if name := msg.String(); !m.Has(name, PlanToggle) || m.Action(name) != PlanToggle || m.Has(name, Expand) {
		t.Errorf("%s is not plan.toggle", msg)
	}
	if m.Has("esc", Interrupt) {
		t.Error("a lone esc interrupts")
	}
}

func TestPresses(t *testing.T) {
	ms := time.Millisecond
	type press struct {
		key  string
		wait time.Duration
		want string
	}
	tests := []struct {
		name    string
		presses []press
	}{
		{"two within the window are a pair", []press{{"esc", 0, ""}, {"esc", 500 * ms, "esc esc"}}},
		{"two too far apart are not", []press{{"esc", 0, ""}, {"esc", 501 * ms, ""}, {"esc", 1 * ms, "esc esc"}}},
		{"three are a pair and a first", []press{{"esc", 0, ""}, {"esc", ms, "esc esc"}, {"esc", ms, ""}}},
		{"another key breaks the pair", []press{{"esc", 0, ""}, {"a", ms, ""}, {"esc", ms, ""}}},
		{"ctrl+c has two seconds", []press{{"ctrl+c", 0, ""}, {"ctrl+c", 2000 * ms, "ctrl+c ctrl+c"}}},
		{"a clock that went back makes no pair", []press{{"esc", time.Hour, ""}, {"esc", -time.Minute, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p Presses
			now := time.Unix(1000, 0)
			for i, press := range tt.presses {
				now = now.Add(press.wait)
				if got := p.Press(press.key, now); got != press.want {
					t.Errorf("press %d: %q, want %q", i, got, press.want)
				}
			}
		})
	}
	var p Presses
	p.Press("esc", time.Unix(1, 0))
	p.Reset()
	if p.Press("esc", time.Unix(1, 0)) != "" {
		t.Error("a pair after Reset")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"ctrl+alt+p", "esc esc", "alt++", "+", "shift+tab", "计", "ctrl+", "++", "a b c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, why := parse(s)
		if why != "" {
			return
		}
		again, why := parse(key)
		if why != "" || again != key {
			t.Errorf("%q gives %q, which gives %q (%s)", s, key, again, why)
		}
		if Display(key) == "" {
			t.Errorf("%q has no display form", key)
		}
	})
}
