package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/prompt"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/store"
)

// outcomes says in one sentence what a review brought back. None of them calls
// a review without notes a good one.
var outcomes = map[revdiff.Kind]string{
	revdiff.Clean:         "The reviewer closed; no annotations were recorded.",
	revdiff.Flushed:       "The review was discarded after notes had been written out. They are not sent unless you say so.",
	revdiff.Interrupted:   "The reviewer was interrupted. Notes it had saved are kept and not sent unless you say so.",
	revdiff.Edited:        "The text was edited in the reviewer. The edits are not part of the plan unless you make them the next revision.",
	revdiff.Contradiction: "The reviewer's answer contradicts itself, so nothing is taken from it.",
}

// card describes the review to the person who decides.
func (s *Session) card(sh *showing) Card {
	c := Card{
		Review: sh.id, Ref: sh.ref, Title: sh.title, Steps: sh.steps, Missing: sh.missing,
		Compared: sh.compared, Outcome: outcomes[sh.result.Kind], Reviewer: sh.reviewer,
		Options: sh.options, Context: s.View().Context, Notes: sh.result.Notes, Doubt: s.remarkOn(sh.ref),
		Edited: sh.result.Kind == revdiff.Edited && len(sh.result.Edited) > 0,
		Start:  RowKeep,
		Rows:   []Row{RowApprove, RowRequestChanges, RowKeep, RowCancel, RowLeave},

		Permission: s.Permission(),
	}
	said := sh.result.Kind == revdiff.Clean || sh.result.Kind == revdiff.Edited && len(sh.result.Edited) > 0
	if sh.result.Message != "" && !said {
		c.Outcome += " (" + sh.result.Message + ")"
	}
	if len(c.Notes) > 0 {
		c.Start = RowRequestChanges
	}
	if c.Edited {
		c.Start = RowUseEdits
		c.Rows = append([]Row{RowUseEdits}, c.Rows...)
	}
	if sh.result.Kind != revdiff.Clean {
		c.Rows = append(c.Rows, RowReopen)
	}
	return c
}

// decide shows the card and carries the answer out.
func (s *Session) decide(ctx context.Context, sh *showing) (*plan.Ref, tool.Result) {
	v, err := s.opt.Desk.Decide(ctx, s.card(sh))
	if err != nil {
		return nil, s.reviewFailed(ctx, sh, unanswered(ctx, err))
	}
	return s.carryOut(ctx, sh, v)
}

// carryOut does what the person chose, wherever the card was shown.
func (s *Session) carryOut(ctx context.Context, sh *showing, v Verdict) (*plan.Ref, tool.Result) {
	if v.Review != sh.id || v.Hash != sh.ref.Hash {
		return nil, s.closed(sh, plan.OutcomeStale, plan.DecidedCancelled, tool.DetailCancelled,
			"the answer was for other bytes than those shown, so it was not used")
	}
	if sh.result.Kind == revdiff.Edited && v.Row != RowUseEdits {
		s.say(tree.Info, "Your edits of r%d are no part of the plan. %s", sh.ref.Revision, editsKept(sh))
	}
	switch v.Row {
	case RowApprove:
		if v, ok := withPending(sh, v); ok {
			return nil, s.approve(ctx, sh, v)
		}
		return nil, s.stays(sh, plan.OutcomeKept, plan.DecidedKept, tool.DetailKeepPlanning, "notes were pending and nobody said what becomes of them")
	case RowRequestChanges:
		if strings.TrimSpace(v.Text) == "" && len(sh.result.Notes) == 0 {
			return nil, s.stays(sh, plan.OutcomeKept, plan.DecidedKept, tool.DetailKeepPlanning, "changes were requested without saying which")
		}
		return nil, s.changesRequested(sh, v.Text)
	case RowUseEdits:
		return s.useEdits(sh)
	case RowReopen:
		s.closed(sh, plan.OutcomeKept, plan.DecidedKept, tool.DetailKeepPlanning, "")
		return &sh.ref, tool.Result{}
	case RowKeep:
		return nil, s.stays(sh, plan.OutcomeKept, plan.DecidedKept, tool.DetailKeepPlanning, "the person keeps the plan as a draft")
	case RowLeave:
		return nil, s.left(sh)
	}
	return nil, s.stays(sh, plan.OutcomeCancelled, plan.DecidedCancelled, tool.DetailCancelled, "the person cancelled the review")
}

