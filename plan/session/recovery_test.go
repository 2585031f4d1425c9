package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
)

// manifestOf is the path of the manifest of a plan.
func (r *rig) manifestOf(ref plan.Ref) string {
	return filepath.Join(filepath.Dir(filepath.Dir(r.store.RevisionPath(ref))), "manifest.json")
}

// change rewrites a file.
func change(t *testing.T, path string, with func(string) string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(with(string(b))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func swap(old, now string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, now, 1) }
}

func TestARecordThatCannotBeUsedIsToldAndNothingIsTouched(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, path string)
		says string
		kept bool // the draft stays attached
	}{
		"missing": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, "has no manifest", false},
		"inconsistent": {func(t *testing.T, path string) { change(t, path, swap(`"currentRevision": 1`, `"currentRevision": 2`)) }, "was let go", false},
		"damaged":      {func(t *testing.T, path string) { change(t, path, func(s string) string { return s[:len(s)/2] }) }, "was let go", false},
		"of a newer version": {func(t *testing.T, path string) { change(t, path, swap(`"version": 3`, `"version": 4`)) },
			"newer planmode", true},
	} {
		t.Run(name, func(t *testing.T) {
			r, ref := submitted(t)
			c.harm(t, r.manifestOf(ref))
			before := onDisk(t, r)
			r.resume()
			st := r.View().State
			if !st.IsPlanning() || (st.Planning != nil) != c.kept || st.Work != nil {
				t.Errorf("state %+v", st)
			}
			if !strings.Contains(r.notices(), c.says) {
				t.Errorf("said:\n%s", r.notices())
			}
			after := onDisk(t, r)
			for path, content := range before {
				if strings.Contains(path, "/plans/") && after[path] != content {
					t.Errorf("%s was touched", path)
				}
			}
		})
	}
}

func TestAnApprovedPlanOfANewerVersionIsNotCalledDamaged(t *testing.T) {
	r, ref := approved(t)
	change(t, r.manifestOf(ref), swap(`"version": 3`, `"version": 4`))
	r.resume()
	if w := r.View().State.OpenWork(); w == nil || w.Ref != ref || !strings.Contains(r.notices(), "newer planmode") {
		t.Errorf("state %+v\n%s", r.View().State, r.notices())
	}
}
