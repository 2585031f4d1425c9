package composer

// Command is a slash command that the popup offers.
type Command struct {
	Name string // with the slash
	Does string
	Args []Argument // fixed arguments, if it has any
}

// Argument is a fixed argument of a command.
type Argument struct {
	Name string
	Does string
}

// ModeCommand is `/mode` with the permission modes.
func ModeCommand() Command {
	return Command{Name: "/mode", Does: "who is asked before a tool runs", Args: []Argument{
		{"manual", "you are asked before anything changes or runs"},
		{"yolo", "run without asking; plans are still reviewed"},
		{"auto", "run without asking; plans are approved without you"},
	}}
}

// PlanCommand is `/plan` with its actions, in the order in which they are offered.
func PlanCommand() Command {
	return Command{Name: "/plan", Does: "Plan Mode and the attached plan", Args: []Argument{
		{"on", "turn Plan Mode on: the agent can only read"},
		{"off", "leave Plan Mode; the draft is kept"},
		{"revise", "plan again, starting from the approved plan"},
		{"complete", "mark the approved plan's work as done"},
		{"abandon", "give up the approved plan's work"},
		{"discard", "let go of the attached draft"},
		{"review", "review the attached draft again"},
		{"take", "review the plan in the agent's last answer"},
		{"show", "read the plan without deciding"},
		{"steps", "expand or collapse the plan's steps"},
		{"status", "where the plan stands"},
	}}
}
