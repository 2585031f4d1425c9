package transcript

import (
	"strings"

	"planmode/plan/session"
	"planmode/plan/tree"
)

// permissionMode draws a change of the permission mode. One that lets things
// happen unasked is drawn so that it cannot be missed.
func (p pen) permissionMode(m tree.PermissionMode) []string {
	why := map[tree.PermissionReason]string{
		tree.PermissionConfig: "from your configuration", tree.PermissionFlag: "from the command line",
		tree.PermissionKept: "kept", tree.PermissionApproval: "chosen with the approval",
		tree.PermissionRestored: "as before the work", tree.PermissionMoved: "not widened by going to another branch",
	}[m.Why]
	if !m.Mode.Unasked() {
		return p.note("%s", p.join("Permission mode: manual", why))
	}
	head := p.labelled(p.t.Warning, p.t.Glyphs.Bang+" "+strings.ToUpper(string(m.Mode))+" MODE", why)
	return append([]string{head}, p.para("  ", p.t.Warning, session.PermissionMeaning(m.Mode))...)
}
