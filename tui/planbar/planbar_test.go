package planbar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/tui/theme"
)

var plain = theme.New(theme.Options{Dark: true, NoColor: true})

const hash = plan.Hash("sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")

func ref(n int) plan.Ref {
	return plan.Ref{Plan: "20250102T030405-oauth-0a1b2c3d", Revision: n, Hash: hash}
}

func view(title string, rev, steps int, st plan.Status) *session.PlanView {
	p := &session.PlanView{Ref: ref(rev), Title: title, Status: st, Path: "/base/ada/plans/r1.md"}
	for i := range steps {
		p.Steps = append(p.Steps, fmt.Sprintf("Step number %d", i+1))
	}
	return p
}

func working(rev int, st plan.WorkStatus) plan.State {
	return plan.State{Mode: plan.ModeNormal, Work: &plan.Work{Ref: ref(rev), Status: st}}
}

func TestSummary(t *testing.T) {
	key := "Ctrl+Alt+O"
	cases := []struct {
		name  string
		give  Summary
		width int
		want  []string
	}{
		{"nothing to show", Summary{}, 60, nil},
		{"a width of zero draws nothing", Summary{Draft: view("A", 1, 1, plan.StatusDraft)}, 0, nil},
		{"a collapsed draft hides path and steps", Summary{Draft: view("OAuth migration", 1, 6, plan.StatusDraft), Key: key}, 60, []string{
			"▌ PLAN  OAuth migration                           DRAFT · r1",
			"6 steps                                    Ctrl+Alt+O expand",
		}},
		{"one step is singular", Summary{Draft: view("A", 2, 1, plan.StatusChangesRequested), Key: key}, 40, []string{
			"▌ PLAN  A         CHANGES REQUESTED · r2",
			"1 step                 Ctrl+Alt+O expand",
		}},
		{"work in normal mode", Summary{State: working(2, plan.Implementing), Work: view("迁移计划", 2, 6, plan.StatusApproved), Key: key}, 44, []string{
			"▌ PLAN  迁移计划           IMPLEMENTING · r2",
			"6 steps                    Ctrl+Alt+O expand",
		}},
		{"unknown work says only that it was approved", Summary{State: working(2, plan.Unknown), Work: view("A", 2, 0, plan.StatusApproved), Key: key}, 40, []string{
			"▌ PLAN  A                  APPROVED · r2",
			"0 steps                Ctrl+Alt+O expand",
		}},
		{"planning without a draft hides old work", Summary{
			State: plan.State{Mode: plan.ModePlanning, Work: &plan.Work{Ref: ref(1), Status: plan.Completed}}, Work: view("A", 1, 1, plan.StatusApproved)}, 40, nil},
		{"a draft beside open work shows both", Summary{
			State: working(1, plan.Implementing), Draft: view("New idea", 2, 3, plan.StatusDraft), Work: view("Old plan", 1, 6, plan.StatusApproved), Key: key}, 60, []string{
			"▌ PLAN  New idea                                  DRAFT · r2",
			"also IMPLEMENTING · Old plan · r1          Ctrl+Alt+O expand",
		}},
		{"a draft beside closed work shows the draft only", Summary{
			State: working(1, plan.Completed), Draft: view("New idea", 1, 3, plan.StatusDraft), Work: view("Old plan", 1, 6, plan.StatusApproved), Key: key}, 60, []string{
			"▌ PLAN  New idea                                  DRAFT · r1",
			"3 steps                                    Ctrl+Alt+O expand",
		}},
		{"ten rows show three steps", Summary{Draft: view("A", 1, 5, plan.StatusDraft), Expanded: true, Rows: 10, Home: "/base/ada", Key: key}, 40, []string{
			"▌ PLAN  A                     DRAFT · r1",
			"~/plans/r1.md",
			"  1. Step number 1",
			"  2. Step number 2",
			"  3. Step number 3",
			"  … +2 more",
			"                     Ctrl+Alt+O collapse",
		}},
		{"expanded work names what was approved", Summary{State: working(1, plan.Completed), Work: view("A", 1, 0, plan.StatusApproved), Expanded: true, Rows: 40, Home: "/user/ad", Key: key}, 90, []string{
			"▌ PLAN  A" + strings.Repeat(" ", 67) + "COMPLETED · r1",
			"/base/ada/plans/r1.md",
			"Document: APPROVED",
			"Approved hash: " + string(hash),
			"  No execution steps",
			strings.Repeat(" ", 71) + "Ctrl+Alt+O collapse",
		}},
		{"without a key the command is named", Summary{Draft: view("A", 1, 1, plan.StatusDraft)}, 40, []string{
			"▌ PLAN  A                     DRAFT · r1",
			"1 step               /plan steps expands",
		}},
		{"a hostile title stays one plain line", Summary{Draft: view("A\x1b]0;x\a\nB\u202e", 1, 1, plan.StatusDraft), Key: key}, 40, []string{
			"▌ PLAN  A B                   DRAFT · r1",
			"1 step                 Ctrl+Alt+O expand",
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := ansi.Strip(strings.Join(c.give.Lines(plain, c.width), "\n"))
			if want := strings.Join(c.want, "\n"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestMaxSteps(t *testing.T) {
	for rows, want := range map[int]int{1: 3, 5: 3, 13: 3, 14: 4, 20: 6, 30: 9, 34: 10, 200: 10} {
		if got := maxSteps(rows); got != want {
			t.Errorf("maxSteps(%d) = %d, want %d", rows, got, want)
		}
	}
}

func TestStrip(t *testing.T) {
	full := "⏸ PLAN MODE · READ-ONLY  /plan off · Ctrl+Alt+P"
	for width, want := range map[int]string{
		0:  "",
		8:  "⏸ PLAN …",
		23: "⏸ PLAN MODE · READ-ONLY",
		33: "⏸ PLAN MODE · READ-ONLY",
		34: "⏸ PLAN MODE · READ-ONLY  /plan off",
		46: "⏸ PLAN MODE · READ-ONLY" + strings.Repeat(" ", 14) + "/plan off",
		47: full,
	} {
		if got := ansi.Strip(Strip(plain, "Ctrl+Alt+P", width)); got != want {
			t.Errorf("width %d: got %q, want %q", width, got, want)
		}
	}
}

func TestStatusLine(t *testing.T) {
	v := session.View{Agent: "demo", Mode: "manual", Branch: "main", Context: 12}
	if got, want := ansi.Strip(Status(plain, v, 80)), "demo · manual · main · 12% context"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	v.Branch, v.Context, v.ReadOnly = "evil\x1b[2J\nbranch", 0, "held by 12"
	if got, want := ansi.Strip(Status(plain, v, 50)), "demo · manual · evil branch      read-only session"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHome(t *testing.T) {
	for _, c := range [][3]string{
		{"/base/ada/x", "/base/ada", "~/x"},
		{"/base/adam/x", "/base/ada", "/base/adam/x"},
		{"/base/ada", "/base/ada/", "~"},
		{"/x", "", "/x"},
		{"/x", "/", "/x"},
	} {
		if got := shorten(c[0], c[1]); got != c[2] {
			t.Errorf("shorten(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestNoLineIsWiderThanTheScreen(t *testing.T) {
	both := working(1, plan.Implementing)
	ascii := theme.New(theme.Options{ASCII: true})
	for _, title := range []string{"A", strings.Repeat("long title ", 30), strings.Repeat("计划", 80), "👍🏽 é\u0301 ok"} {
		for width := -1; width <= 200; width++ {
			for _, expanded := range []bool{false, true} {
				s := Summary{State: both, Draft: view(title, 12, 30, plan.StatusChangesRequested), Work: view(title, 1, 2, plan.StatusApproved),
					Expanded: expanded, Rows: 24, Key: "Ctrl+Alt+O"}
				lines := append(s.Lines(plain, width), s.Lines(ascii, width)...)
				s.Draft = nil
				lines = append(lines, s.Lines(plain, width)...)
				lines = append(lines, Strip(plain, "Ctrl+Alt+P", width), Strip(ascii, "Ctrl+Alt+P", width),
					Status(plain, session.View{Agent: title, Branch: title, Disabled: "no"}, width))
				for _, l := range lines {
					if w := ansi.StringWidth(l); w > max(width, 0) {
						t.Fatalf("width %d: line of %d cells: %q", width, w, l)
					}
				}
			}
		}
	}
}

func TestTheStatusLineShoutsWhatRunsUnasked(t *testing.T) {
	for p, want := range map[plan.Permission]string{
		plan.PermissionManual: "demo · manual · main",
		plan.PermissionYolo:   " YOLO  demo · main",
		plan.PermissionAuto:   " AUTO  demo · main",
	} {
		v := session.View{Agent: "demo", Mode: string(p), Permission: p, Branch: "main"}
		line := Status(plain, v, 80)
		if got := ansi.Strip(line); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if reversed := strings.Contains(line, "\x1b[1;7m") || strings.Contains(line, "\x1b[7;1m"); reversed != p.Unasked() {
			t.Errorf("%s is drawn as %q", p, line)
		}
		if narrow := ansi.Strip(Status(plain, v, 6)); p.Unasked() && !strings.Contains(narrow, strings.ToUpper(string(p))) {
			t.Errorf("%s is cut away: %q", p, narrow)
		}
	}
}
