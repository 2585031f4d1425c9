package session

import (
	"slices"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

// lastSubmission finds the newest revision that this session saved and its log
// lacks: on top of the attached draft, or of a plan that it had just created.
func (s *Session) lastSubmission(st plan.State) (m plan.Manifest, r plan.Revision, found bool) {
	if st.Planning == nil {
		return s.firstSubmission()
	}
	m, err := s.opt.Store.Manifest(st.Planning.Plan)
	if err != nil {
		return m, r, false
	}
	for _, r := range slices.Backward(m.Revisions) {
		if r.Revision <= st.Planning.Revision {
			break
		}
		if r.BasedOn == st.Planning.Revision && !s.logged(m.PlanID, r.Revision) && !s.othersSubmitted(m, r.Revision) {
			return m, r, true
		}
	}
	return m, r, false
}

// firstSubmission finds a plan of this session's own that its log lacks.
func (s *Session) firstSubmission() (m plan.Manifest, r plan.Revision, found bool) {
	infos, err := s.opt.Store.Plans()
	if err != nil {
		return m, r, false
	}
	for _, info := range infos {
		if len(info.Sessions) == 0 || info.Sessions[0] != s.opt.Session {
			continue // most are of other sessions, and verifying each would take seconds
		}
		m, err := s.opt.Store.Manifest(info.ID)
		if err != nil || m.Status != plan.StatusDraft || len(m.Sessions) == 0 || m.Sessions[0] != s.opt.Session {
			continue
		}
		if m.CurrentRevision == 1 && !s.logged(m.PlanID, 1) {
			return m, m.Revisions[0], true
		}
	}
	return m, r, false
}

// logged says whether the submission of a revision is anywhere in the log.
func (s *Session) logged(id plan.ID, revision int) bool {
	return submittedIn(s.opt.Log.Tree(), id, revision)
}

// othersSubmitted says whether another session of the plan has logged the
// revision as its own: then it is no submission of ours that a crash cut off.
func (s *Session) othersSubmitted(m plan.Manifest, revision int) bool {
	for _, other := range m.Sessions {
		if other == s.opt.Session {
			continue
		}
		log, err := s.opt.Store.ReadLog(other)
		if err != nil {
			continue // removed: nobody else can claim the revision any more
		}
		theirs := submittedIn(log.Tree(), m.PlanID, revision)
		closeRead(log)
		if theirs {
			return true
		}
	}
	return false
}

// closeRead lets go of a log that was only read, which cannot fail in a way that
// matters.
func closeRead(log *store.Log) { _ = log.Close() }

func submittedIn(t *tree.Tree, id plan.ID, revision int) bool {
	for _, e := range t.All() {
		if e.Kind != plan.KindRevisionSubmitted {
			continue
		}
		if ev, err := tree.Decode[plan.RevisionSubmitted](e); err == nil && ev.Ref.Plan == id && ev.Ref.Revision == revision {
			return true
		}
	}
	return false
}
