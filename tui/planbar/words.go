package planbar

import (
	"charm.land/lipgloss/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/tui/theme"
)

// status is a status in words and the role of its colour.
type status struct {
	label string
	style func(*theme.Theme) lipgloss.Style
}

func accent(t *theme.Theme) lipgloss.Style  { return t.Accent }
func success(t *theme.Theme) lipgloss.Style { return t.Success }
func warning(t *theme.Theme) lipgloss.Style { return t.Warning }

func documentStatus(s plan.Status) status {
	switch s {
	case plan.StatusChangesRequested:
		return status{"CHANGES REQUESTED", warning}
	case plan.StatusApproved:
		return status{"APPROVED", success}
	case plan.StatusDiscarded:
		return status{"DISCARDED", warning}
	}
	return status{"DRAFT", accent}
}

// workStatus shows unknown work as what is known of it: that it was approved.
func workStatus(s plan.WorkStatus) status {
	switch s {
	case plan.Implementing:
		return status{"IMPLEMENTING", accent}
	case plan.Completed:
		return status{"COMPLETED", success}
	case plan.Abandoned:
		return status{"ABANDONED", warning}
	}
	return status{"APPROVED", warning}
}

// Standing names the plan that a session ends with and its status in words: the
// attached draft, else the work; ok is false when there is neither.
func Standing(v session.View) (label string, p session.PlanView, ok bool) {
	switch {
	case v.Draft != nil:
		return documentStatus(v.Draft.Status).label, *v.Draft, true
	case v.Work != nil && v.State.Work != nil:
		return workStatus(v.State.Work.Status).label, *v.Work, true
	}
	return "", session.PlanView{}, false
}
