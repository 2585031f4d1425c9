package session

import (
	"encoding/json"

	"planmode/plan"
	"planmode/plan/prompt"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// request is what the person asked for in a review that ended with changes
// requested.
type request struct {
	ref   plan.Ref
	text  string
	notes []plan.Annotation
}

// undelivered finds the last request for changes if nothing after it gave it to
// the agent: a turn ended, or planmode did, between the two entries.
func undelivered(branch []Item) (request, bool) {
	for i := len(branch) - 1; i >= 0; i-- {
		switch e := branch[i]; e.Kind {
		case KindFeedback:
			return request{}, false
		case tree.KindToolResult:
			var d tool.PlanDetails
			if r, err := tree.Decode[tree.ToolResult](e); err == nil && json.Unmarshal(r.Details, &d) == nil && d.Kind == tool.DetailChangesRequested {
				return request{}, false
			}
		case plan.KindPlanApproved, plan.KindDraftDetached:
			return request{}, false
		case plan.KindChangesRequested:
			return requestOf(branch[:i+1])
		}
	}
	return request{}, false
}

// requestOf puts together the request that ends branch.
func requestOf(branch []Item) (request, bool) {
	ev, err := tree.Decode[plan.ChangesRequested](branch[len(branch)-1])
	if err != nil {
		return request{}, false
	}
	r := request{text: ev.Text}
	for i := len(branch) - 1; i >= 0; i-- {
		switch e := branch[i]; e.Kind {
		case tree.KindAnnotations:
			if a, err := tree.Decode[tree.Annotations](e); err == nil && a.Review == ev.Review && r.notes == nil {
				r.notes = a.Items
			}
		case plan.KindReviewOpened:
			if o, err := tree.Decode[plan.ReviewOpened](e); err == nil && o.Review == ev.Review {
				r.ref = o.Ref
				return r, true
			}
		}
	}
	return request{}, false
}

// deliver gives the agent a request for changes that never reached it.
func (s *Session) deliver() {
	r, ok := undelivered(s.Items(0))
	if !ok {
		return
	}
	d := s.details(r.ref, tool.DetailChangesRequested, "")
	d.Annotations, d.Request = r.notes, r.text
	text := prompt.Feedback(s.reference(r.ref, ""), r.text, r.notes)
	if err := s.record(KindFeedback, Feedback{Text: text, Details: d}); err != nil {
		s.say(tree.Failure, "The changes you requested could not be given to the agent (%v). They are kept, and the next message tries again.", err)
	}
}

// injectAgain gives the open work's plan to the agent once more after a resume,
// since a conversation that was cut or compacted may no longer hold it.
func (s *Session) injectAgain() {
	st := s.current()
	s.mu.Lock()
	due := s.reinject && !st.IsPlanning() && st.OpenWork() != nil
	if due {
		s.reinject = false
	}
	s.mu.Unlock()
	if !due {
		return
	}
	ref := st.Work.Ref
	text, err := s.opt.Store.Revision(ref)
	if err != nil {
		s.say(tree.Warning, "The approved plan could not be given to the agent again: %v.", err)
		return
	}
	h := tree.Handoff{Ref: ref, Title: s.titleOf(ref), Again: true, Auto: s.autoApproved(ref)}
	h.Text = prompt.HandoffAgain(s.reference(ref, string(text)), s.approvedWith(ref))
	if err := s.handOverClean(h); err != nil {
		s.markReinject()
	}
}

// approvedWith is what came with the approval of ref.
func (s *Session) approvedWith(ref plan.Ref) prompt.Approval {
	m, err := s.opt.Store.Manifest(ref.Plan)
	if err != nil {
		return prompt.Approval{} // the text was verified by its hash; there is no more to tell
	}
	a, r := m.Approval(ref.Revision), m.Find(ref.Revision)
	if a == nil || r == nil {
		return prompt.Approval{}
	}
	out := prompt.Approval{Notes: a.Notes}
	if c, err := chosen(r.Options, a.Option); err == nil {
		out.Approach = c.prompt()
	}
	return out
}

// modeChanged says whether the mode changed since the agent last ran, so that
// what it said in the other mode no longer misleads it.
func modeChanged(branch []Item) bool {
	for i := len(branch) - 1; i >= 0; i-- {
		switch branch[i].Kind {
		case tree.KindAssistant, tree.KindToolCall:
			return false
		case plan.KindPlanningEntered, plan.KindRevisionAttached, plan.KindPlanningLeft, plan.KindPlanApproved:
			return true
		}
	}
	return false
}
