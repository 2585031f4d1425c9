package theme

import "planmode/plan/tool"

// Step is the sign before a step of a checklist.
func (g Glyphs) Step(s tool.StepStatus) string {
	switch s {
	case tool.StepCompleted:
		return g.Check
	case tool.StepInProgress:
		return g.Pointer
	}
	return g.Dot
}