// closed ends the review without approval and without notes for the agent.
func (s *Session) closed(sh *showing, o plan.Outcome, d plan.DecisionKind, k tool.DetailKind, reason string) tool.Result {
	err := s.applyWith(plan.ReviewClosed{Review: sh.id, Outcome: o, Reason: reason}, func(id plan.EntryID) error {
		return s.decided(sh, id, plan.Decision{Kind: d})
	})
	if err != nil {
		s.say(tree.Failure, "The end of the review could not be recorded: %v. Nothing was approved; the review is still open and /plan review offers it again.", err)
	}
	return planResult(fmt.Sprintf("Not approved: %s. Plan Mode is still on; wait for the person.", reason), s.details(sh.ref, k, reason), true)
}

// stays ends the review without an approval and tells the person how to go on.
// The turn is known to wind up before any of it can be seen, so that a command
// which follows at once is not taken for one in the middle of a turn.
func (s *Session) stays(sh *showing, o plan.Outcome, d plan.DecisionKind, k tool.DetailKind, reason string) tool.Result {
	s.windUp()
	r := s.closed(sh, o, d, k, reason)
	if s.current().Review == nil { // else its end could not be recorded, which was said
		s.say(tree.Info, "Nothing was approved. %s", s.leadOn())
	}
	return r
}

// left leaves planning; the draft is parked.
func (s *Session) left(sh *showing) tool.Result {
	err := s.applyWith(plan.PlanningLeft{}, func(id plan.EntryID) error {
		return s.decided(sh, id, plan.Decision{Kind: plan.DecidedLeft})
	})
	if err != nil {
		return s.closed(sh, plan.OutcomeCancelled, plan.DecidedCancelled, tool.DetailCancelled, "leaving Plan Mode could not be recorded")
	}
	s.planningEnded()
	s.say(tree.Info, "Plan Mode is off. %q r%d was not approved; the draft is parked and /plan on offers it again.", sh.title, sh.ref.Revision)
	return planResult("The person left Plan Mode without approving. Do not implement anything.", s.details(sh.ref, tool.DetailLeft, "the person left Plan Mode without approving"), true)
}

// approve binds the person's act to the exact bytes: they are hashed again, the
// manifest records the decision, the log records the event, and only then does
// anything show it.
func (s *Session) approve(ctx context.Context, sh *showing, v Verdict) tool.Result {
	if ctx.Err() != nil {
		return s.voided(sh)
	}
	sh.typed = v.Text
	choice, err := chosen(sh.options, v.Option)
	if err != nil {
		return s.closed(sh, plan.OutcomeStale, plan.DecidedCancelled, tool.DetailCancelled, err.Error())
	}
	v.Option = choice.index()
	ev := plan.PlanApproved{
		Review: sh.id, Ref: sh.ref, Submission: sh.entry, By: plan.ByUser,
		Title: sh.title, Steps: len(sh.steps), Option: v.Option, Choice: choice.label(), Notes: v.Text, Clean: v.Clean,
	}
	head := s.head(ctx)
	var used plan.EntryID
	err = s.applyWith(ev, func(id plan.EntryID) error {
		used = id
		return s.decided(sh, id, plan.Decision{Kind: plan.DecidedApproved, Option: v.Option, Notes: v.Text, Head: head})
	})
	if err != nil {
		return s.notApproved(sh, used, err)
	}
	s.notesDelivered(sh.ref)
	s.planningEnded()
	s.permissionForWork(v.Permission)
	s.queueHandoff(sh, v, choice)
	d := s.details(sh.ref, tool.DetailApproved, "")
	d.Option, d.Choice = v.Option, choice.label()
	return planResult(fmt.Sprintf("Approved: r%d, %s.%s Implementation begins in the next turn.", sh.ref.Revision, sh.ref.Hash, choice.told()), d, true)
}

// notApproved says what happens when an approval cannot be recorded: still
// planning, and no work begins. The end of the review is logged under the id that
// the plan's record may name, so that no resume takes it for an approval that the
// log lost.
func (s *Session) notApproved(sh *showing, used plan.EntryID, err error) tool.Result {
	if s.onRecord(sh) {
		return s.halfApproved(sh, used, err)
	}
	kind, outcome := tool.DetailStorageError, plan.OutcomeFailed
	if isTampered(err) {
		kind, outcome = tool.DetailIntegrityError, plan.OutcomeStale
	}
	if cerr := s.applyUnder(used, plan.ReviewClosed{Review: sh.id, Outcome: outcome, Reason: err.Error()}); cerr != nil {
		s.say(tree.Failure, "The review could not be closed either: %v.", cerr)
	}
	s.say(tree.Failure, "The approval was NOT recorded: %v. Nothing is approved and Plan Mode is still on. /plan review shows the plan again.%s", err, unsavedText(sh.typed))
	return planResult("The approval was not recorded: "+err.Error()+". Nothing is approved.", s.details(sh.ref, kind, err.Error()), true)
}

