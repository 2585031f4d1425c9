package plan

import (
	"bytes"
	"strings"
	"testing"
)

func TestExamineFindsEveryFlippedBit(t *testing.T) {
	m := goldenManifest(t)
	good, err := m.Encode() // in the form that is written
	if err != nil {
		t.Fatal(err)
	}
	if _, wrong := Examine(m.PlanID, good); len(wrong) > 0 {
		t.Fatalf("a good manifest: %v", wrong)
	}
	for i := range good {
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			if _, wrong := Examine(m.PlanID, bad); len(wrong) == 0 {
				t.Errorf("bit %d of byte %d, in %q, is not found", bit, i, good[max(0, i-20):min(len(good), i+20)])
			}
		}
	}
}

func TestDifferencesNamesEachValueAlone(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *Manifest)
		want   []string
	}{
		"nothing":          {func(*Manifest) {}, nil},
		"a title":          {func(m *Manifest) { m.Title = "x" }, []string{"sum"}},
		"the title of r1":  {func(m *Manifest) { m.Revisions[0].Title = "x" }, []string{"sum", "chain of r1"}},
		"a note":           {func(m *Manifest) { m.Decisions[1].Notes = "x" }, []string{"sum", "digest of decision 2 (approved r2)"}},
		"the chain itself": {func(m *Manifest) { m.Revisions[0].Chain = HashOf(nil) }, []string{"sum", "chain of r1", "chain of r2", "digest of decision 1 (changes_requested r1)"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := goldenManifest(t)
			c.change(&m)
			var got []string
			for _, d := range m.Differences() {
				got = append(got, d.What)
				if d.Expected == d.Found || d.Expected == "" {
					t.Errorf("%+v", d)
				}
			}
			if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWorkOfFollowsTheRecord(t *testing.T) {
	m := Manifest{Revisions: make([]Revision, 3), CurrentRevision: 3}
	add := func(n int, k DecisionKind) { m.Decisions = append(m.Decisions, Decision{Revision: n, Kind: k}) }
	check := func(n int, want WorkStatus) {
		t.Helper()
		if got := m.WorkOf(n); got != want {
			t.Errorf("r%d is %q, want %q", n, got, want)
		}
	}
	add(1, DecidedCompleted) // of nothing
	check(1, "")
	add(1, DecidedApproved)
	check(1, Implementing)
	add(1, DecidedCompleted)
	check(1, Completed)
	add(1, DecidedApproved)
	check(1, Implementing)
	add(2, DecidedAutoApproved)
	add(2, DecidedAbandoned)
	check(2, Abandoned)
	if open := m.OpenWork(); len(open) != 1 || open[0] != 1 || m.Settled() {
		t.Errorf("open are %v", open)
	}
	add(1, DecidedAbandoned)
	add(3, DecidedDiscarded)
	if len(m.OpenWork()) != 0 || !m.Settled() {
		t.Error("it is settled")
	}
}
