package showing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"planmode/plan"
	"planmode/plan/gate/target"
	"planmode/plan/gate/waiter"
	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/revdiff"
	"planmode/revdiff/brief"
	"planmode/store"
	"planmode/tui/card"
)

// The ways a showing ends without an answer. Nothing was decided, and what was
// written is kept.
var (
	// ErrLost reports a terminal that went away.
	ErrLost = errors.New("the terminal went away during the review")
	// ErrLeft reports a person who left by Ctrl+C.
	ErrLeft = errors.New("the review was left without a decision")
)

// FailedError is a reviewer that could not do its work.
type FailedError struct {
	Text   string
	Stderr string // its last lines
}

// Error implements error.
func (e *FailedError) Error() string {
	if e.Stderr == "" {
		return e.Text
	}
	return e.Text + "\n" + e.Stderr
}

// Options are what a showing needs besides the job.
type Options struct {
	Terminal   *process.Terminal
	Store      *store.Store
	Finder     revdiff.FindOptions
	ProbeCache string // where what is known of an external reviewer is kept
	Env        []string
	Labels     []string // quick labels
	Theme      string   // auto, light or dark
	ASCII      bool
	Now        func() time.Time
	// Again reads the text once more before an approval counts; nil leaves it.
	Again func(context.Context, target.Text) (now target.Text, changed bool, err error)
}

// showing is one job on one terminal.
type showing struct {
	Options
	job      waiter.Job
	key      string
	reviewer revdiff.Reviewer
	compared string
	doubt    string            // what the person must know before they go on
	pending  []plan.Annotation // notes to begin with
	draft    []byte            // the same as the built-in reviewer keeps them
}

// Run shows the text until the person has answered.
func Run(ctx context.Context, o Options, job waiter.Job) (waiter.Answer, error) {
	s := &showing{Options: o, job: job}
	var err error
	if s.reviewer, err = revdiff.Find(o.Finder); err != nil {
		return waiter.Answer{}, &FailedError{Text: err.Error()}
	}
	if known, err := revdiff.Probe(ctx, s.reviewer, o.Env, o.ProbeCache); err == nil {
		s.reviewer = known
	}
	for {
		again, answer, err := s.round(ctx)
		if !again || err != nil {
			return answer, err
		}
	}
}

// round is one run of the reviewer with the card after it. again says that the person
// wants to see the text once more.
func (s *showing) round(ctx context.Context) (again bool, a waiter.Answer, err error) {
	s.key = s.job.Text.Key()
	if s.key == "" {
		s.key = store.GateKey(s.job.Text.Markdown)
	}
	dir, err := s.Store.OpenGateReview(s.key)
	if err != nil {
		return false, a, err
	}
	if err := s.takeUp(dir); err != nil {
		return false, a, errors.Join(err, dir.Close())
	}
	result, err := s.review(ctx, dir.Dir)
	if kept := s.keep(result); kept != nil {
		// The directory is the only place that has the notes: it stays.
		return false, a, errors.Join(err, fmt.Errorf("what you wrote could not be kept: %w; it is in %s", kept, dir.Dir))
	}
	// What cannot be removed is found again by the next review of the text.
	_ = dir.Close()
	if err != nil {
		return false, a, err
	}
	v, err := s.verdict(ctx, result)
	if err != nil {
		return false, a, err
	}
	if v.Row == brief.GateReopen {
		return true, a, nil
	}
	if v.Row == brief.GateApprove && s.moved(ctx) {
		return true, a, nil
	}
	return false, s.answer(v, result.Notes), nil
}

// review runs the reviewer once. The result is good also beside an error.
func (s *showing) review(ctx context.Context, dir string) (revdiff.Result, error) {
	job, err := s.prepare(dir)
	if err != nil {
		return revdiff.Result{}, err
	}
	carried := s.unloaded(job)
	fg := job.Foreground(s.Terminal)
	over := make(chan struct{})
	stopped := make(chan struct{})
	process.Go("stop the reviewer of a gate", func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			fg.Stop()
		case <-over:
		}
	})
	_ = fg.Run() // the exit says it too
	close(over)
	<-stopped
	exit := fg.Exit()
	r := revdiff.Classify(job, exit)
	r.Notes = append(carried, r.Notes...)
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case exit.Lost:
		return r, ErrLost
	case r.Kind == revdiff.Failed:
		return r, &FailedError{Text: r.Message, Stderr: r.Stderr}
	case exit.Code == exitLeft && s.reviewer.Builtin:
		return r, ErrLeft
	}
	return r, nil
}

// exitLeft is how the built-in reviewer ends when the person leaves it.
const exitLeft = 130

