package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/revdiff"
)

// recorder writes down what an observer is told: a label is raised with "+" and
// cleared with "-".
type recorder struct {
	mu     sync.Mutex
	events []string
	raised []string
}

func (r *recorder) note(event string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, event)
}

func (r *recorder) Working() { r.note("working") }

func (r *recorder) Idle() { r.note("idle") }

func (r *recorder) Blocked(label string) func() {
	r.note("+" + label)
	r.mu.Lock()
	r.raised = append(r.raised, label)
	r.mu.Unlock()
	return func() {
		r.note("-" + label)
		r.mu.Lock()
		defer r.mu.Unlock()
		if i := slices.Index(r.raised, label); i >= 0 {
			r.raised = slices.Delete(r.raised, i, i+1)
		}
	}
}

// now are the labels that are raised.
func (r *recorder) now() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.raised, ", ")
}

// take returns what was noted since it was last called.
func (r *recorder) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := strings.Join(r.events, ", ")
	r.events = nil
	return got
}

func (r *rig) observed(want string) {
	r.t.Helper()
	if got := r.seen.take(); got != want {
		r.t.Errorf("observed %s\nwant     %s", got, want)
	}
}

func TestAnObserverFollowsTheSession(t *testing.T) {
	r := newRig(t)
	r.plan("on")
	r.observed("")
	var during []string
	r.desk.set(func(d *scriptDesk) {
		d.review = func(ctx context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			during = append(during, r.seen.now())
			return clean(ctx, j)
		}
		d.decide = func(ctx context.Context, c Card) (Verdict, error) {
			during = append(during, r.seen.now())
			return row(RowApprove)(ctx, c)
		}
	})
	r.agent.then(submitting("", "Login", planText("login")))
	r.say("plan the login")
	if got := strings.Join(during, "; "); got != "plan review; plan approval" {
		t.Errorf("raised while the person was asked: %s", got)
	}
	// The turn that implements follows without a pause.
	r.observed("working, +plan review, -plan review, +plan approval, -plan approval, idle")

	r.plan("on")
	r.observed("+plan lifecycle decision, -plan lifecycle decision")
	r.plan("complete")
	r.observed("+plan completion confirmation, -plan completion confirmation")
	r.plan("abandon")
	r.observed("+plan abandonment confirmation, -plan abandonment confirmation")
}

func TestAnObserverSeesCommands(t *testing.T) {
	r, _ := submitted(t)
	r.seen.take()
	r.plan("review")
	r.observed("working, +plan review, -plan review, +plan approval, -plan approval, idle")
	r.plan("discard")
	r.observed("+plan discard confirmation, -plan discard confirmation")
}

func TestAnObserverSeesPermissions(t *testing.T) {
	r := newRig(t)
	r.agent.then(func(ctx context.Context, _ agent.Turn, h agent.Host) error {
		_, _, err := call(ctx, h, "bash", map[string]string{"command": "true"})
		return err
	})
	r.say("go")
	r.observed("working, +permission, -permission, idle")
}

func TestAnObserverSeesTheEndOfWhatWasInterrupted(t *testing.T) {
	r := newRig(t)
	begun := make(chan struct{})
	r.agent.then(func(ctx context.Context, _ agent.Turn, _ agent.Host) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	})
	if err := r.Send("go"); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.observed("working, idle")
}

// fallingDesk fails at every question.
type fallingDesk struct{ fall func() error }

func (d fallingDesk) Review(context.Context, *revdiff.Job) (revdiff.Exit, error) {
	return revdiff.Exit{}, d.fall()
}

func (d fallingDesk) Decide(context.Context, Card) (Verdict, error) { return Verdict{}, d.fall() }

func (d fallingDesk) Ask(context.Context, Question) (int, error) { return 0, d.fall() }

func (d fallingDesk) Questions(context.Context, QuestionSet) (Answers, error) {
	return Answers{}, d.fall()
}

func (d fallingDesk) Permit(context.Context, Permit) (Grant, error) { return Grant{}, d.fall() }

func (d fallingDesk) Confirm(context.Context, Confirmation) (bool, error) { return false, d.fall() }

func TestANeedIsClearedHoweverItEnds(t *testing.T) {
	broken := errors.New("broken")
	asks := map[string]func(Desk) error{
		labelReview: func(d Desk) error { _, err := d.Review(t.Context(), nil); return err },
		labelApproval: func(d Desk) error {
			_, err := d.Decide(t.Context(), Card{Title: "Secret", Ref: plan.Ref{Plan: "p"}})
			return err
		},
		labelLifecycle: func(d Desk) error { _, err := d.Ask(t.Context(), Question{Title: "Secret"}); return err },
		labelQuestions: func(d Desk) error { _, err := d.Questions(t.Context(), QuestionSet{}); return err },
		labelPermit:    func(d Desk) error { _, err := d.Permit(t.Context(), Permit{}); return err },
		labelConfirm:   func(d Desk) error { _, err := d.Confirm(t.Context(), Confirmation{Title: "Secret"}); return err },
	}
	for label, ask := range asks {
		t.Run(label, func(t *testing.T) {
			seen := &recorder{}
			d := observedDesk{desk: fallingDesk{func() error { return broken }}, observer: seen}
			if err := ask(d); !errors.Is(err, broken) {
				t.Errorf("the error of the desk became %v", err)
			}
			d.desk = fallingDesk{func() error { panic(broken) }}
			func() {
				defer func() {
					if recover() == nil {
						t.Error("the panic was swallowed")
					}
				}()
				_ = ask(d)
			}()
			want := "+" + label + ", -" + label
			if got := seen.take(); got != want+", "+want {
				t.Errorf("observed %s", got)
			}
		})
	}
}
