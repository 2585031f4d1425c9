package tui

import (
	"fmt"
	"strings"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/keymap"
)

// conversation draws the transcript, or how to begin while there is none.
func (m *model) conversation(w, h int) []string {
	lines := m.transcript.View(w, h)
	if !m.ready || m.begun() || m.view.Running || m.view.Live.Text != "" {
		return lines
	}
	for i, l := range m.welcome(w) {
		if i < len(lines) {
			lines[i] = m.th.Fit(l, w)
		}
	}
	return lines
}

// waysOut are how to get from the demo agent to a real one.
var waysOut = [...]string{
	"set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY",
	"keep a key: planmode auth set anthropic",
	"a local server: \"providers\" in config.json (planmode doctor says where)",
}

// item is a wrapped line of a list, indented below its sign.
func (m *model) item(sign, s string, w int) []string {
	var out []string
	for _, l := range m.th.Wrap(s, max(w-len(sign), 1)) {
		out = append(out, m.th.Muted.Render(sign+l))
		sign = strings.Repeat(" ", len(sign))
	}
	return out
}

func (m *model) welcome(w int) []string {
	var out []string
	add := func(style func(...string) string, s string) {
		for _, l := range m.th.Wrap(s, w) {
			out = append(out, style(l))
		}
	}
	add(m.th.Strong.Render, "planmode")
	if m.view.Demo {
		add(m.th.Warning.Render, "DEMO agent: no model is used. It follows a script, but reads this directory with the real tools.")
		add(m.th.Muted.Render, "Three ways to a real one, then start again:")
		for i, way := range waysOut {
			out = append(out, m.item(fmt.Sprintf("  %d ", i+1), way, w)...)
		}
	} else if name := text.Line(m.view.Model); name != "" {
		add(m.th.Muted.Render, "The agent runs on "+name+". /model chooses another.")
	}
	out = append(out, "")
	add(m.th.Text.Render, "Say what you want done.")
	how := "/plan on"
	if key := m.toggleKey(); key != "" {
		how = key + " or " + how
	}
	add(m.th.Muted.Render, how+" turns Plan Mode on: the agent only reads, and writes a plan that you review and approve.")
	add(m.th.Muted.Render, "/help lists the commands, /keys the keys.")
	if p := m.view.Permission; p.Unasked() {
		add(m.th.Warning.Render, m.th.Glyphs.Bang+" "+strings.ToUpper(string(p))+" mode. "+session.PermissionMeaning(p)+" /mode manual ends it.")
	}
	for _, why := range []string{m.view.Problem, m.view.Disabled, m.view.ReadOnly} {
		if why = text.Line(why); why != "" {
			add(m.th.Warning.Render, m.th.Glyphs.Bang+" "+why)
		}
	}
	return out
}

// toggleKey is the key that a hint names: the one most terminals deliver.
func (m *model) toggleKey() string {
	for _, b := range m.keys.Bindings() {
		if b.Action != keymap.PlanToggle {
			continue
		}
		for _, k := range b.Keys {
			if k == "shift+tab" {
				return keymap.Display(k)
			}
		}
	}
	return m.keys.Hint(keymap.PlanToggle)
}
