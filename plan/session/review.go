package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"

	"planmode/plan"
	"planmode/plan/prompt"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/revdiff"
)

// errTerminalLost ends a review whose terminal went away: the session is about
// to be saved and closed, and the review stays open for the next start.
var errTerminalLost = errors.New("the terminal is gone")

// errUnanswered ends a review when the desk gave no answer although nobody asked
// it to stop: the screen is gone, and the review stays open likewise.
var errUnanswered = errors.New("nobody can answer")

// errUnkept ends a review whose notes could not be made durable. It stays open,
// so that they are offered again from where the reviewer left them.
var errUnkept = errors.New("your notes could not be saved")

// showing is one review in progress.
type showing struct {
	id       plan.ReviewID
	ref      plan.Ref
	round    int
	entry    plan.EntryID // the submission shown
	title    string
	steps    []string
	missing  []string
	options  []plan.Option
	text     []byte
	base     int // the revision it was compared with; 0 for none
	compared string
	reviewer string
	copy     string            // the private copy that the reviewer showed
	pending  []plan.Annotation // saved by a review of it that was interrupted
	job      *revdiff.Job
	result   revdiff.Result
	typed    string // notes with an approval, until they are recorded
	auto     bool   // approved without a person
}

// review shows ref to the person and turns what comes back into a result for
// the agent. It loops when the person edits the plan or asks to look again.
// pending are notes that were saved before and not sent; the reviewer shows them
// again.
func (s *Session) review(ctx context.Context, ref plan.Ref, pending []plan.Annotation) tool.Result {
	for {
		sh, err := s.openReview(ref)
		if err != nil {
			s.windUp()
			s.say(tree.Failure, "The plan is saved as r%d, but its review could not be opened: %v. Plan Mode is still on; /plan review tries again.", ref.Revision, err)
			return planResult("The plan is saved, but it could not be reviewed: "+err.Error()+". The person has been told.",
				s.details(ref, tool.DetailError, err.Error()), true)
		}
		sh.pending = pending
		next, result := s.show(ctx, sh)
		if next == nil {
			return result
		}
		if pending = s.unsent(*next); *next != ref {
			if text, err := s.opt.Store.Revision(*next); err == nil {
				pending = append(pending, movedAlong(sh.result.Notes, text)...)
			}
		}
		ref = *next
	}
}

// openReview gathers what is shown and records that it is about to be.
func (s *Session) openReview(ref plan.Ref) (*showing, error) {
	if reason := s.disabledReason(); reason != "" {
		return nil, errors.New(reason)
	}
	return s.openShowing(ref)
}

// openShowing is openReview when no reviewer is needed.
func (s *Session) openShowing(ref plan.Ref) (*showing, error) {
	text, err := s.opt.Store.Revision(ref)
	if err != nil {
		return nil, err
	}
	m, err := s.opt.Store.Manifest(ref.Plan)
	if err != nil {
		return nil, err
	}
	round, err := s.opt.Store.NextRound(ref.Plan, ref.Revision)
	if err != nil {
		return nil, err
	}
	round = max(round, s.lastRound(ref)+1)
	id, err := s.newReviewID()
	if err != nil {
		return nil, err
	}
	r := m.Revisions[ref.Revision-1]
	sh := &showing{id: id, ref: ref, round: round, title: r.Title, steps: r.Steps, options: r.Options, text: text}
	sh.missing = s.missingSections(text)
	if err := s.apply(plan.ReviewOpened{Review: id, Ref: ref, Round: round}); err != nil {
		return nil, err
	}
	sh.entry = s.current().Submission
	s.compareWatch() // so that changed files are known when the person decides
	return sh, nil
}

// lastRound is the last round in which this session showed a revision, on any of
// its branches: one that ended without a note or a decision is in no other record,
// and its number must not be used for another showing.
func (s *Session) lastRound(ref plan.Ref) (last int) {
	s.writing.Lock()
	defer s.writing.Unlock()
	for _, e := range s.opt.Log.Tree().All() {
		if e.Kind != plan.KindReviewOpened {
			continue
		}
		if ev, _, err := tree.Event(e); err == nil {
			if o, ok := ev.(plan.ReviewOpened); ok && o.Ref.Plan == ref.Plan && o.Ref.Revision == ref.Revision {
				last = max(last, o.Round)
			}
		}
	}
	return last
}

