package tree

import "planmode/plan"

// KindReminder is the entry of what planmode told the agent between messages: of
// its mode, of a mode that changed, or that it goes in circles. The string is
// written to disk.
const KindReminder plan.Kind = "reminder"

// Reminder is such a text. It is never the person's words.
type Reminder struct {
	Form string `json:"form"` // how much it says, and of what
	Text string `json:"text"`
}
