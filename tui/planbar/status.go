package planbar

import (
	"fmt"
	"strings"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/theme"
)

// Status is the last line of the screen: who works, who is asked, where, and how
// full the model's window is. What is unknown is left out.
func Status(t *theme.Theme, v session.View, width int) string {
	if width <= 0 {
		return ""
	}
	var parts []string
	add := func(s string) {
		if s = text.Line(s); s != "" {
			parts = append(parts, s)
		}
	}
	if v.Model == "" {
		add(v.Agent)
	} else {
		add(strings.TrimSpace(v.Model + " " + v.Effort))
	}
	if !v.Permission.Unasked() {
		add(v.Mode)
	}
	add(v.Branch)
	if v.Context > 0 {
		add(fmt.Sprintf("%d%% context", v.Context))
	}
	if v.Cost > 0 {
		add(dollars(v.Cost))
	}
	line := t.Muted.Render(strings.Join(parts, " "+t.Glyphs.Dot+" "))
	if loud := Unasked(t, v.Permission); loud != "" { // first, where no width cuts it away
		line = loud + " " + line
	}
	var warn string
	switch {
	case v.ReadOnly != "":
		warn = t.Warning.Render("read-only session")
	case v.Problem != "":
		warn = t.Warning.Render("cannot run: /model")
	case v.Disabled != "":
		warn = t.Warning.Render("plan mode disabled")
	}
	if warn == "" {
		return t.Cut(line, width)
	}
	return t.Spread(line, warn, width)
}

// dollars writes an amount with as many digits as it is worth.
func dollars(d float64) string {
	switch {
	case d < 0.01:
		return "<$0.01"
	case d < 100:
		return fmt.Sprintf("$%.2f", d)
	}
	return fmt.Sprintf("$%.0f", d)
}
