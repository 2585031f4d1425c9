package plan

import "fmt"

// Permission is the permission mode: who is asked before a tool runs. It never
// says what planning allows. The strings are written to disk.
type Permission string

// The permission modes, from careful to careless.
const (
	PermissionManual Permission = "manual" // the person is asked before anything changes or runs
	PermissionYolo   Permission = "yolo"   // ordinary tools run unasked; plans are still reviewed
	PermissionAuto   Permission = "auto"   // as yolo, and plans are approved without a person
)

// Permissions are the permission modes in the order in which they are offered.
var Permissions = []Permission{PermissionManual, PermissionYolo, PermissionAuto}

// AutoApproved is how an approval without a person is told apart from a review,
// in the same words wherever it is shown, recorded or told to an agent.
const AutoApproved = "auto-approved, not reviewed"

// ParsePermission reads the name of a permission mode, exactly as it is written.
func ParsePermission(s string) (Permission, error) {
	for _, p := range Permissions {
		if string(p) == s {
			return p, nil
		}
	}
	return PermissionManual, fmt.Errorf("%q is none of manual, yolo, auto", s)
}

// Wider says whether p lets more happen unasked than q. What is not a mode
// counts as manual.
func (p Permission) Wider(q Permission) bool { return p.rank() > q.rank() }

// Unasked says whether ordinary tools run without asking.
func (p Permission) Unasked() bool { return p.rank() > 0 }

func (p Permission) rank() int {
	for i, known := range Permissions {
		if p == known {
			return i
		}
	}
	return 0
}

// Narrower is the more careful of two modes; what is not a mode is manual.
func Narrower(p, q Permission) Permission { return Permissions[min(p.rank(), q.rank())] }
