package tree

import "planmode/plan"

// KindPermissionMode is the entry of a change of the permission mode. The string
// is written to disk.
const KindPermissionMode plan.Kind = "permission_mode"

// PermissionReason says how a permission mode came to be in force. The strings are written
// to disk.
type PermissionReason string

// The reasons. A mode that the person chose and one that was put back are never
// the same thing, even when they have the same name.
const (
	PermissionConfig   PermissionReason = "config"   // a new session began with it
	PermissionFlag     PermissionReason = "flag"     // given on the command line
	PermissionChosen   PermissionReason = "chosen"   // the person switched to it
	PermissionKept     PermissionReason = "kept"     // the person kept it when the session was resumed
	PermissionDropped  PermissionReason = "dropped"  // the person did not keep a wider one then
	PermissionApproval PermissionReason = "approval" // chosen with the approval, for the work
	PermissionRestored PermissionReason = "restored" // put back when that work ended
	PermissionMoved    PermissionReason = "moved"    // narrowed because the branch moved
)

// PermissionMode records the permission mode in force from here on. Saved is the
// mode to put back when the work ends, of one that was chosen for work.
type PermissionMode struct {
	Mode  plan.Permission  `json:"mode"`
	Why   PermissionReason `json:"why"`
	Saved plan.Permission  `json:"saved,omitempty"`
}

// PermissionOn folds the permission mode in force at the end of a branch. Without
// an entry, or with one that cannot be read, it is manual: damage must never let
// more happen unasked.
func PermissionOn(branch []Entry) PermissionMode {
	now := PermissionMode{Mode: plan.PermissionManual}
	for _, e := range branch {
		if e.Kind == KindPermissionMode {
			now = permissionMode(e)
		}
	}
	return now
}

func permissionMode(e Entry) PermissionMode {
	m, err := Decode[PermissionMode](e)
	if err == nil {
		_, err = plan.ParsePermission(string(m.Mode))
	}
	if err != nil {
		return PermissionMode{Mode: plan.PermissionManual}
	}
	if _, err := plan.ParsePermission(string(m.Saved)); err != nil {
		m.Saved = ""
	}
	return m
}

// ApprovedBy says who approved a revision last, as one branch has it, given in one
// or more pieces; where the branch has no approval of it, as the plan's own record
// does. Empty when nobody did.
func ApprovedBy(ref plan.Ref, m plan.Manifest, branch ...[]Entry) plan.Actor {
	for i := len(branch) - 1; i >= 0; i-- {
		for j := len(branch[i]) - 1; j >= 0; j-- {
			if e := branch[i][j]; e.Kind == plan.KindPlanApproved {
				if ev, err := Decode[plan.PlanApproved](e); err == nil && ev.Ref == ref {
					return ev.By
				}
			}
		}
	}
	if a := m.Approval(ref.Revision); a != nil {
		return a.By
	}
	return ""
}
