package planbar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan/tool"
)

func checklist(done, total int) *tool.ChecklistDetails {
	d := &tool.ChecklistDetails{}
	for i := range total {
		s := tool.Step{Step: fmt.Sprintf("Step %d 步骤", i+1), Status: tool.StepPending}
		switch {
		case i < done:
			s.Status = tool.StepCompleted
		case i == done:
			s.Status = tool.StepInProgress
		}
		d.Checklist = append(d.Checklist, s)
	}
	return d
}

func TestChecklist(t *testing.T) {
	for _, c := range []struct {
		name  string
		give  Checklist
		width int
		want  []string
	}{
		{"no list", Checklist{}, 40, nil},
		{"the step at hand", Checklist{List: checklist(1, 3), Key: "Ctrl+Alt+O"}, 60, []string{"▌ CHECKLIST  1/3  ❯ Step 2 步骤            Ctrl+Alt+O expand"}},
		{"beside a plan the key is named there", Checklist{List: checklist(1, 3), Key: "Ctrl+Alt+O", Beside: true}, 60, []string{"▌ CHECKLIST  1/3  ❯ Step 2 步骤"}},
		{"in little room the step counts for more than the key", Checklist{List: checklist(1, 3), Key: "Ctrl+Alt+O"}, 40, []string{"▌ CHECKLIST  1/3  ❯ Step 2 步骤"}},
		{"all of it done", Checklist{List: checklist(3, 3), Beside: true}, 40, []string{"▌ CHECKLIST  3/3"}},
		{"expanded", Checklist{List: checklist(1, 3), Expanded: true, Rows: 24}, 40, []string{"▌ CHECKLIST  1/3", "  ✓ Step 1 步骤", "  ❯ Step 2 步骤", "  · Step 3 步骤"}},
		{"a long list shows what is around the step at hand", Checklist{List: checklist(5, 9), Expanded: true, Rows: 10}, 40,
			[]string{"▌ CHECKLIST  5/9", "  … 4 before", "  ✓ Step 5 步骤", "  ❯ Step 6 步骤", "  · Step 7 步骤", "  … +2 more"}},
		{"a long list that is done shows its end", Checklist{List: checklist(9, 9), Expanded: true, Rows: 10}, 40,
			[]string{"▌ CHECKLIST  9/9", "  … 6 before", "  ✓ Step 7 步骤", "  ✓ Step 8 步骤", "  ✓ Step 9 步骤"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ansi.Strip(strings.Join(c.give.Lines(plain, c.width), "\n"))
			if want := strings.Join(c.want, "\n"); strings.TrimRight(got, " ") != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
	for width := range 100 {
		for _, expanded := range []bool{true, false} {
			for _, l := range (Checklist{List: checklist(5, 40), Expanded: expanded, Rows: 24}).Lines(plain, width) {
				if w := ansi.StringWidth(l); w > width {
					t.Fatalf("width %d: line of %d cells: %q", width, w, l)
				}
			}
		}
	}
}
