package session

import (
	"context"
	"errors"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tree"
)

// entryOf is the last entry of a kind in the whole session.
func entryOf(t *testing.T, s *Session, kind plan.Kind) Item {
	t.Helper()
	all, _ := s.Tree()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Kind == kind {
			return all[i]
		}
	}
	t.Fatalf("no %s entry", kind)
	return Item{}
}

func (r *rig) move(to plan.EntryID) string {
	r.t.Helper()
	again, err := r.Move(context.Background(), to)
	if err != nil {
		r.t.Fatal(err)
	}
	return again
}

func TestAMessageOfThePersonComesBackToBeWrittenAnew(t *testing.T) {
	r := newRig(t)
	r.say("first")
	r.say("second")
	epoch := r.View().Epoch
	if got := r.move(entryOf(t, r.Session, tree.KindUser).ID); got != "second" {
		t.Errorf("came back %q", got)
	}
	if r.View().Epoch == epoch {
		t.Error("a screen would not notice")
	}
	r.say("another second")
	turns := r.agent.told()
	var said []string
	for _, m := range turns[len(turns)-1].Messages {
		if m.Role == agent.RoleUser {
			said = append(said, m.Text)
		}
	}
	if got := strings.Join(said, "|"); got != "first|another second" {
		t.Errorf("the agent was told %q", got)
	}
	r.resume()
	if n := len(messages(r.Items(0), blind)); n != 4 {
		t.Errorf("%d messages after a resume: the move was forgotten", n)
	}
}

func TestGoingBackBeforeAnApprovalLeavesOnlyTheDraft(t *testing.T) {
	r, ref := approved(t)
	other := entryOf(t, r.Session, plan.KindPlanApproved)
	r.move(entryOf(t, r.Session, plan.KindRevisionSubmitted).ID)
	v := r.View()
	if !v.State.IsPlanning() || v.State.Work != nil || v.State.Planning == nil || *v.State.Planning != ref {
		t.Fatalf("state %+v", v.State)
	}
	if v.Draft == nil || v.Draft.Status != plan.StatusDraft {
		t.Errorf("the approval of the other branch shows: %+v", v.Draft)
	}
	r.desk.set(func(d *scriptDesk) { d.decide = row(RowKeep) })
	r.agent.then(submitting(ref.Plan, "Login", planText("login, otherwise")))
	r.say("otherwise")
	r.desk.set(func(d *scriptDesk) { d.decide, d.confirm = row(RowApprove), yes })
	r.plan("review")
	second := r.View().State.OpenWork()
	if second == nil || second.Ref.Revision != 2 {
		t.Fatalf("state %+v\n%s", r.View().State, r.notices())
	}
	r.plan("complete")
	r.move(other.ID)
	if w := r.View().State.OpenWork(); w == nil || w.Ref != ref {
		t.Fatalf("the first approval is not open on its branch: %+v", r.View().State)
	}
	r.plan("complete")
	if w := r.View().State.Work; w == nil || w.Status != plan.Completed || w.Ref != ref {
		t.Errorf("state %+v\n%s", r.View().State, r.notices())
	}
	m, err := r.store.Manifest(ref.Plan)
	var kinds []string
	for _, d := range m.Decisions {
		kinds = append(kinds, string(d.Kind)+"/"+string(rune('0'+d.Revision)))
	}
	if got := strings.Join(kinds, " "); err != nil || got != "approved/1 kept/2 approved/2 completed/2 completed/1" {
		t.Errorf("the record says %q, %v", got, err)
	}
}

