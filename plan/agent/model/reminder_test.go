package model

import (
	"testing"

	"charm.land/fantasy"

	"planmode/plan/tool"
)

// What planmode tells beside a result reaches the model with it, and a tool
// without output is still said to have none.
func TestAReminderIsSentWithItsResult(t *testing.T) {
	for _, c := range []struct {
		result tool.Result
		want   string
	}{
		{tool.Result{Text: "a\nb"}, "a\nb"},
		{tool.Result{Text: "a", Reminder: "[planmode] on"}, "a\n\n[planmode] on"},
		{tool.Result{Reminder: "[planmode] on"}, "(no output)\n\n[planmode] on"},
		{tool.Result{Text: "no", Error: true, Reminder: "[planmode] on"}, "no\n\n[planmode] on"},
	} {
		got := ""
		switch out := answerPart("1", c.result).Output.(type) {
		case fantasy.ToolResultOutputContentText:
			got = out.Text
		case fantasy.ToolResultOutputContentError:
			got = out.Error.Error()
		}
		if got != c.want {
			t.Errorf("%+v is sent as %q", c.result, got)
		}
	}
}
