package tool

import (
	"fmt"
	"slices"

	"planmode/plan"
	"planmode/plan/tool/rule"
)

// Verdict is what the policy says about one call.
type Verdict string

// The verdicts. The zero value of Verdict allows nothing.
const (
	Allow Verdict = "allow"
	Ask   Verdict = "ask" // run it only after the person allowed it
	Deny  Verdict = "deny"
)

// Judgement is the verdict on one call. Reason says shortly why, for the person;
// Message tells the agent what to do instead. Both are empty for Allow, and Ask
// has a reason only when it is not the ordinary one.
type Judgement struct {
	Verdict Verdict
	Reason  string
	Message string
	Looks   bool // allowed as a call that only looks: see Perform
}

// Policy decides which calls of an agent may run. It is asked by the host about
// every call of every agent, with the mode as it is at that moment. While
// planning everything is denied that is not named here or, exactly and only for
// tools that just read, in the person's own configuration.
type Policy struct {
	Mode     plan.Mode
	OpenWork bool
	Extra    []string                // names that the configuration adds while planning
	Granted  func(scope string) bool // standing permissions; nil means none

	Permission plan.Permission // who is asked; what is not a mode counts as manual
	Rules      rule.Rules      // the person's own
}

// planningTools are allowed while planning whatever the configuration says.
var planningTools = []string{"read", "grep", "find", "ls", webName, submitName}

// validator is a tool that can judge its arguments without running.
type validator interface{ validate(args []byte) error }

// Scoper is a tool that knows which standing permission would cover a call. An
// empty scope is covered by none; an error means that the call cannot succeed.
type Scoper interface {
	Scope(call Call) (string, error)
}

// Ruled is a tool that knows what of a call the person's rules are about. A tool
// that is not can only be named as a whole.
type Ruled interface{ Subject(call Call) rule.Subject }

// guard is a tool that knows calls which are no ordinary ones: the person is asked
// about them in every permission mode. It says why, or nothing.
type guard interface{ guarded(call Call) string }

// Check judges a whole batch, before any of it runs; judgement i is about call i.
func (p Policy) Check(set *Set, batch []Call) []Judgement {
	out := make([]Judgement, len(batch))
	ids := map[string]int{}
	managed := ""
	for _, c := range batch {
		ids[c.ID]++
		if e, ok := set.find(c.Name); ok && e.spec.Effect == Managed {
			managed = c.Name
		}
	}
	for i, c := range batch {
		switch {
		case managed != "" && len(batch) > 1:
			out[i] = deny("not alone with "+managed,
				"Nothing of this batch was run: %s must be the only call in its message. Make the other calls first, then call it alone.", managed)
		case c.ID == "" || ids[c.ID] > 1:
			out[i] = deny("ambiguous call id", "This call was not run: its id is empty or used twice in the batch. Give every call an id of its own.")
		default:
			out[i] = p.judge(set, c)
		}
	}
	return out
}

func (p Policy) judge(set *Set, c Call) Judgement {
	e, ok := set.find(c.Name)
	if !ok {
		return deny("unknown tool", "There is no tool named %s. Use one of the tools that you were given.", clip(c.Name))
	}
	spec, t := e.spec, e.Tool
	if reason, message := p.refuse(spec); reason != "" {
		return Judgement{Verdict: Deny, Reason: reason, Message: message}
	}
	if err := checkArgs(t, c); err != nil {
		return deny("bad arguments", "%s was not run: %v.", spec.Name, err)
	}
	about := subject(spec, t, c)
	ruled := p.Rules.Denies(about)
	switch {
	case ruled.Rule != "":
		return deny("denied by your rule "+ruled.Rule, "%s was not run: a rule of the person denies it (%q). Do not look for another way to the same effect; go on without it, or say what you would need.",
			spec.Name, ruled.Rule)
	case spec.Looks && !p.isNormal():
		j := judgeLook(t, c)
		if j.Verdict == Allow && ruled.Unsure != "" {
			j = p.permit(spec, t, c, about, ruled.Unsure)
			j.Looks = true // asked about or not, it runs as one that only looks
		}
		return j
	case spec.Effect == Managed || spec.Effect == Reads && !spec.Asks && ruled.Unsure == "":
		return Judgement{Verdict: Allow}
	}
	return p.permit(spec, t, c, about, ruled.Unsure)
}

