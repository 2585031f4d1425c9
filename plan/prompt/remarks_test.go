package prompt

import (
	"testing"

	"planmode/plan"
)

func TestRemarks(t *testing.T) {
	got := Remarks([]plan.Annotation{
		{Line: 3, Quote: "2. Do y", Headings: []string{"Plan", "Steps"}, Body: "in batches\nof ten", Label: "nit"},
		{Body: "be quick"},
		{Line: 4, Quote: "x", Replacement: "a\nb"},
		{Line: 5, End: 6, Quote: "y\x1b[2J", Delete: true},
	})
	want := "- On the line 3 (Steps), “2. Do y”, [nit]: in batches\n  of ten\n- On the whole plan: be quick\n" +
		"- On the line 4, “x”:  Read instead:\n  a\n  b\n- On the lines 5-6, “y”:  (leave this out)"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