func TestAMoveVoidsAnOpenReview(t *testing.T) {
	r := reviewing(t)
	review := r.View().State.Review.ID
	r.move(entryOf(t, r.Session, plan.KindPlanningEntered).ID)
	if r.View().State.Review != nil {
		t.Error("the review is open on the new branch")
	}
	closed, err := tree.Decode[plan.ReviewClosed](entryOf(t, r.Session, plan.KindReviewClosed))
	if err != nil || closed.Review != review || closed.Outcome != plan.OutcomeVoided {
		t.Errorf("closed %+v %v", closed, err)
	}
	// And to where it was open.
	r.move(entryOf(t, r.Session, plan.KindReviewOpened).ID)
	if st := r.View().State; st.Review != nil || !st.IsPlanning() || st.Planning == nil {
		t.Errorf("state %+v", st)
	}
}

func TestATurnIsEndedOnlyWhenThePersonAgrees(t *testing.T) {
	r := newRig(t)
	r.say("before")
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
	if err := r.Send("queued"); err != nil {
		t.Fatal(err)
	}
	first := func() plan.EntryID { all, _ := r.Tree(); return all[0].ID }()
	if _, err := r.Move(context.Background(), first); err != nil || !r.View().Running {
		t.Fatalf("moved without a yes: %v", err)
	}
	r.desk.set(func(d *scriptDesk) { d.confirm = yes })
	if got := r.move(first); got != "queued\n\nbefore" {
		t.Errorf("came back %q", got)
	}
	if v := r.View(); v.Running || len(v.Queue) > 0 {
		t.Errorf("running %v, queue %v", v.Running, v.Queue)
	}
}

func TestGrantsDoNotFollowTheBranch(t *testing.T) {
	r := newRig(t)
	writing := func(ctx context.Context, t agent.Turn, h agent.Host) error {
		said := t.Messages[len(t.Messages)-1].Text
		_, _, err := call(ctx, h, "write", map[string]string{"path": "a.txt", "content": said})
		return err
	}
	r.desk.set(func(d *scriptDesk) {
		d.permit = func(context.Context, Permit) (Grant, error) { return Grant{Answer: GrantSession}, nil }
	})
	for _, text := range []string{"one", "two"} {
		r.agent.then(writing)
		r.say(text)
	}
	asked := len(r.desk.permits)
	r.move(entryOf(t, r.Session, tree.KindUser).ID)
	r.agent.then(writing)
	r.say("three")
	if asked != 1 || len(r.desk.permits) != 2 {
		t.Errorf("asked %d times before, %d after", asked, len(r.desk.permits))
	}
}

func TestAMoveIsRefusedWithAReason(t *testing.T) {
	r := newRig(t)
	r.say("hello")
	leaf := r.View().Leaf
	before := onDisk(t, r)
	for name, tc := range map[string]struct {
		to   plan.EntryID
		want error
	}{
		"an entry that is not there": {"ffffffffffff", tree.ErrNoEntry},
		"where the branch ends":      {leaf, ErrHere},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := r.Move(context.Background(), tc.to); !errors.Is(err, tc.want) {
				t.Errorf("error %v, want %v", err, tc.want)
			}
		})
	}
	same(t, before, onDisk(t, r))
	if _, err := onlooker(t, r).Move(context.Background(), leaf); err == nil {
		t.Error("a session that can only be read was moved")
	}
}

func TestLabelsAreKeptForEveryBranch(t *testing.T) {
	r := newRig(t)
	r.say("hello")
	target := entryOf(t, r.Session, tree.KindUser).ID
	answer := entryOf(t, r.Session, tree.KindAssistant).ID
	if err := errors.Join(r.Label(target, "good\x1b[31m start"), r.Label(answer, "gone")); err != nil {
		t.Fatal(err)
	}
	r.move(answer)
	if err := r.Label(answer, ""); err != nil {
		t.Fatal(err)
	}
	all, _ := r.Tree()
	if l := tree.Labels(all); len(l) != 1 || !strings.HasPrefix(l[target], "good") || strings.Contains(l[target], "\x1b") {
		t.Errorf("labels %q", l)
	}
	if err := r.Label("ffffffffffff", "x"); !errors.Is(err, tree.ErrNoEntry) {
		t.Errorf("labelled nothing: %v", err)
	}
}