// show runs the reviewer and then, if need be, the card. It returns another
// revision to review, or the result.
func (s *Session) show(ctx context.Context, sh *showing) (*plan.Ref, tool.Result) {
	if err := s.runReviewer(ctx, sh); err != nil {
		return nil, s.reviewFailed(ctx, sh, err)
	}
	if v, ok := s.decidedInside(sh); ok {
		next, result := s.carryOut(ctx, sh, v)
		if open := s.current().Review; open == nil || open.ID != sh.id {
			s.endReview(sh)
		}
		return next, result
	}
	switch sh.result.Kind {
	case revdiff.Annotated:
		return nil, s.changesRequested(sh, "")
	case revdiff.Failed:
		return nil, s.reviewFailed(ctx, sh, errors.New(sh.result.Message))
	}
	return s.decide(ctx, sh)
}

// runReviewer prepares the private copies, hands the terminal over and keeps
// what was collected.
func (s *Session) runReviewer(ctx context.Context, sh *showing) error {
	job, err := s.prepare(sh)
	if err != nil {
		return err
	}
	sh.copy, sh.job = job.Copy, job
	slog.Debug("reviewer begins", "session", s.opt.Session, "review", sh.id, "reviewer", sh.reviewer, "revision", sh.ref.Revision)
	exit, err := s.opt.Desk.Review(ctx, job)
	slog.Debug("reviewer ended", "session", s.opt.Session, "review", sh.id, "started", exit.Started, "lost", exit.Lost, "code", exit.Code)
	if err != nil {
		return unanswered(ctx, err)
	}
	sh.result = revdiff.Classify(job, exit)
	if exit.Lost {
		return errTerminalLost
	}
	return s.keepNotes(sh)
}

// keepNotes makes what was collected durable before anything is decided: the
// bytes beside the plan, and the notes, anchored by what they quote, in the log.
// Only then are the private copies removed, unless the person edited one or the
// decision lies beside them: that goes when it is recorded.
func (s *Session) keepNotes(sh *showing) error {
	if len(sh.result.Raw) > 0 {
		if err := s.opt.Store.SaveReview(sh.ref.Plan, sh.ref.Revision, sh.round, sh.result.Raw); err != nil {
			return fmt.Errorf("%w: %w", errUnkept, err)
		}
	}
	if len(sh.result.Notes) > 0 && !s.keptBefore(sh) {
		err := s.record(tree.KindAnnotations, tree.Annotations{
			Ref: sh.ref, Review: sh.id, Round: sh.round, Reviewer: sh.reviewer, Items: sh.result.Notes,
		})
		if err != nil {
			return fmt.Errorf("%w: %w", errUnkept, err)
		}
	}
	if err := s.keepUnfinished(sh); err != nil {
		return fmt.Errorf("%w: %w", errUnkept, err)
	}
	if sh.result.Kind != revdiff.Edited && len(sh.result.Verdict) == 0 {
		s.endReview(sh)
	}
	return nil
}

// keptBefore says whether the same notes of the review are in the log: planmode
// stopped after that, and finds them again.
func (s *Session) keptBefore(sh *showing) bool {
	for _, b := range s.batches(sh.ref) {
		if b.Review == sh.id && reflect.DeepEqual(b.Items, sh.result.Notes) {
			return true
		}
	}
	return false
}

func (s *Session) endReview(sh *showing) {
	if err := s.opt.Store.EndReview(sh.ref.Plan, sh.id); err != nil {
		s.say(tree.Warning, "The private copies of the review could not be removed: %v.", err)
	}
}

// unanswered tells a desk that is gone from one that was asked to stop.
func unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", errUnanswered, err)
}

