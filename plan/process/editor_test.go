package process

import (
	"slices"
	"testing"
)

func TestEditor(t *testing.T) {
	cases := map[string]struct {
		visual, editor string
		want           []string
	}{
		"none":                 {"", "", []string{"vi"}},
		"blank counts as none": {"  ", "", []string{"vi"}},
		"editor":               {"", "nano", []string{"nano"}},
		"visual":               {"code --wait", "", []string{"code", "--wait"}},
		"editor comes first":   {"code --wait", "nano", []string{"nano"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}
			if got := Editor(func(n string) string { return env[n] }); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