// prepare writes the private copies for the reviewer.
func (s *showing) prepare(dir string) (*revdiff.Job, error) {
	t := s.job.Text
	hash := plan.HashOf(t.Markdown)
	req := revdiff.Request{
		Reviewer: s.reviewer, Dir: dir, Title: t.Name, Env: s.Env, Labels: s.Labels, Pending: s.pending, Draft: s.draft,
		New: revdiff.Text{Revision: 2, Bytes: t.Markdown, Name: target.FileName(t.Name)},
		Brief: &brief.Brief{
			Review: plan.ReviewID("gate-" + s.job.ID), Ref: plan.Ref{Revision: 2, Hash: hash}, Title: t.Name,
			Gate: &brief.Gate{
				Subject: string(t.Subject), Asker: s.job.Asker, Plain: t.Plain, Compared: s.compared, Doubt: s.doubt,
				Approves: s.job.Format.CanApprove(), Carries: s.job.Format.CarriesNotes(),
			},
		},
	}
	if b := s.job.Base; b != nil {
		if plan.HashOf(b.Markdown) != hash {
			req.Old = revdiff.Text{Revision: 1, Bytes: b.Markdown, Name: target.FileName(t.Name) + "-before"}
			req.Previous = b.Notes
			s.compared = changed(b.Markdown, t.Markdown)
			req.Brief.Gate.Compared = s.compared
		}
		for i, n := range b.Notes {
			req.Brief.Earlier = append(req.Brief.Earlier, brief.Earlier{ID: fmt.Sprintf("before-%d", i), Revision: 1, Note: n, Sent: true})
		}
	}
	return revdiff.Prepare(req)
}

// verdict is what the person decided in the reviewer, or on the card now.
func (s *showing) verdict(ctx context.Context, r revdiff.Result) (brief.GateVerdict, error) {
	if len(r.Verdict) > 0 && (r.Kind == revdiff.Clean || r.Kind == revdiff.Annotated) {
		return brief.ParseGateVerdict(r.Verdict)
	}
	if r.Kind == revdiff.Annotated && !s.job.Format.CanApprove() {
		return brief.GateVerdict{Row: brief.GateSend, Notes: true}, nil
	}
	data := card.GateData{
		Gate:  brief.Gate{Subject: string(s.job.Text.Subject), Asker: s.job.Asker, Approves: s.job.Format.CanApprove(), Carries: s.job.Format.CarriesNotes(), Compared: s.compared},
		Title: s.job.Text.Name, Hash: plan.HashOf(s.job.Text.Markdown), Outcome: outcome(r), Reviewer: s.reviewer.Name, Notes: r.Notes,
		Broken: r.Kind != revdiff.Clean && r.Kind != revdiff.Annotated && r.Kind != revdiff.Flushed,
	}
	return s.ask(ctx, data)
}

// outcome says what the review brought back.
func outcome(r revdiff.Result) string {
	switch r.Kind {
	case revdiff.Annotated:
		return "You wrote " + text.Count(len(r.Notes), "note") + "."
	case revdiff.Edited:
		return "What you edited was a private copy: the file is as it was, and the edit is not used."
	case revdiff.Clean:
		return "No notes were recorded."
	}
	return "The review did not end as it should: " + r.Message + "."
}

// moved says whether the text is no longer what the person approved. It is then shown
// again as it reads now: an approval is of the bytes that were shown.
func (s *showing) moved(ctx context.Context) bool {
	if s.Again == nil {
		return false
	}
	now, changed, err := s.Again(ctx, s.job.Text)
	switch {
	case err != nil:
		s.doubt = fmt.Sprintf("Nothing was approved: %v. This is the text as it was.", err)
		return true
	case !changed:
		return false
	}
	s.job.Base = &waiter.Base{Markdown: s.job.Text.Markdown}
	s.job.Text = now
	s.doubt = "Nothing was approved: the file changed while you looked at it. This is how it reads now."
	return true
}

// answer is the answer to the caller.
func (s *showing) answer(v brief.GateVerdict, written []plan.Annotation) waiter.Answer {
	a := waiter.Answer{Text: s.job.Text}
	if v.Notes {
		a.Notes = written
	} else {
		a.Unsent = written
	}
	switch v.Row {
	case brief.GateApprove:
		a.Outcome.Approved = true
	case brief.GateClose:
		a.Outcome.Exit = true
		return a
	}
	if v.Text != "" {
		a.Notes = append(a.Notes, plan.Annotation{Body: v.Text})
	}
	a.Outcome.Feedback = s.job.Text.Feedback(a.Notes)
	return a
}
