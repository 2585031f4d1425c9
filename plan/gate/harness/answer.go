package harness

import (
	"encoding/json"
	"strings"

	"planmode/plan/gate"
)

// Answer is what a hook writes to standard output for what the person decided; empty
// means nothing at all. plan is the text that they saw. Leaving without a decision
// hands the question to the harness's own dialog where there is one, and is never an
// approval.
func (e Event) Answer(o gate.Outcome, plan string) string {
	if e.Kind != Plan {
		line, _ := gate.Record(o, gate.Format{Hook: true})
		return line
	}
	switch {
	case o.Exit:
		return e.undecided()
	case o.Approved:
		return e.approve(plan)
	}
	return e.deny(Refusal(o.Feedback))
}

// Undecided is the answer when nobody could be asked. why is for people.
func (e Event) Undecided(why string) string {
	if e.Kind != Plan || e.Harness != Claude && e.Harness != Qwen {
		return ""
	}
	return permission("ask", "planmode could not show the plan: "+why)
}

// Deny refuses the plan for a reason of ours, in words for the agent.
func (e Event) Deny(reason string) string {
	if e.Kind != Plan {
		return ""
	}
	return e.deny(reason)
}

func (e Event) undecided() string {
	switch e.Harness {
	case Claude, Qwen:
		return permission("ask", "The person closed the review without a decision. Ask them here.")
	case Codex:
		return "{}"
	case Gemini:
		return `{"decision":"deny","reason":` + gate.Quote(notDecided) + `}`
	case Copilot:
		return `{"permissionDecision":"deny","permissionDecisionReason":` + gate.Quote(notDecided) + `}`
	}
	return ""
}

const notDecided = "YOUR PLAN WAS NOT APPROVED.\n\nThe person closed the review without a decision. Do not start any work. Wait until they tell you how to go on."

func (e Event) approve(plan string) string {
	switch e.Harness {
	case Claude, Qwen:
		// An approval without the arguments echoed approves nothing there.
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":` + e.echoed(plan) + `}}`
	case Copilot:
		return `{"permissionDecision":"allow"}`
	}
	return "{}"
}

// echoed are the arguments of the tool as they came, numbers and all, with the text
// that was approved as the plan.
func (e Event) echoed(plan string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(e.Input, &fields) != nil || fields == nil {
		fields = map[string]json.RawMessage{}
	}
	fields["plan"] = json.RawMessage(gate.Quote(plan))
	b, err := json.Marshal(fields)
	if err != nil { // a part that cannot be written again is not needed
		return `{"plan":` + gate.Quote(plan) + `}`
	}
	return string(b)
}

func (e Event) deny(reason string) string {
	switch e.Harness {
	case Claude, Qwen:
		return permission("deny", reason)
	case Codex:
		return `{"decision":"block","reason":` + gate.Quote(reason) + `}`
	case Gemini:
		return `{"decision":"deny","reason":` + gate.Quote(reason) + `}`
	case Copilot:
		return `{"permissionDecision":"deny","permissionDecisionReason":` + gate.Quote(reason) + `}`
	}
	return ""
}

func permission(decision, reason string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + decision + `","permissionDecisionReason":` + gate.Quote(reason) + `}}`
}

// Refusal is what an agent reads whose plan got notes instead of an approval. It is
// firm, because agents pass over what sounds like advice.
func Refusal(feedback string) string {
	var b strings.Builder
	b.WriteString("YOUR PLAN WAS NOT APPROVED.\n\n")
	b.WriteString("The person reviewed it and wants changes. Stay in plan mode and change nothing else. Work through every note below, ")
	b.WriteString("then submit the whole plan again. An unchanged plan is refused. Keep its first heading unless a note is about it.\n\n")
	if strings.TrimSpace(feedback) == "" {
		feedback = "The person asks for changes without saying which. Ask them.\n"
	}
	b.WriteString(feedback)
	return b.String()
}
