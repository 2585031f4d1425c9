package tree

import (
	"testing"

	"planmode/plan"
)

func TestTheLatestPermissionModeOfABranchIsInForce(t *testing.T) {
	mode := func(m plan.Permission) PermissionMode { return PermissionMode{Mode: m, Why: PermissionChosen} }
	for _, c := range []struct {
		name string
		give []any
		want plan.Permission
	}{
		{"no entry is manual", nil, plan.PermissionManual},
		{"one entry", []any{mode(plan.PermissionYolo)}, plan.PermissionYolo},
		{"the latest wins", []any{mode(plan.PermissionAuto), mode(plan.PermissionManual)}, plan.PermissionManual},
		{"a mode that nobody knows is manual", []any{mode(plan.PermissionYolo), mode("turbo")}, plan.PermissionManual},
		{"an entry that cannot be read is manual", []any{mode(plan.PermissionYolo), map[string]int{"mode": 1}}, plan.PermissionManual},
		{"a saved mode that nobody knows is none", []any{PermissionMode{Mode: plan.PermissionYolo, Saved: "turbo"}}, plan.PermissionYolo},
	} {
		t.Run(c.name, func(t *testing.T) {
			var branch []Entry
			for _, body := range c.give {
				branch = append(branch, entry(t, "00000000000a", "", KindPermissionMode, body), entry(t, "00000000000b", "", KindUser, User{Text: "hi"}))
			}
			if got := PermissionOn(branch); got.Mode != c.want || got.Saved != "" {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}
