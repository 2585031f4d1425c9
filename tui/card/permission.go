package card

import (
	"planmode/plan"
	"planmode/tui/overlay"
)

// permissionKey is the letter of the row that says who is asked during the work.
const permissionKey = "p"

// addPermission adds the row that decides nothing by itself: in which permission
// mode the work is done. It begins with the one in force. Auto is never on offer:
// who wants no reviews says so apart from any plan.
func (c *Card) addPermission() {
	now := c.data.Permission
	if now == "" {
		return
	}
	c.offered = []plan.Permission{""}
	for _, p := range []plan.Permission{plan.PermissionYolo, plan.PermissionManual} {
		if p != now {
			c.offered = append(c.offered, p)
		}
	}
	if now != plan.PermissionAuto {
		c.offered = append(c.offered, now)
	}
	c.menu.Rows = append(c.menu.Rows, c.permissionRow())
	c.actions = append(c.actions, action{option: -1, toggle: (*Card).cyclePermission})
}

// then is the mode that was chosen for the work; empty for none.
func (c *Card) then() plan.Permission {
	if len(c.offered) == 0 {
		return ""
	}
	return c.offered[c.mode]
}

func (c *Card) permissionRow() overlay.Row {
	row := overlay.Row{Key: permissionKey, Label: "Then: " + string(c.then()), Detail: "once approved, commands and edits run without asking, until the work ends"}
	switch c.then() {
	case "":
		row.Label, row.Detail = "Then: "+string(c.data.Permission)+", as now", "once approved, the permission mode stays as it is"
	case plan.PermissionManual:
		row.Detail = "once approved, you are asked before anything changes or runs"
	}
	return row
}

func (c *Card) cyclePermission(i int) {
	c.mode = (c.mode + 1) % len(c.offered)
	c.menu.Rows[i] = c.permissionRow()
}