// onRecord says whether the plan's own record has the approval all the same.
func (s *Session) onRecord(sh *showing) bool {
	m, err := s.opt.Store.Manifest(sh.ref.Plan)
	if err != nil {
		return false
	}
	a := m.Approval(sh.ref.Revision)
	return a != nil && a.Review == sh.id
}

// halfApproved is notApproved when the disk gave out between the record of the
// plan and the log of the session.
func (s *Session) halfApproved(sh *showing, used plan.EntryID, err error) tool.Result {
	if cerr := s.applyUnder(used, plan.ReviewClosed{Review: sh.id, Outcome: plan.OutcomeFailed, Reason: err.Error()}); cerr != nil {
		err = errors.Join(err, cerr)
	}
	whose := "Your approval"
	if sh.auto {
		whose = "The automatic approval"
	}
	s.say(tree.Failure, "%s of r%d is in the plan's record, but this session could not be told: %v. The work has not begun and Plan Mode is still on. Make sure that the disk is not full; then /plan review lets you approve again.%s", whose, sh.ref.Revision, err, unsavedText(sh.typed))
	return planResult("The approval could not be recorded in full: "+err.Error()+". Do not implement anything; wait for the person.",
		s.details(sh.ref, tool.DetailStorageError, err.Error()), true)
}

// queueHandoff gives the approved text to the next turn.
func (s *Session) queueHandoff(sh *showing, v Verdict, choice choice) {
	r := s.reference(sh.ref, string(sh.text))
	h := &tree.Handoff{Ref: sh.ref, Title: sh.title, Auto: r.Auto, Text: prompt.Handoff(r, prompt.Approval{Notes: v.Text, Approach: choice.prompt(), Clean: v.Clean})}
	s.mu.Lock()
	s.handoff = h
	s.mu.Unlock()
}

// useEdits makes the person's edited copy the next revision, to be reviewed like
// any other: an edit is not an approval.
func (s *Session) useEdits(sh *showing) (*plan.Ref, tool.Result) {
	text, err := document.Normalise(sh.result.Edited)
	if err != nil {
		s.say(tree.Warning, "Your edits cannot become a revision: %v. %s", err, editsKept(sh))
		return nil, s.closed(sh, plan.OutcomeKept, plan.DecidedKept, tool.DetailKeepPlanning, "the person's edits could not be used")
	}
	s.closed(sh, plan.OutcomeKept, plan.DecidedKept, tool.DetailKeepPlanning, "edited by the person")
	doc := document.Parse(text)
	st := s.current()
	ref, err := s.saveRevision(st, store.Submission{
		Plan: sh.ref.Plan, Session: s.opt.Session, Cwd: s.opt.Dir, Title: sh.title, Text: text,
		BasedOn: sh.ref.Revision, Author: plan.ByUser, Language: doc.Language(), Steps: doc.Steps(), Options: sh.options,
	}, sh.ref.Plan)
	if err != nil {
		s.say(tree.Failure, "Your edits could not be saved as a revision: %v. r%d is unchanged. %s", err, sh.ref.Revision, editsKept(sh))
		return nil, planResult("The person edited the plan, but it could not be saved.", s.details(sh.ref, tool.DetailStorageError, err.Error()), true)
	}
	s.endReview(sh)
	if err := s.opt.Store.SaveReviewDraft(sh.ref, store.EditDraft, nil); err != nil {
		s.say(tree.Warning, "The draft of your edits could not be removed: %v.", err)
	}
	s.say(tree.Info, "Your edits are r%d. They are shown again: nothing is approved yet.", ref.Revision)
	return &ref, tool.Result{}
}

// head is the commit the work tree stood at; empty when it is none or git takes
// too long, because an approval must not wait for a slow repository.
func (s *Session) head(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	commit, err := s.opt.Repo.Head(ctx)
	if err != nil {
		return ""
	}
	return commit
}
