package transcript

import (
	"planmode/plan"
	"planmode/plan/tree"
)

// model says what turns run on from here.
func (p pen) model(m tree.Model) []string {
	on := m.Model
	if on == "" {
		on = m.Agent
	}
	effort := ""
	if m.Effort != "" {
		effort = "effort " + m.Effort
	}
	when := map[plan.Mode]string{plan.ModePlanning: "while planning", plan.ModeNormal: "outside Plan Mode"}[m.For]
	return p.note("Model: %s", p.join(on, effort, when))
}
