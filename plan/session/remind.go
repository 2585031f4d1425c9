package session

import (
	"log/slog"
	"strings"

	"planmode/plan"
	"planmode/plan/prompt"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// formClosed is the form of a reminder that the person closed the work.
const formClosed = "closed"

// facts are what prompts say of the situation as it is now.
func (s *Session) facts() prompt.Facts {
	st := s.current()
	f := prompt.Facts{
		Mode: st.Mode, Language: s.opt.Config.ContentLanguage, Dir: s.opt.Dir, Instructions: s.opt.Instructions,
		ModeChanged: modeChanged(s.Items(0)), Unattended: s.asksNobody(), Texts: s.modeTexts(),
	}
	for _, spec := range s.specs(st) {
		f.Tools = append(f.Tools, spec.Name)
	}
	if st.IsPlanning() && st.Planning != nil {
		r := s.reference(*st.Planning, "")
		f.Draft = &r
	}
	if w := st.OpenWork(); w != nil && !st.IsPlanning() {
		r := s.reference(w.Ref, "")
		f.Work = &r
	}
	return f
}

// specs are the tools of a turn that begins now. Questions are left out where
// nobody answers them: a tool that is offered only to be refused is a trap.
func (s *Session) specs(st plan.State) []tool.Spec {
	all := s.tools.Specs(st.Mode, st.OpenWork() != nil, s.opt.Config.Planning.Tools)
	if !s.asksNobody() {
		return all
	}
	var out []tool.Spec
	for _, spec := range all {
		if spec.Name != tool.AskName {
			out = append(out, spec)
		}
	}
	return out
}

// modeTexts are the instructions for the modes that the person configured.
func (s *Session) modeTexts() prompt.Texts {
	s.mu.Lock()
	runs := s.runsOn(s.state.Mode)
	s.mu.Unlock()
	c := s.opt.Config
	texts, named := c.ModelPrompts[runs.Model]
	if !named { // also by the model's name alone, whoever provides it
		texts = c.ModelPrompts[strings.TrimPrefix(runs.Model, runs.Provider+"/")]
	}
	return prompt.Texts{Model: texts, Person: c.Prompts}
}

// remind records the reminder that is due, if any, and returns its text.
func (s *Session) remind() string {
	st, branch := s.current(), s.Items(0)
	if ref, status, due := closedDue(branch); due {
		return s.told(formClosed, prompt.Closed(ref, status))
	}
	since, exit := sinceReminded(branch, st)
	form := prompt.Due(since)
	if form == prompt.FormNone {
		return ""
	}
	return s.told(string(form), prompt.Reminder(form, s.facts(), exit))
}

// told records what the agent is told between messages. One that cannot be
// recorded is not told: after a resume the agent would remember otherwise.
func (s *Session) told(form, text string) string {
	if err := s.record(tree.KindReminder, tree.Reminder{Form: form, Text: text}); err != nil {
		slog.Warn("a reminder could not be recorded", "session", s.opt.Session, "form", form, "error", err)
		return ""
	}
	return text
}

// sinceReminded walks a branch back to the last reminder of its mode, over what
// the agent is still told, and says how planning ended if it did.
func sinceReminded(branch []Item, st plan.State) (prompt.Since, prompt.Exit) {
	since := prompt.Since{Planning: st.IsPlanning(), Draft: st.Planning != nil}
	from := 0
	if _, start, _, ok := tree.Boundary(branch); ok {
		from = start
	}
	w := walk{exit: prompt.ExitLeft, planning: st.IsPlanning(), parked: st.Planning != nil}
	for i := len(branch) - 1; i >= from && !w.done; i-- {
		w.step(branch[i], &since)
	}
	return since, w.exit
}

// walk is how far sinceReminded has come.
type walk struct {
	planning, parked bool
	inMessage        bool // the entry after this one belongs to the same message
	left             bool // planning ended here, and what came before decides whether to say so
	exit             prompt.Exit
	done             bool
}

func (w *walk) step(e Item, since *prompt.Since) {
	switch e.Kind {
	case tree.KindReminder:
		w.reminder(e, since)
	case plan.KindPlanningEntered, plan.KindRevisionAttached:
		since.Entered, w.done = w.planning, true
	case plan.KindPlanApproved, plan.KindPlanningLeft:
		w.leave(e)
	case plan.KindDraftDetached:
		if d, err := tree.Decode[plan.DraftDetached](e); err == nil && d.Discarded && !w.left {
			w.exit = prompt.ExitDiscarded
		}
	case tree.KindHandoff:
		w.done = w.done || !w.planning // it said that the plan is approved
	case tree.KindUser, KindFeedback, KindShell:
		since.Person, w.inMessage = true, false
	case tree.KindAssistant, tree.KindToolCall:
		if !w.inMessage {
			since.Messages++
		}
		w.inMessage = e.Kind == tree.KindToolCall // before calls comes the text of their message
	case tree.KindToolResult:
		w.inMessage = false
	}
}

func (w *walk) reminder(e Item, since *prompt.Since) {
	r, err := tree.Decode[tree.Reminder](e)
	if err != nil {
		return
	}
	switch prompt.Form(r.Form) {
	case prompt.FormFull, prompt.FormSparse, prompt.FormReentry:
		since.Reminded, since.Left, w.done = w.planning, w.left, true
	case prompt.FormExit:
		w.done = !w.planning
	}
}

// leave notes the last end of planning, if the agent may not know of it.
func (w *walk) leave(e Item) {
	if w.planning || w.left {
		return
	}
	w.left = true
	switch {
	case e.Kind == plan.KindPlanApproved:
		w.exit = prompt.ExitApproved
	case w.exit != prompt.ExitDiscarded && w.parked:
		w.exit = prompt.ExitParked
	}
}

// closedDue finds work that the person closed since the agent last ran.
func closedDue(branch []Item) (plan.Ref, plan.WorkStatus, bool) {
	for i := len(branch) - 1; i >= 0; i-- {
		switch e := branch[i]; e.Kind {
		case tree.KindAssistant, tree.KindToolCall:
			return plan.Ref{}, "", false
		case tree.KindReminder:
			if r, err := tree.Decode[tree.Reminder](e); err == nil && r.Form == formClosed {
				return plan.Ref{}, "", false
			}
		case plan.KindWorkCompleted:
			ev, err := tree.Decode[plan.WorkCompleted](e)
			return ev.Ref, plan.Completed, err == nil && ev.By == plan.ByUser
		case plan.KindWorkAbandoned:
			ev, err := tree.Decode[plan.WorkAbandoned](e)
			return ev.Ref, plan.Abandoned, err == nil && ev.By == plan.ByUser
		}
	}
	return plan.Ref{}, "", false
}
