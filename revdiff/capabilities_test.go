package revdiff

import "testing"

func TestCapabilities(t *testing.T) {
	for name, c := range map[string]struct {
		r           Reviewer
		can, cannot int
	}{
		"the built-in reviewer can do everything": {Reviewer{Builtin: true}, len(used), 0},
		"one that was not probed is not trusted":  {Reviewer{}, 0, len(used)},
		"a flag that was probed counts":           {Reviewer{}.with(knowledge{Flags: []string{"compare-old", "only"}}), 1, len(used) - 1},
	} {
		t.Run(name, func(t *testing.T) {
			if can, cannot := c.r.Capabilities(); len(can) != c.can || len(cannot) != c.cannot {
				t.Errorf("can %q, cannot %q", can, cannot)
			}
		})
	}
}
