package card

import (
	"fmt"

	"planmode/tui/overlay"
)

// contextKey is the letter of the row that says what the agent remembers.
const contextKey = "x"

// addContext adds the row that decides nothing by itself: whether the work goes on
// in the conversation or begins with the plan alone.
func (c *Card) addContext() {
	c.menu.Rows = append(c.menu.Rows, c.contextRow())
	c.actions = append(c.actions, action{option: -1, toggle: (*Card).toggleContext})
}

func (c *Card) contextRow() overlay.Row {
	if c.clean {
		return overlay.Row{Key: contextKey, Label: "Context: clean", Detail: "once approved, the agent is given the plan and your notes alone"}
	}
	row := overlay.Row{Key: contextKey, Label: "Context: keep", Detail: "once approved, the agent goes on in this conversation"}
	if used := c.data.Context; used > 0 {
		row.Detail += fmt.Sprintf("; %d%% of its context is used", used)
	}
	return row
}

func (c *Card) toggleContext(i int) {
	c.clean = !c.clean
	c.menu.Rows[i] = c.contextRow()
}
