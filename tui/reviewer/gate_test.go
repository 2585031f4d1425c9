package reviewer

import (
	"os"
	"strings"
	"testing"
	"time"

	"planmode/revdiff/brief"
)

// gated is the review of a file that another program asked for.
func gated(t *testing.T, gate brief.Gate) *desk {
	t.Helper()
	m := briefed(t, []string{planOne, planTwo}, 1, nil, func(b *brief.Brief) { b.Gate, b.Edit, b.Title = &gate, "", "notes.md" })
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	m.now = func() time.Time { now = now.Add(time.Second); return now }
	return sit(t, m, 80, 24)
}

// answered presses keys, the last of which decides, and reads what was written.
func (d *desk) answered(keys string) (brief.GateVerdict, bool) {
	d.t.Helper()
	d.screen()
	for _, name := range strings.Fields(keys) {
		cmd := d.press(name)
		if d.screen(); d.m.deciding {
			d.run(cmd)
		}
	}
	raw, err := os.ReadFile(d.m.brief.Outcome)
	if err != nil {
		return brief.GateVerdict{}, false
	}
	o, err := brief.ParseOutcome(raw, d.m.brief.Review, d.m.brief.Ref.Hash)
	if err != nil {
		d.t.Fatal(err)
	}
	v, err := brief.ParseGateVerdict(o.Verdict)
	if err != nil {
		d.t.Fatal(err)
	}
	return v, true
}

func TestAGateIsDecidedInTheReviewer(t *testing.T) {
	approves := brief.Gate{Subject: "file", Approves: true, Carries: true}
	for _, c := range []struct {
		name  string
		gate  brief.Gate
		notes bool
		keys  string
		want  brief.GateVerdict
		open  bool // no decision, the review goes on
	}{
		{"q without notes asks", approves, false, "q a", brief.GateVerdict{Row: brief.GateApprove}, false},
		{"q with notes asks where an approval is wanted", approves, true, "q s", brief.GateVerdict{Row: brief.GateSend, Notes: true}, false},
		{"an approval asks what becomes of notes", approves, true, "q a n", brief.GateVerdict{Row: brief.GateApprove, Notes: true}, false},
		{"D asks, too", brief.Gate{Subject: "file"}, true, "D q", brief.GateVerdict{Row: brief.GateClose}, false},
		{"Esc goes back to the text", approves, false, "q esc j", brief.GateVerdict{}, true},
		{"a text that is no plan cannot be edited", approves, false, "e", brief.GateVerdict{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := gated(t, c.gate)
			if c.notes {
				d.note("a", "why?")
			}
			v, ok := d.answered(c.keys)
			if ok == c.open || v != c.want {
				t.Errorf("%+v, %v\n%s", v, ok, d.screen())
			}
			if c.open && (d.m.ending != endNone || d.m.card != nil) {
				t.Errorf("it did not go on\n%s", d.screen())
			}
			if _, err := os.Stat(d.m.opts.Output); !c.open && (err == nil) != c.notes {
				t.Errorf("the notes are written: %v", err == nil)
			}
		})
	}
}

func TestNotesAreHandedOverWhereNoApprovalIsWanted(t *testing.T) {
	d := gated(t, brief.Gate{Subject: "file"})
	d.note("a", "why?")
	d.run(d.press("q"))
	if d.m.ending != endDone || d.m.card != nil || !d.m.delivered {
		t.Errorf("ending %v\n%s", d.m.ending, d.screen())
	}
}

func TestAGateNamesItsTextAndWhatMustBeKnown(t *testing.T) {
	d := gated(t, brief.Gate{Subject: "file", Doubt: "Nothing was approved: the file \x1b[2Jchanged."})
	if s := d.screen(); !strings.Contains(s, "notes.md") || !strings.Contains(s, "since you saw it last") || !strings.Contains(s, "Nothing was approved: the file changed.") {
		t.Errorf("%s", s)
	}
}
