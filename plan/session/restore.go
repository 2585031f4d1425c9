package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// restore folds the branch and reconciles what a crash may have left between
// two files. It only ever ends in the state of the log or a safer one.
func (s *Session) restore() {
	t := s.opt.Log.Tree()
	s.branch = t.Current()
	st, skipped := tree.Fold(s.branch)
	s.state = st
	for ref, v := range s.loadViews(st, s.branch) {
		s.views[ref] = v
	}
	fresh := s.tellProblems(t)
	for _, sk := range skipped {
		s.say(tree.Warning, "Entry %s of this session could not be used: %v. Check the mode and the plan shown below before going on.", sk.Entry, sk.Err)
	}
	for _, w := range s.opt.Warnings {
		s.say(tree.Warning, "%s", w)
	}
	s.readRules()
	s.startPermission()
	if err := s.readOnly(); err != nil {
		s.sayReadOnly(err)
		return
	}
	if !s.opt.Resumed {
		return
	}
	pending := s.pending(t)
	if fresh {
		s.gateLost()
	}
	s.recoverAnswers()
	s.recoverStreaming()
	for _, p := range pending {
		s.recoverDecision(p.ref, p.decision)
	}
	s.recoverSubmission()
	s.checkDraft()
	s.checkWork()
}

// tellProblems says what is wrong with the log, each thing once: damage stays in
// the file, and a person who was told need not be told at every start. It
// reports whether anything is new.
func (s *Session) tellProblems(t *tree.Tree) (fresh bool) {
	told := map[string]bool{}
	for _, e := range t.All() {
		if e.Kind == tree.KindNotice {
			if n, err := tree.Decode[tree.Notice](e); err == nil {
				told[n.Text] = true
			}
		}
	}
	for _, problem := range s.opt.Log.Problems() {
		if !told[problem] {
			fresh = true
			s.say(tree.Warning, "%s", problem)
		}
	}
	return fresh
}

// gateLost turns planning on when lines of the log are lost: one of them may have
// turned it on, and nothing may run that the person did not see allowed.
func (s *Session) gateLost() {
	n := s.opt.Log.Lost()
	if n == 0 || s.state.IsPlanning() {
		return
	}
	if err := s.apply(gateEvent(s.state)); err != nil {
		s.state.Mode = plan.ModePlanning // unsaved, but the gate holds
	}
	s.say(tree.Warning, "%s of this session could not be read, and may have turned Plan Mode on. To be safe it is on now; /plan off turns it off.", text.Count(n, "damaged line"))
}

// gateEvent turns planning on in a state that is not planning, keeping what is
// attached or open.
func gateEvent(st plan.State) plan.Event {
	switch w := st.OpenWork(); {
	case w != nil && st.Planning != nil:
		return plan.RevisionAttached{Ref: *st.Planning}
	case w != nil:
		return plan.RevisionAttached{Ref: w.Ref}
	}
	return plan.PlanningEntered{Continue: st.Planning != nil}
}

// recoverStreaming makes an entry of the message that was cut off.
func (s *Session) recoverStreaming() {
	text := s.opt.Log.Streaming()
	if text == "" {
		return
	}
	if err := s.record(tree.KindAssistant, tree.Assistant{Text: text, Stopped: "interrupted"}); err != nil {
		s.say(tree.Warning, "The last unfinished message could not be recovered: %v.", err)
		return
	}
	if err := s.opt.Log.SaveStreaming(""); err != nil {
		s.say(tree.Warning, "The copy of the recovered message could not be removed: %v.", err)
	}
}

// plansIn lists the plans that entries mention, in order of first mention.
func plansIn(entries []Item) []plan.ID {
	var ids []plan.ID
	seen := map[plan.ID]bool{}
	for _, e := range entries {
		var ref plan.Ref
		switch ev, _, _ := tree.Event(e); ev := ev.(type) {
		case plan.RevisionSubmitted:
			ref = ev.Ref
		case plan.RevisionAttached:
			ref = ev.Ref
		case plan.WorkAdopted:
			ref = ev.Ref
		}
		if ref.Plan != "" && !seen[ref.Plan] {
			seen[ref.Plan] = true
			ids = append(ids, ref.Plan)
		}
	}
	return ids
}

// unlogged is a decision that a manifest holds and the log does not.
type unlogged struct {
	ref      plan.Ref
	decision plan.Decision
}

