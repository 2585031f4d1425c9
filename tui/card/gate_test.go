package card

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan"
	"planmode/revdiff/brief"
	"planmode/tui/overlay"
	"planmode/tui/theme"
)

type gateDesk struct {
	card *Gate
	now  time.Time
}

func openGate(data GateData) *gateDesk {
	d := &gateDesk{now: time.Unix(1000, 0)}
	d.card = NewGate(data, theme.New(theme.Options{Dark: true}), func() time.Time { return d.now })
	return d
}

// armed draws the card and whatever it opened, and lets the keyboard be quiet.
func (d *gateDesk) armed() *gateDesk {
	d.card.View(80, 24)
	d.now = d.now.Add(overlay.ArmDelay)
	return d
}

// press types a script like that of the card of a plan; <arm> is a pause.
func (d *gateDesk) press(script string) (brief.GateVerdict, bool) {
	for script != "" {
		var msg tea.KeyPressMsg
		if script[0] == '<' {
			name, rest, _ := strings.Cut(script[1:], ">")
			if script = rest; name == "arm" {
				d.armed()
				continue
			}
			msg = keys[name]
		} else {
			r := []rune(script)[0]
			msg, script = tea.KeyPressMsg{Code: r, Text: string(r)}, script[len(string(r)):]
		}
		if v, done := d.card.Key(msg); done {
			return v, true
		}
	}
	return brief.GateVerdict{}, false
}

func gateData(approves, carries bool, notes ...plan.Annotation) GateData {
	return GateData{
		Gate:  brief.Gate{Subject: "file", Asker: "Claude Code", Approves: approves, Carries: carries, Compared: "Since you saw it last: 1 line added, 0 removed"},
		Title: "计划.md", Hash: hash, Outcome: "You wrote no notes.", Reviewer: "built-in reviewer", Notes: notes,
	}
}

func broken(d GateData) GateData {
	d.Broken, d.Outcome = true, "The review did not end as it should: it was killed."
	return d
}

func TestVerdictsOfAGate(t *testing.T) {
	note := plan.Annotation{Line: 3, Body: "why?"}
	type v = brief.GateVerdict
	for _, c := range []struct {
		name   string
		data   GateData
		script string
		want   brief.GateVerdict // the zero value: none
	}{
		{"a approves", gateData(true, false), "a", v{Row: brief.GateApprove}},
		{"Enter on what it opens on goes back to the text", gateData(true, true), "<enter>", v{Row: brief.GateReopen}},
		{"Esc goes back to the text", gateData(true, true, note), "<esc>", v{Row: brief.GateReopen}},
		{"q closes", gateData(true, true), "q", v{Row: brief.GateClose}},
		{"there is nothing to send without notes", gateData(true, true), "s", v{}},
		{"nor by Enter", gateData(false, false), "<home><enter>", v{}},
		{"with notes it opens on sending them", gateData(true, true, note), "<enter>", v{Row: brief.GateSend, Notes: true}},
		{"s sends", gateData(false, false, note), "s", v{Row: brief.GateSend, Notes: true}},
		{"a caller that wants no approval gets none", gateData(false, false, note), "a", v{}},
		{"a broken review approves nothing", broken(gateData(true, true, note)), "an", v{}},
		{"notes are written where they are heard", gateData(true, true), "nbut 好<enter>", v{Row: brief.GateApprove, Text: "but 好", Notes: true}},
		{"and nowhere else", gateData(true, false), "nbut<enter>", v{Row: brief.GateReopen}},
		{"Enter without notes approves nothing", gateData(true, true), "n<enter><enter>", v{}},
		{"Esc leaves the box", gateData(true, true), "nx<esc>q", v{Row: brief.GateClose}},
		{"an approval asks what becomes of notes", gateData(true, true, note), "a", v{}},
		{"and the key that opened the question does not answer it", gateData(true, true, note), "aanssd", v{}},
		{"they go along", gateData(true, true, note), "a<arm>n", v{Row: brief.GateApprove, Notes: true}},
		{"they go instead of it", gateData(true, false, note), "a<arm>s", v{Row: brief.GateSend, Notes: true}},
		{"they stay here", gateData(true, false, note), "a<arm>d", v{Row: brief.GateApprove}},
		{"they cannot go along where nobody hears them", gateData(true, false, note), "a<arm>n", v{}},
		{"Esc goes back to the card", gateData(true, true, note), "a<arm><esc>q", v{Row: brief.GateClose}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := openGate(c.data).armed().press(c.script); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAGateDecidesNothingBeforeItIsArmed(t *testing.T) {
	for _, key := range []string{"a", "n", "s", "q", "<enter>"} {
		d := openGate(gateData(true, true, plan.Annotation{Line: 1, Body: "x"}))
		d.card.View(80, 24)
		for range 3 {
			d.now = d.now.Add(overlay.ArmDelay - time.Millisecond)
			if v, done := d.press(key); done {
				t.Errorf("%s gave %+v", key, v)
			}
		}
	}
}

func TestGoldenGates(t *testing.T) {
	note := plan.Annotation{Line: 3, Body: "为什么? \x1b[2Jwhy?"}
	for name, d := range map[string]*gateDesk{
		"plain":   openGate(gateData(true, true)).armed(),
		"notes":   openGate(gateData(true, false, note)).armed(),
		"broken":  openGate(broken(gateData(true, true, note))).armed(),
		"unarmed": openGate(gateData(false, false, note)),
	} {
		for _, size := range [][2]int{{80, 24}, {40, 12}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				golden.RequireEqual(t, []byte(ansi.Strip(strings.Join(d.card.View(size[0], size[1]), "\n"))))
			})
		}
	}
	d := openGate(gateData(true, false, note)).armed()
	d.press("a")
	t.Run("pending 80x24", func(t *testing.T) {
		golden.RequireEqual(t, []byte(ansi.Strip(strings.Join(d.card.View(80, 24), "\n"))))
	})
}