// reviewFailed ends a review that brought no decision. Nothing is approved.
func (s *Session) reviewFailed(ctx context.Context, sh *showing, err error) tool.Result {
	s.windUp()
	if s.isClosing() || errors.Is(err, errTerminalLost) || errors.Is(err, errUnanswered) {
		return planResult("The review was interrupted; nothing was decided.", s.details(sh.ref, tool.DetailInterrupted, "interrupted"), true)
	}
	if errors.Is(err, errUnkept) {
		s.say(tree.Failure, "The review of r%d is not finished: %v. They are still where the reviewer left them, nothing was decided, and Plan Mode is still on. /plan review shows them again.", sh.ref.Revision, err)
		return planResult("The review could not be recorded; nothing was decided. The person has been told.",
			s.details(sh.ref, tool.DetailStorageError, err.Error()), true)
	}
	if ctx.Err() != nil {
		return s.voided(sh)
	}
	if cerr := s.apply(plan.ReviewClosed{Review: sh.id, Outcome: plan.OutcomeFailed, Reason: err.Error()}); cerr != nil {
		err = errors.Join(err, cerr)
	}
	hint := ""
	if sh.result.Stderr != "" {
		hint = "\n" + sh.result.Stderr
	}
	s.say(tree.Failure, "The review of r%d failed: %v.%s\nNothing was approved and Plan Mode is still on. /plan review tries again.", sh.ref.Revision, err, hint)
	return planResult("The review failed: "+err.Error()+". Nothing was decided; the person has been told.",
		s.details(sh.ref, tool.DetailError, err.Error()), true)
}

// voided ends a review that was overtaken: by a change of mode, or by an
// interrupt while the card was open.
func (s *Session) voided(sh *showing) tool.Result {
	if err := s.apply(plan.ReviewClosed{Review: sh.id, Outcome: plan.OutcomeVoided}); err != nil {
		s.say(tree.Failure, "The end of the review could not be recorded: %v. Nothing was approved.", err)
	} else {
		s.say(tree.Info, "The review of r%d was closed without a decision. The draft is kept.", sh.ref.Revision)
	}
	return planResult("The review was closed without a decision.", s.details(sh.ref, tool.DetailInterrupted, "closed without a decision"), true)
}

// changesRequested records the notes and hands them to the agent in one batch.
// The turn goes on, so that the agent can revise at once.
func (s *Session) changesRequested(sh *showing, request string) tool.Result {
	notes := sh.result.Notes
	err := s.applyWith(plan.ChangesRequested{Review: sh.id, Count: len(notes), Text: request}, func(id plan.EntryID) error {
		return s.decided(sh, id, plan.Decision{Kind: plan.DecidedChanges, Notes: request})
	})
	if err != nil {
		s.say(tree.Failure, "The requested changes could not be recorded: %v. Nothing was sent; your notes are kept with r%d and the review is still open. /plan review offers it again.%s", err, sh.ref.Revision, unsavedText(request))
		return planResult("The review could not be recorded; nothing was decided.", s.details(sh.ref, tool.DetailStorageError, err.Error()), true)
	}
	s.notesDelivered(sh.ref)
	d := s.details(sh.ref, tool.DetailChangesRequested, "")
	d.Annotations, d.Request = notes, request
	r := s.reference(sh.ref, "")
	r.Compared = sh.base
	return planResult(prompt.Feedback(r, request, notes), d, false)
}

// unsavedText gives back what the person typed into a card that could not be
// recorded: the screen is then the only place that has it.
func unsavedText(typed string) string {
	if strings.TrimSpace(typed) == "" {
		return ""
	}
	return "\nWhat you wrote is not saved anywhere. Here it is, to be copied:\n" + typed
}

// decided appends a decision on what was shown to the manifest.
func (s *Session) decided(sh *showing, entry plan.EntryID, d plan.Decision) error {
	d.Revision, d.Hash = sh.ref.Revision, sh.ref.Hash
	d.At = plan.Stamp(s.opt.Now())
	if d.By == "" {
		d.By = plan.ByUser
	}
	d.Session, d.Entry, d.Review, d.Round = s.opt.Session, entry, sh.id, sh.round
	d.Reviewer = sh.reviewer
	if d.Kind.Approves() {
		d.Named = namedFiles(s.opt.Dir, sh.text)
	}
	_, err := s.opt.Store.Decide(sh.ref.Plan, d)
	if err == nil && d.Kind.Approves() {
		s.keepBaseline(sh.ref.Plan, entry)
	}
	return err
}

func (s *Session) details(ref plan.Ref, kind tool.DetailKind, reason string) tool.PlanDetails {
	d := tool.PlanDetails{
		Kind: kind, Plan: ref.Plan, Revision: ref.Revision, Hash: ref.Hash,
		Path: s.opt.Store.RevisionPath(ref), Reason: reason,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.views[ref]; v != nil {
		d.Title, d.Steps = v.Title, v.Steps
	}
	return d
}
