package plan

import "testing"

func TestPermissionModesHaveAnOrder(t *testing.T) {
	for _, c := range []struct {
		p, q     Permission
		wider    bool
		narrower Permission
	}{
		{PermissionManual, PermissionManual, false, PermissionManual},
		{PermissionYolo, PermissionManual, true, PermissionManual},
		{PermissionAuto, PermissionYolo, true, PermissionYolo},
		{PermissionYolo, PermissionAuto, false, PermissionYolo},
		{"turbo", PermissionAuto, false, PermissionManual},
		{PermissionYolo, "turbo", true, PermissionManual},
		{"", "", false, PermissionManual},
	} {
		if got := c.p.Wider(c.q); got != c.wider {
			t.Errorf("%q wider than %q: %v", c.p, c.q, got)
		}
		if got := Narrower(c.p, c.q); got != c.narrower {
			t.Errorf("the narrower of %q and %q is %q", c.p, c.q, got)
		}
	}
	if PermissionManual.Unasked() || Permission("turbo").Unasked() || !PermissionYolo.Unasked() || !PermissionAuto.Unasked() {
		t.Error("who is asked is wrong")
	}
}

func TestParsePermissionTakesExactNamesOnly(t *testing.T) {
	for _, p := range Permissions {
		if got, err := ParsePermission(string(p)); got != p || err != nil {
			t.Errorf("%s: %s, %v", p, got, err)
		}
	}
	for _, s := range []string{"", "YOLO", " auto", "automatic"} {
		if got, err := ParsePermission(s); got != PermissionManual || err == nil {
			t.Errorf("%q: %s, %v", s, got, err)
		}
	}
}
