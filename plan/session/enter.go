package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// planOn turns planning on. Whatever is open or attached is asked about first:
// nothing is continued or set aside in silence.
func (s *Session) planOn(ctx context.Context) { s.planOnBy(ctx, s.overtake) }

// changer makes a change of mode or work at a moment when nothing else can begin.
type changer func(change func())

// planOnBy is planOn for a caller with its own way to make the change.
func (s *Session) planOnBy(ctx context.Context, by changer) {
	if s.current().IsPlanning() {
		s.say(tree.Info, "Plan Mode is already on. %s", s.leadOn())
		return
	}
	if !s.canPlan() {
		return
	}
	for {
		st := s.current()
		var again bool
		switch {
		case st.OpenWork() != nil:
			again = s.askAboutWork(ctx, st, by)
		case st.Planning != nil:
			again = s.askAboutDraft(ctx, st, by)
		default:
			by(func() { s.enterNow(plan.PlanningEntered{}) })
		}
		if !again {
			return
		}
	}
}

// option is a row of an entry question and what choosing it does. It returns
// whether planOn must look at the state again.
type option struct {
	label, detail string
	do            func() (again bool)
}

// askAboutWork asks what becomes of the open work.
func (s *Session) askAboutWork(ctx context.Context, st plan.State, by changer) bool {
	w := *st.Work
	label := strings.ToUpper(string(w.Status))
	if w.Status == plan.Unknown {
		label = "RECOVERED, WORK UNKNOWN"
	}
	var options []option
	if d := st.Planning; d != nil && *d != w.Ref {
		options = append(options, option{fmt.Sprintf("Continue the draft %q r%d", s.titleOf(*d), d.Revision), "the approved plan stays as it is",
			func() bool { by(func() { s.attach(*d) }); return false }})
	} else {
		options = append(options, option{"Revise the current Plan", "the approved revision stays in force until another is approved",
			func() bool { by(func() { s.attach(w.Ref) }); return false }})
	}
	options = append(options,
		option{"Mark completed and start a new Plan", "only if everything in it is done",
			func() bool { return s.closeBy(by, w.Ref, plan.Completed) }},
		option{"Abandon and start a new Plan", "its revisions stay on disk",
			func() bool { return s.closeBy(by, w.Ref, plan.Abandoned) }})
	return s.choose(ctx, fmt.Sprintf("Current Plan is %s: %s · r%d", label, s.titleOf(w.Ref), w.Ref.Revision), options)
}

// askAboutDraft asks what becomes of the parked draft.
func (s *Session) askAboutDraft(ctx context.Context, st plan.State, by changer) bool {
	d := *st.Planning
	return s.choose(ctx, fmt.Sprintf("A draft is attached: %s · r%d", s.titleOf(d), d.Revision), []option{
		{"Continue the draft", "planning goes on where it was", func() bool { by(func() { s.enterNow(plan.PlanningEntered{Continue: true}) }); return false }},
		{"Keep it and start a new Plan", "it stays in the list of plans", func() bool { return s.detach(false) }},
		{"Discard it and start a new Plan", "its files are kept all the same", func() bool { return s.detach(true) }},
	})
}

// choose shows options with Cancel as the last. Escape and errors choose Cancel.
func (s *Session) choose(ctx context.Context, title string, options []option) bool {
	q := Question{Title: title, Cancel: len(options)}
	for _, o := range options {
		q.Choices = append(q.Choices, Choice{Label: o.label, Detail: o.detail})
	}
	q.Choices = append(q.Choices, Choice{Label: "Cancel", Detail: "Plan Mode stays off"})
	i, err := s.opt.Desk.Ask(ctx, q)
	if err != nil || i < 0 || i >= len(options) {
		s.say(tree.Info, "Plan Mode stays off; nothing was changed.")
		return false
	}
	return options[i].do()
}

// enterNow turns planning on. No turn may run: a turn sees one mode from start to
// end.
func (s *Session) enterNow(ev plan.PlanningEntered) {
	if err := s.apply(ev); err != nil {
		s.say(tree.Failure, "Plan Mode is off: it could not be turned on (%v).", err)
		return
	}
	s.planningBegan()
	if ref := s.current().Planning; ref != nil {
		s.say(tree.Info, "Plan Mode is on for the draft %q r%d: the agent can only read. Say what should change, or /plan review.", s.titleOf(*ref), ref.Revision)
		return
	}
	s.say(tree.Info, "Plan Mode is on for a new plan: the agent can only read. Describe the goal.")
}

// canPlan says whether a plan could be reviewed at all, and tells the person why
// not: planning that can never end in a review is a dead end.
func (s *Session) canPlan() bool {
	if reason := s.disabledReason(); reason != "" {
		s.say(tree.Warning, "Plan Mode is disabled: %s", reason)
		return false
	}
	return true
}

// errForeign reports a plan that does not list this session.
var errForeign = errors.New("the plan belongs to another session")

// checkRef verifies the bytes and the record of a revision.
func (s *Session) checkRef(ref plan.Ref) error {
	if _, err := s.opt.Store.Revision(ref); err != nil {
		return err
	}
	m, err := s.opt.Store.Manifest(ref.Plan)
	if err != nil {
		return err
	}
	for _, owner := range m.Sessions {
		if owner == s.opt.Session {
			return nil
		}
	}
	return errForeign
}

func (s *Session) isApprovedRef(ref plan.Ref) bool {
	m, err := s.opt.Store.Manifest(ref.Plan)
	return err == nil && m.Approval(ref.Revision) != nil
}

// closeStaleReview closes a review that nobody is looking at any more, after
// what it had saved was kept.
func (s *Session) closeStaleReview(o plan.Outcome) error {
	r := s.current().Review
	if r == nil {
		return nil
	}
	s.keepSaved(*r)
	return s.apply(plan.ReviewClosed{Review: r.ID, Outcome: o})
}

func (s *Session) missingSections(text []byte) []string {
	doc := document.Parse(text)
	return doc.Missing(doc.Language())
}

// feedback is what a review outside a turn gives the agent, if anything.
func (s *Session) feedback(r tool.Result) *Feedback {
	var d tool.PlanDetails
	if err := json.Unmarshal(r.Details, &d); err != nil || d.Kind != tool.DetailChangesRequested {
		return nil
	}
	return &Feedback{Text: r.Text, Details: d}
}

// startFeedback begins a turn with the notes of a review outside a turn.
func (s *Session) startFeedback(f Feedback) {
	if j, ctx, ok := s.begin(""); ok {
		s.runFeedback(ctx, j, f)
	}
}

func (s *Session) runFeedback(ctx context.Context, j *job, f Feedback) {
	if err := s.record(KindFeedback, f); err != nil {
		s.end(j)
		s.say(tree.Failure, "Your notes are kept with the plan, but could not be given to the agent: %v.", err)
		return
	}
	s.spawn("turn", func() { s.turns(ctx, j) })
}