// pending finds the decisions of this session after which planmode stopped
// before it could log them. Only the last one of a plan can be such, and only if
// no event or move was logged after it: else it was reported as failed at the time, and
// what the person did then counts.
func (s *Session) pending(t *tree.Tree) (out []unlogged) {
	last := plan.Time{}
	for _, e := range t.All() {
		if _, event, _ := tree.Event(e); (event || e.Kind == tree.KindLeaf) && e.At.After(last.Time) {
			last = e.At
		}
	}
	for _, id := range plansIn(t.All()) {
		m, err := s.opt.Store.Manifest(id)
		if err != nil {
			continue // reported where the plan is needed
		}
		for i := len(m.Decisions) - 1; i >= 0; i-- {
			d := m.Decisions[i]
			if d.Session != s.opt.Session || d.Entry == "" {
				continue
			}
			if _, known := t.Entry(d.Entry); !known && !last.After(d.At.Time) {
				out = append(out, unlogged{plan.Ref{Plan: id, Revision: d.Revision, Hash: d.Hash}, d})
			}
			break
		}
	}
	return out
}

// recoverDecision writes the missing entry under the id that the decision names,
// so that it is found only once.
func (s *Session) recoverDecision(ref plan.Ref, d plan.Decision) {
	var ev plan.Event
	var text string
	switch d.Kind {
	case plan.DecidedApproved, plan.DecidedAutoApproved:
		ev = plan.WorkRecovered{Ref: ref, Reason: "approved in the plan's record, but the session stopped before the work began"}
		text = "r%d was approved, but planmode stopped before the work began. The approval is kept; the work is UNKNOWN. Continue it, or use /plan revise, /plan complete or /plan abandon."
		if d.Kind == plan.DecidedAutoApproved {
			text = strings.Replace(text, "was approved", "was approved without you ("+plan.AutoApproved+")", 1)
		}
	case plan.DecidedCompleted:
		ev = plan.WorkCompleted{Ref: ref, By: d.By, Title: s.titleOf(ref), Summary: d.Notes}
		text = "r%d was recorded as completed just before planmode stopped; the session now says so too."
	case plan.DecidedAbandoned:
		ev = plan.WorkAbandoned{Ref: ref, By: d.By, Title: s.titleOf(ref), Summary: d.Notes}
		text = "r%d was recorded as abandoned just before planmode stopped; the session now says so too."
	case plan.DecidedDiscarded:
		ev = plan.DraftDetached{Ref: ref, Discarded: true}
		text = "r%d was recorded as discarded just before planmode stopped; it is detached now, and its files are kept."
	case plan.DecidedLeft:
		s.say(tree.Warning, "You left the review of r%d just before planmode stopped. Plan Mode is still on; /plan off turns it off.", ref.Revision)
		return
	default:
		return // a review that is still open is offered again; nothing else is at stake
	}
	err := s.applyUnder(d.Entry, ev)
	if err != nil {
		s.say(tree.Warning, "The plan's record says %s for r%d, which this session does not know, and it does not fit what the session is doing: %v.", d.Kind, ref.Revision, err)
		return
	}
	s.say(tree.Warning, text, ref.Revision)
}

// recoverSubmission attaches a revision of ours that was saved just before
// planmode stopped.
func (s *Session) recoverSubmission() {
	st := s.state
	if !st.IsPlanning() || st.Review != nil {
		return
	}
	m, r, ok := s.lastSubmission(st)
	if !ok {
		return
	}
	ev := plan.RevisionSubmitted{
		Ref:   plan.Ref{Plan: m.PlanID, Revision: r.Revision, Hash: r.Hash},
		Title: r.Title, Author: r.Author, Steps: len(r.Steps), Options: len(r.Options),
	}
	if st.Planning != nil {
		ev.Named, ev.Reoffers = m.PlanID, st.Planning.Hash == r.Hash
	}
	if err := s.apply(ev); err != nil {
		s.say(tree.Warning, "r%d of %q is saved but could not be attached: %v.", r.Revision, r.Title, err)
		return
	}
	s.say(tree.Info, "r%d of %q was saved just before planmode stopped; it is attached. /plan review shows it.", r.Revision, r.Title)
}

// checkDraft drops a draft that can no longer be trusted, and says why.
func (s *Session) checkDraft() {
	ref := s.state.Planning
	if ref == nil {
		return
	}
	err := s.checkRef(*ref)
	if err == nil {
		return
	}
	title := s.titleOf(*ref)
	if errors.Is(err, plan.ErrNewerVersion) {
		s.say(tree.Warning, "The plan of the draft %q r%d was last written by a newer planmode; nothing was touched. It stays attached and cannot be changed here: use the newer planmode, or /plan off.", title, ref.Revision)
		return
	}
	if cerr := s.closeStaleReview(plan.OutcomeVoided); cerr != nil {
		err = fmt.Errorf("%w; %w", err, cerr)
	}
	if aerr := s.apply(plan.DraftDetached{Ref: *ref}); aerr != nil {
		err = fmt.Errorf("%w; %w", err, aerr)
	}
	s.say(tree.Warning, "The draft %q r%d was let go: %v. Whatever is left of its files was not touched.", title, ref.Revision, err)
}

