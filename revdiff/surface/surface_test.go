package surface

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestASurfaceIsFoundByNameOrByWhatIsAround(t *testing.T) {
	own := map[string][]string{"kitty": {"kitty", "--title={id}", "{command}"}, "bad": {"x"}}
	for _, c := range []struct {
		name, asked string
		env         []string
		want, fails string
	}{
		{"in tmux", Auto, []string{"TMUX=/tmp/x,1,0"}, "tmux new-window -n review env planmode attach 1", ""},
		{"in zellij", Auto, []string{"ZELLIJ=0"}, "zellij run --close-on-exit --name review -- env planmode attach 1", ""},
		{"nowhere", Auto, nil, "", ErrNone.Error()},
		{"a popup", TmuxPopup, nil, "tmux display-popup -E -w 95% -h 95% env planmode attach 1", ""},
		{"a launcher", "kitty", nil, "kitty --title=1 env planmode attach 1", ""},
		{"a launcher that runs nothing", "bad", nil, "", "{command}"},
		{"unknown", "emacs", nil, "", "there are auto, terminal, tmux, tmux-popup, zellij, inbox, bad, kitty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Find(c.asked, c.env, own)
			if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Fatalf("error %v, want %q", err, c.fails)
			}
			if err != nil {
				return
			}
			got := expand(s.argv, Request{Command: Command(nil, "planmode", "attach", "1"), ID: "1"})
			if !slices.Equal(got, strings.Fields(c.want)) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestASurfaceThatFailsSaysSo(t *testing.T) {
	own := map[string][]string{"no": {"false", "{command}"}, "gone": {"no-such-program-here", "{command}"}}
	for name := range own {
		s, err := Find(name, nil, own)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Open(t.Context(), Request{Command: []string{"true"}}); err == nil || errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
