package store

import (
	"bytes"
	"fmt"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// Standing is how the plan of a session stands, for a list.
type Standing struct {
	Title    string
	Revision int
	Planning bool            // under planning
	Work     plan.WorkStatus // empty when nothing was approved, or a draft came after
	Unsure   bool            // the ends of the log do not say it
}

// Label is the standing in words: "r2 implementing"; empty for no plan.
func (s Standing) Label() string {
	switch {
	case s.Revision == 0:
		return ""
	case s.Work != "":
		return fmt.Sprintf("r%d %s", s.Revision, s.Work)
	case s.Planning:
		return fmt.Sprintf("r%d planning", s.Revision)
	}
	return fmt.Sprintf("r%d draft", s.Revision)
}

// StandingOf is the standing of a branch.
func StandingOf(branch []tree.Entry) Standing {
	var s Standing
	for _, e := range branch {
		s.take(e)
	}
	return s
}

// take follows the events in the order written.
func (s *Standing) take(e tree.Entry) {
	ev, ok, err := tree.Event(e)
	if !ok || err != nil {
		return
	}
	set := func(ref plan.Ref, title string, work plan.WorkStatus) {
		s.Revision, s.Work, s.Planning = ref.Revision, work, false
		if title != "" {
			s.Title = text.Line(title)
		}
		s.Unsure = s.Title == ""
	}
	switch ev := ev.(type) {
	case plan.PlanningEntered:
		*s = Standing{Planning: true}
	case plan.RevisionAttached:
		set(ev.Ref, "", "")
		s.Planning = true
	case plan.RevisionSubmitted:
		set(ev.Ref, ev.Title, "")
		s.Planning = true
	case plan.PlanningLeft:
		s.Planning = false
	case plan.PlanApproved:
		set(ev.Ref, ev.Title, plan.Implementing)
	case plan.WorkAdopted:
		set(ev.Ref, ev.Title, plan.Implementing)
	case plan.WorkRecovered:
		set(ev.Ref, "", plan.Unknown)
	case plan.WorkCompleted:
		set(ev.Ref, ev.Title, plan.Completed)
	case plan.WorkAbandoned:
		set(ev.Ref, ev.Title, plan.Abandoned)
	case plan.DraftDetached:
		*s = Standing{Planning: s.Planning}
	}
}

// scanStanding follows the lines of a part of a log. A move makes what is known
// unsure, because the branch may be another one.
func (i *SessionInfo) scanStanding(line []byte) {
	_, rest, ok := bytes.Cut(line, []byte(`,"kind":"`))
	if !ok {
		return
	}
	name, _, ok := bytes.Cut(rest, []byte(`"`))
	kind := plan.Kind(name)
	switch {
	case !ok:
	case kind == tree.KindLeaf:
		i.Standing = Standing{Unsure: true}
		i.moved = true
	case tree.IsEvent(kind):
		if e, err := tree.ParseLine(line); err == nil {
			i.Standing.take(e)
			i.Standing.Unsure = i.Standing.Unsure || i.moved
		}
	}
}
