package session

import (
	"planmode/plan"
	"planmode/plan/tree"
)

// View copies what a screen needs now. It never waits for a disk.
func (s *Session) View() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	runs := s.runsOn(s.state.Mode)
	v := View{
		Session: s.opt.Session, Dir: s.opt.Dir, Branch: s.fresh.branch,
		Agent: runs.Agent, Model: runs.Model, Problem: runs.Problem, Cost: s.spent + s.usage.Cost, Mode: string(s.permission()), Permission: s.permission(),
		Demo:     runs.Agent == "demo",
		State:    s.state,
		Live:     s.live.view(),
		Queue:    append([]string(nil), s.queue...),
		Reviewer: s.reviewer.name(),
		Disabled: s.disabled,
		Entries:  len(s.branch),
		Epoch:    s.epoch,
		Context:  s.contextShare(),
	}
	v.Checklist = s.checklist()
	_, v.Effort = s.choice(s.state.Mode)
	if err := s.readOnly(); err != nil {
		v.ReadOnly = err.Error()
	}
	if len(s.branch) > 0 {
		v.Leaf = s.branch[len(s.branch)-1].ID
	}
	if s.state.Planning != nil {
		v.Draft = s.views[*s.state.Planning]
	}
	if w := s.state.OpenWork(); w != nil && w.Ref == s.fresh.ref {
		v.Stale = s.fresh.told.lines()
	}
	if s.state.Work != nil {
		v.Work = s.views[s.state.Work.Ref]
	}
	if s.job != nil {
		v.Running, v.Since, v.Status = true, s.job.since, s.job.status
	}
	return v
}

func (s *Session) contextShare() int {
	if s.usage.Window <= 0 {
		return 0
	}
	return 100 * s.usage.ContextTokens / s.usage.Window
}

// Items returns the entries of the branch from index from on. A screen that has
// seen n entries of the same epoch asks for Items(n).
func (s *Session) Items(from int) []Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	if from < 0 || from > len(s.branch) {
		from = 0
	}
	return s.branch[from:len(s.branch):len(s.branch)]
}

// loadViews reads the manifests of the plans that a state points to, for those
// not yet known or whose status may have changed on the branch. A screen never
// reads a disk, so it must happen here.
func (s *Session) loadViews(st plan.State, branch ...[]Item) map[plan.Ref]*PlanView {
	out := map[plan.Ref]*PlanView{}
	if st.Planning != nil {
		s.loadView(out, *st.Planning, branch)
	}
	if st.Work != nil {
		s.loadView(out, st.Work.Ref, branch)
	}
	return out
}

func (s *Session) loadView(out map[plan.Ref]*PlanView, ref plan.Ref, branch [][]Item) {
	m, err := s.opt.Store.Manifest(ref.Plan)
	if err != nil || ref.Revision > len(m.Revisions) {
		return
	}
	r := m.Revisions[ref.Revision-1]
	status, known := tree.StatusOn(ref, branch...)
	if !known {
		status = m.StatusOf(ref.Revision)
	}
	out[ref] = &PlanView{
		Ref: ref, Title: r.Title, Status: status,
		Steps: r.Steps, Path: s.opt.Store.RevisionPath(ref),
		Auto: tree.ApprovedBy(ref, m, branch...) == plan.ByAuto,
	}
}

// titleOf names a revision for the person, from what is already known.
func (s *Session) titleOf(ref plan.Ref) string {
	s.mu.Lock()
	v := s.views[ref]
	s.mu.Unlock()
	if v != nil {
		return v.Title
	}
	return string(ref.Plan)
}