func subject(spec Spec, t Tool, c Call) rule.Subject {
	s := rule.Subject{}
	if r, ok := t.(Ruled); ok {
		s = r.Subject(c)
	}
	s.Tool, s.Harms = spec.Name, spec.Effect != Reads && spec.Effect != Managed || spec.Asks
	return s
}

// permit says whether the person must be asked about a call that the mode allows.
// Planning is the same in every permission mode: what asks there, always asks.
// unsure says why a deny rule cannot be ruled out, if so: only an answer about this
// very call counts then.
func (p Policy) permit(spec Spec, t Tool, c Call, about rule.Subject, unsure string) Judgement {
	scope := ""
	if s, ok := t.(Scoper); ok {
		var err error
		if scope, err = s.Scope(c); err != nil {
			return deny("cannot run", "%s was not run: %v.", spec.Name, err)
		}
	}
	if scope != "" && p.Granted != nil && p.Granted(scope) {
		return Judgement{Verdict: Allow}
	}
	if unsure != "" {
		return Judgement{Verdict: Ask, Reason: "Your deny rules cannot be checked on it: " + unsure}
	}
	if g, ok := t.(guard); ok {
		if why := g.guarded(c); why != "" {
			return Judgement{Verdict: Ask, Reason: "It is " + why + ", so you are asked in every mode"}
		}
	}
	if p.Rules.Allows(about) || p.Permission.Unasked() && p.isNormal() {
		return Judgement{Verdict: Allow}
	}
	return Judgement{Verdict: Ask}
}

func checkArgs(t Tool, c Call) error {
	if v, ok := t.(validator); ok {
		return v.validate(c.Args)
	}
	_, err := object(c.Args)
	return err
}

// refuse says why the mode denies a tool, whatever its arguments; "" if it does
// not. A mode that is not known counts as planning: it denies more.
func (p Policy) refuse(spec Spec) (reason, message string) {
	if reason, message, known := p.talkRule(spec.Name); known {
		return reason, message
	}
	if p.isNormal() {
		return p.refuseNormal(spec)
	}
	named := slices.Contains(planningTools, spec.Name)
	// What a server says of its tools is a hint and decides nothing: only a tool that
	// the person named may be used, and it is asked about like any other.
	added := slices.Contains(p.Extra, spec.Name) && (spec.Effect == Reads || spec.Server != "")
	switch {
	case named && (spec.Effect == Reads || spec.Name == submitName):
		return "", ""
	case added, spec.Looks:
		return "", ""
	case spec.Name == completeName:
		return "Plan Mode is on", "complete_plan is not available in Plan Mode. Finish the plan and call submit_plan; work is completed after approval, in normal mode."
	case spec.Effect == Reads || spec.Server != "":
		return "not allowed in Plan Mode", fmt.Sprintf("%s is not available in Plan Mode: only the person can add it in their configuration. "+
			"Use read, grep, find and ls, and name in the plan what you could not check.", spec.Name)
	}
	return "Plan Mode is read-only", fmt.Sprintf("%s is not available in Plan Mode, which is read-only. Do not look for a way around it, and do not ask the person to do it "+
		"for you. Explore with read, grep, find and ls, write what should be done into the plan, and submit it with submit_plan.", spec.Name)
}

func (p Policy) isNormal() bool { return p.Mode == plan.ModeNormal || p.Mode == "" }

func (p Policy) refuseNormal(spec Spec) (reason, message string) {
	switch {
	case spec.Name == submitName:
		return "Plan Mode is off", "submit_plan is only available in Plan Mode, which only the person turns on. Answer in text, or go on with the work."
	case spec.Name == completeName && !p.OpenWork:
		return "no open work", "complete_plan is only available while an approved plan is being implemented; there is none now."
	case spec.Effect == Managed && spec.Name != completeName:
		return "unknown managed tool", fmt.Sprintf("%s is not available.", spec.Name)
	}
	return "", ""
}

func deny(reason, format string, args ...any) Judgement {
	return Judgement{Verdict: Deny, Reason: reason, Message: fmt.Sprintf(format, args...)}
}
