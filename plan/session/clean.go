package session

import (
	"planmode/plan"
	"planmode/plan/tree"
)

// handOverClean records a handoff, and before it the boundary that the approval
// asked for. A crash or a full disk between the two loses neither: the boundary
// is made once, and a handoff that is missing is made again.
func (s *Session) handOverClean(h tree.Handoff) error {
	if wantsClean(s.Items(0)) {
		if err := s.cleanContext(); err != nil {
			return err
		}
	}
	return s.record(tree.KindHandoff, h)
}

// wantsClean says whether the last approval asked for a clean context and neither
// that nor its plan has been given yet.
func wantsClean(branch []Item) bool {
	for i := len(branch) - 1; i >= 0; i-- {
		switch branch[i].Kind {
		case tree.KindCompaction, tree.KindHandoff:
			return false
		case plan.KindPlanApproved:
			ev, err := tree.Decode[plan.PlanApproved](branch[i])
			return err == nil && ev.Clean
		}
	}
	return false
}
