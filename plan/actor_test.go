package plan

import (
	"errors"
	"testing"
)

func TestWhoMayCloseWork(t *testing.T) {
	ref := Ref{Plan: "20260102T030405-plan-0a1b2c3d", Revision: 1, Hash: HashOf([]byte("x"))}
	s := State{Mode: ModeNormal, Work: &Work{Ref: ref, Status: Implementing}}
	for by, want := range map[Actor]struct{ complete, abandon bool }{
		ByUser: {true, true}, ByAgent: {true, true}, ByPlanmode: {false, true}, ByAuto: {}, "": {},
	} {
		for name, c := range map[string]struct {
			ev Event
			ok bool
		}{
			"complete": {WorkCompleted{Ref: ref, By: by}, want.complete},
			"abandon":  {WorkAbandoned{Ref: ref, By: by}, want.abandon},
		} {
			if _, err := Apply(s, c.ev, At{}); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrRefused) {
				t.Errorf("%s by %q: %v", name, by, err)
			}
		}
	}
}