// checkWork hashes the approved bytes again. Work on bytes that are not what was
// approved can no longer be completed; abandoning or revising stays possible. A
// plan that is not there at all is let go.
func (s *Session) checkWork() {
	w := s.state.OpenWork()
	if w == nil {
		return
	}
	err := s.checkRef(w.Ref)
	if errors.Is(err, plan.ErrNewerVersion) {
		s.say(tree.Warning, "The approved plan %q r%d was last written by a newer planmode; nothing was touched. Complete or revise it there; /plan abandon closes it in this session.", s.titleOf(w.Ref), w.Ref.Revision)
		return
	}
	if err == nil {
		s.markReinject()
		return
	}
	if unreadable(err) && s.letGo(*w, err) {
		return
	}
	s.say(tree.Warning, "The approved plan %q r%d cannot be trusted any more: %v. It cannot be completed; /plan abandon closes it.",
		s.titleOf(w.Ref), w.Ref.Revision, err)
}

// Begin does what needs the person once the screen is there: it offers a review
// that was left open, and turns planning on when asked to.
func (s *Session) Begin(ctx context.Context, planning bool) {
	s.command.Lock()
	defer s.command.Unlock()
	if s.readOnly() != nil {
		return // said at the start; an open review belongs to whoever writes
	}
	s.keepPermission(ctx)
	if st := s.current(); st.Review != nil {
		s.offerReview(ctx, *st.Review)
		return
	}
	if planning && !s.current().IsPlanning() {
		s.planOn(ctx)
	}
}

// offerReview asks what becomes of a review that was open when planmode stopped.
func (s *Session) offerReview(ctx context.Context, r plan.OpenReview) {
	chosen := s.unrecorded(r)
	notes := s.keepSaved(r)
	q := Question{
		Title:   fmt.Sprintf("r%d of %s was being reviewed when planmode stopped", r.Ref.Revision, s.titleOf(r.Ref)),
		Body:    strings.TrimSpace(cmp.Or(chosen, "Nothing was decided.") + s.begun(r.Ref)),
		Choices: []Choice{{Label: "Review it again", Detail: "opens the reviewer"}, {Label: "Keep it as a draft", Detail: "/plan review opens it later"}},
		Cancel:  1,
	}
	if len(notes) > 0 {
		q.Body = fmt.Sprintf("%s %s:\n%s", q.Body, text.Count(len(notes), "saved note"), listNotes(notes))
		q.Choices = append(q.Choices, Choice{Label: "Send the saved notes to the agent", Detail: "as requested changes"})
	}
	choice, err := s.opt.Desk.Ask(ctx, q)
	if err != nil {
		return // still open, and offered again next time
	}
	switch choice {
	case 0:
		s.reviewByCommand(r.Ref, notes)
	case 2:
		s.sendSaved(r, notes)
	default:
		if err := s.closeStaleReview(plan.OutcomeInterrupted); err != nil {
			s.say(tree.Failure, "The review could not be closed: %v.", err)
			return
		}
		s.say(tree.Info, "Nothing was approved. %s", s.leadOn())
	}
}

// keepSaved makes durable what an interrupted review had saved, and returns the
// notes that the agent has not got.
func (s *Session) keepSaved(r plan.OpenReview) []plan.Annotation {
	found := s.saved(r)
	sh := &showing{id: r.ID, ref: r.Ref, round: r.Round, result: found}
	s.tellUnrecorded(sh)
	switch {
	case len(found.Notes) > 0:
		if err := s.keepNotes(sh); err != nil {
			s.say(tree.Failure, "The saved notes could not be recorded: %v. They stay where they are.", err)
		}
		return found.Notes
	case len(found.Draft)+len(found.Edit)+len(found.Verdict) > 0:
		if err := s.keepUnfinished(sh); err != nil {
			s.say(tree.Failure, "What you had begun could not be saved: %v. It stays where it is.", err)
		} else {
			s.endReview(sh)
		}
	}
	return s.unsent(r.Ref)
}

// sendSaved requests changes with the notes that a lost review had saved.
func (s *Session) sendSaved(r plan.OpenReview, notes []plan.Annotation) {
	sh := &showing{id: r.ID, ref: r.Ref, round: r.Round, entry: r.Submission, title: s.titleOf(r.Ref)}
	sh.result.Notes = notes
	if f := s.feedback(s.changesRequested(sh, "")); f != nil {
		s.startFeedback(*f)
	}
}

func listNotes(notes []plan.Annotation) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "· %s: %s\n", n.Where(), n.Summary())
	}
	return strings.TrimRight(b.String(), "\n")
}
