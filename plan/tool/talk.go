package tool

import "context"

// The tools by which an agent talks to the person. They change neither files nor
// the plan.
const (
	AskName       = "request_user_input"
	EnterName     = "enter_plan_mode"
	ChecklistName = "update_plan"
)

// Talker is what those tools act on; the session is one. Arguments have been
// checked against their limits.
type Talker interface {
	AskPerson(ctx context.Context, call Call, args QuestionArgs) Result
	ProposePlanning(ctx context.Context, call Call, args EnterArgs) Result
	UpdateChecklist(ctx context.Context, call Call, args ChecklistArgs) Result
}

// talkRule is when one of these tools is denied; known is false for other tools.
// Configuration cannot change it.
func (p Policy) talkRule(name string) (reason, message string, known bool) {
	normal := p.isNormal()
	switch {
	case name == AskName && normal:
		return "Plan Mode is off", "request_user_input is only available in Plan Mode. Prefer a sensible assumption and say that you made it; if you cannot go on " +
			"without an answer, ask in plain text and end your turn.", true
	case name == ChecklistName && !normal:
		return "Plan Mode is on", "update_plan is a checklist of work being done and is not available in Plan Mode. Steps that are still to be decided belong into the " +
			"plan itself: submit it with submit_plan.", true
	case name == EnterName && !normal:
		return "Plan Mode is on", "Plan Mode is already on. Go on with the plan and submit it with submit_plan.", true
	case name == AskName, name == ChecklistName, name == EnterName:
		return "", "", true
	}
	return "", "", false
}

// unavailable answers where nobody is there to talk to.
func unavailable(call Call) Result {
	return Result{CallID: call.ID, Name: call.Name, Error: true, Text: call.Name + " is not available here. Do not call it again."}
}
