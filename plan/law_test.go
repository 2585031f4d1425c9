package plan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The refs of the table: a draft, the revision after it, open or closed work on
// another plan, and a plan that nothing is attached to.
var (
	draftRef = Ref{"20260102T030405-draft-00000001", 2, HashOf([]byte("draft"))}
	nextRef  = Ref{draftRef.Plan, 3, HashOf([]byte("next"))}
	workRef  = Ref{"20260102T030405-work-00000002", 1, HashOf([]byte("work"))}
	otherRef = Ref{"20260102T030405-other-00000003", 1, HashOf([]byte("other"))}
)

const (
	theReview  ReviewID = "review-1"
	theEntry   EntryID  = "0123456789ab"
	eventEntry EntryID  = "ba9876543210"
)

// lawEvents are the events of the table, each as it would be sent by someone who
// means what the state shows.
var lawEvents = []struct {
	name  string
	event Event
}{
	{"PlanningEntered new", PlanningEntered{}},
	{"PlanningEntered continue", PlanningEntered{Continue: true}},
	{"RevisionAttached draft", RevisionAttached{Ref: draftRef}},
	{"RevisionAttached work", RevisionAttached{Ref: workRef}},
	{"RevisionSubmitted unnamed", RevisionSubmitted{Ref: otherRef, Author: ByAgent}},
	{"RevisionSubmitted named", RevisionSubmitted{Ref: nextRef, Named: draftRef.Plan, Author: ByAgent}},
	{"ReviewOpened", ReviewOpened{Review: theReview, Ref: draftRef, Round: 1}},
	{"ReviewClosed", ReviewClosed{Review: theReview, Outcome: OutcomeKept}},
	{"ChangesRequested", ChangesRequested{Review: theReview, Count: 1}},
	{"PlanApproved", PlanApproved{Review: theReview, Ref: draftRef, Submission: theEntry, By: ByUser}},
	{"PlanningLeft", PlanningLeft{}},
	{"DraftDetached", DraftDetached{Ref: draftRef}},
	{"WorkCompleted", WorkCompleted{Ref: workRef, By: ByUser}},
	{"WorkAbandoned", WorkAbandoned{Ref: workRef, By: ByUser}},
	{"WorkRecovered", WorkRecovered{Ref: workRef}},
	{"WorkAdopted", WorkAdopted{Ref: otherRef}},
}

// lawTable is written by hand from the design. A row says in which states the
// event is allowed and what comes out; in every other state it is refused. "any"
// matches all; work is open (implementing, unknown) or closed (the rest); "="
// in the result means as before.
//
//	event | mode draft work review -> mode draft work review
const lawTable = `
PlanningEntered new       | normal   any   closed any  -> planning none     =            none
PlanningEntered continue  | normal   draft closed any  -> planning =        =            none
RevisionAttached draft    | any      any   any    none -> planning draft    =            none
RevisionAttached work     | any      none  any    none -> planning work     =            none
RevisionSubmitted unnamed | planning none  any    none -> planning other    =            none
RevisionSubmitted named   | planning draft any    none -> planning next     =            none
ReviewOpened              | planning draft any    none -> planning =        =            open
ReviewClosed              | planning draft any    open -> planning =        =            none
ChangesRequested          | planning draft any    open -> planning =        =            none
PlanApproved              | planning draft any    open -> normal   none     implementing none
PlanningLeft              | planning any   any    any  -> normal   =        =            none
DraftDetached             | any      draft any    none -> =        none     =            none
WorkCompleted             | normal   any   open   any  -> =        =        completed    none
WorkAbandoned             | normal   any   open   any  -> =        =        abandoned    none
WorkRecovered             | any      any   any    any  -> =        =        unknown      =
WorkAdopted               | normal   any   closed any  -> =        =        implementing none
`

func lawStates() []State {
	var states []State
	for _, mode := range []Mode{ModeNormal, ModePlanning} {
		for _, draft := range []bool{false, true} {
			for _, work := range []WorkStatus{"", Implementing, Completed, Abandoned, Unknown} {
				s := State{Mode: mode}
				if work != "" {
					s.Work = &Work{Ref: workRef, Status: work}
				}
				if draft {
					ref := draftRef
					s.Planning, s.Submission = &ref, theEntry
				}
				states = append(states, s)
				if draft && mode == ModePlanning {
					s.Review = &OpenReview{ID: theReview, Ref: draftRef, Submission: theEntry, Round: 1}
					states = append(states, s)
				}
			}
		}
	}
	return states
}

// words describes a state in the words of the table.
func words(s State) [4]string {
	draft := "none"
	if s.Planning != nil {
		draft = map[Ref]string{draftRef: "draft", nextRef: "next", workRef: "work", otherRef: "other"}[*s.Planning]
	}
	work, review := "none", "none"
	if s.Work != nil {
		work = string(s.Work.Status)
	}
	if s.Review != nil {
		review = "open"
	}
	return [4]string{string(s.Mode), draft, work, review}
}

// expect looks the pair up in the table; ok is false when it is refused.
func expect(t *testing.T, event string, from [4]string) (to [4]string, ok bool) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(lawTable)) {
		name, rest, _ := strings.Cut(line, "|")
		if strings.TrimSpace(name) != event {
			continue
		}
		when, then, _ := strings.Cut(rest, "->")
		for i, want := range strings.Fields(when) {
			open := from[i] == "implementing" || from[i] == "unknown"
			match := want == "any" || want == from[i] || want == "open" && open || i == 2 && want == "closed" && !open
			if !match {
				return from, false
			}
		}
		copy(to[:], strings.Fields(then))
		for i := range to {
			if to[i] == "=" {
				to[i] = from[i]
			}
		}
		return to, true
	}
	t.Fatalf("the table has no row for %s", event)
	return from, false
}

func TestLawOverEveryPair(t *testing.T) {
	pairs := 0
	for _, e := range lawEvents {
		for _, s := range lawStates() {
			pairs++
			from := words(s)
			want, allowed := expect(t, e.name, from)
			got, err := Apply(s, e.event, At{Entry: eventEntry, Time: time.Unix(1, 0)})
			t.Logf("%-26s %-52s %s", e.name, strings.Join(from[:], " · "), result(got, err))
			if allowed != (err == nil) {
				t.Errorf("%s in %v: allowed %v, got %v", e.name, from, allowed, err)
			}
			if err != nil {
				if !errors.Is(err, ErrRefused) || !reflect.DeepEqual(got, s) {
					t.Errorf("%s in %v: a refusal changed the state or is not ErrRefused: %v", e.name, from, err)
				}
			} else if words(got) != want {
				t.Errorf("%s in %v: got %v, want %v", e.name, from, words(got), want)
			}
		}
	}
	if pairs != 25*len(lawEvents) {
		t.Errorf("walked %d pairs", pairs)
	}
}

func result(s State, err error) string {
	if err != nil {
		return "- " + strings.TrimPrefix(err.Error(), ErrRefused.Error()+": ")
	}
	w := words(s)
	return "→ " + strings.Join(w[:], " · ")
}

func TestEveryEventOfTheLawIsWalked(t *testing.T) {
	walked := map[Kind]bool{}
	for _, e := range lawEvents {
		walked[e.event.Kind()] = true
	}
	for kind := range law {
		if !walked[kind] {
			t.Errorf("%s is in the law but not in the table test", kind)
		}
	}
}

func TestApprovalBindsWhatWasShown(t *testing.T) {
	draft := draftRef
	s := State{Mode: ModePlanning, Planning: &draft, Submission: theEntry,
		Review: &OpenReview{ID: theReview, Ref: draftRef, Submission: theEntry, Round: 1}}
	good := PlanApproved{Review: theReview, Ref: draftRef, Submission: theEntry, By: ByUser}
	if _, err := Apply(s, good, At{}); err != nil {
		t.Fatalf("the exact approval is refused: %v", err)
	}
	for name, change := range map[string]func(*PlanApproved){
		"another review is refused":               func(e *PlanApproved) { e.Review = "review-2" },
		"another hash is refused":                 func(e *PlanApproved) { e.Ref.Hash = nextRef.Hash },
		"another revision number is refused":      func(e *PlanApproved) { e.Ref.Revision++ },
		"another plan is refused":                 func(e *PlanApproved) { e.Ref.Plan = workRef.Plan },
		"another submission entry is refused":     func(e *PlanApproved) { e.Submission = eventEntry },
		"an approval by the agent is refused":     func(e *PlanApproved) { e.By = ByAgent },
		"an approval by nobody at all is refused": func(e *PlanApproved) { e.By = "" },
	} {
		t.Run(name, func(t *testing.T) {
			e := good
			change(&e)
			if got, err := Apply(s, e, At{}); !errors.Is(err, ErrRefused) || got.Work != nil {
				t.Errorf("got %v, %v", words(got), err)
			}
		})
	}
	t.Run("an approval counts once", func(t *testing.T) {
		after, _ := Apply(s, good, At{})
		if _, err := Apply(after, good, At{}); !errors.Is(err, ErrRefused) {
			t.Errorf("used twice: %v", err)
		}
	})
	t.Run("leaving planning voids the open review", func(t *testing.T) {
		left, _ := Apply(s, PlanningLeft{}, At{})
		back, _ := Apply(left, PlanningEntered{Continue: true}, At{})
		if _, err := Apply(back, good, At{}); !errors.Is(err, ErrRefused) {
			t.Errorf("a voided review still approves: %v", err)
		}
	})
}

func TestClosingWorkLetsGoOfADraftOfTheSamePlan(t *testing.T) {
	draft := Ref{workRef.Plan, 2, HashOf([]byte("revised"))}
	s := State{Mode: ModeNormal, Planning: &draft, Submission: theEntry, Work: &Work{Ref: workRef, Status: Implementing}}
	for _, e := range []Event{WorkCompleted{Ref: workRef, By: ByAgent}, WorkAbandoned{Ref: workRef, By: ByUser}} {
		got, err := Apply(s, e, At{})
		if err != nil || got.Planning != nil || got.Submission != "" {
			t.Errorf("%s: planning is %v, err %v", e.Kind(), got.Planning, err)
		}
	}
	if s.Planning == nil || s.Work.Status != Implementing {
		t.Error("Apply wrote through the old state")
	}
}

func TestSubmittingTheSameBytesIsRefused(t *testing.T) {
	draft := draftRef
	s := State{Mode: ModePlanning, Planning: &draft, Submission: theEntry}
	same := Ref{draftRef.Plan, 3, draftRef.Hash}
	if _, err := Apply(s, RevisionSubmitted{Ref: same, Named: draftRef.Plan}, At{}); !errors.Is(err, errSameBytes) {
		t.Errorf("got %v", err)
	}
	if next, err := Apply(s, RevisionSubmitted{Ref: same, Named: draftRef.Plan, Reoffers: true}, At{}); err != nil || next.Planning.Revision != same.Revision {
		t.Errorf("the same bytes with other approaches: %+v, %v", next, err)
	}
}

func TestTheZeroStateIsNormal(t *testing.T) {
	s, err := Apply(State{}, PlanningEntered{}, At{})
	if err != nil || !s.IsPlanning() {
		t.Errorf("got %v, %v", s, err)
	}
	if s, err := Apply(State{}, PlanningLeft{}, At{}); err == nil || s.Mode != "" {
		t.Errorf("a refusal changed the zero state: %v, %v", s, err)
	}
}

// drive applies a pseudo-random sequence of events that an adversary with a few
// refs, reviews and entries could send, and checks what must always hold.
// It returns how often work was unlocked.
func drive(t *testing.T, seed []byte) (unlocked int) {
	t.Helper()
	refs := []Ref{draftRef, nextRef, workRef, otherRef, {workRef.Plan, 2, HashOf([]byte("w2"))}, {}}
	s := State{}
	for i := 0; i+1 < len(seed); i += 2 {
		kind, arg := int(seed[i]), int(seed[i+1])
		ref := refs[arg%len(refs)]
		if s.Planning != nil && arg%3 == 0 {
			ref = *s.Planning
		}
		review := ReviewID([]string{"a", "b", ""}[arg%7%3])
		entry := EntryID(fmt.Sprintf("%012x", i))
		events := []Event{
			PlanningEntered{Continue: arg%2 == 0}, RevisionAttached{Ref: ref},
			RevisionSubmitted{Ref: ref, Named: refs[arg%5].Plan}, RevisionSubmitted{Ref: ref},
			ReviewOpened{Review: review, Ref: ref, Round: 1}, ReviewClosed{Review: review},
			ChangesRequested{Review: review}, PlanApproved{Review: review, Ref: ref, Submission: s.Submission, By: ByUser},
			PlanningLeft{}, DraftDetached{Ref: ref}, WorkCompleted{Ref: ref, By: ByUser},
			WorkAbandoned{Ref: ref, By: ByAgent}, WorkRecovered{Ref: ref}, WorkAdopted{Ref: ref},
		}
		e := events[kind%len(events)]
		next, err := Apply(s, e, At{Entry: entry})
		if err != nil {
			if !reflect.DeepEqual(next, s) {
				t.Fatalf("refused %s changed %v to %v", e.Kind(), words(s), words(next))
			}
			continue
		}
		holds(t, s, next, e)
		if next.Work != nil && next.Work.Status == Implementing && s.Work != next.Work {
			unlocked++
		}
		s = next
	}
	return unlocked
}

func holds(t *testing.T, from, to State, e Event) {
	t.Helper()
	if to.Mode != ModeNormal && to.Mode != ModePlanning {
		t.Fatalf("%s led to mode %q", e.Kind(), to.Mode)
	}
	if r := to.Review; r != nil && (!to.IsPlanning() || to.Planning == nil || r.Ref != *to.Planning || r.ID == "") {
		t.Fatalf("%s left a review open outside the planning of what it shows: %v", e.Kind(), words(to))
	}
	if (to.Planning == nil) != (to.Submission == "") {
		t.Fatalf("%s left a draft without its entry, or an entry without its draft", e.Kind())
	}
	if to.Work == nil || to.Work.Status != Implementing || from.Work != nil && *from.Work == *to.Work {
		return
	}
	switch e := e.(type) {
	case PlanApproved:
		if from.Review == nil || from.Review.ID != e.Review || to.Work.Ref != e.Ref || from.Review.Ref != e.Ref {
			t.Fatalf("approval of %v implements %v", e.Ref, to.Work.Ref)
		}
	case WorkAdopted:
		if to.Work.Ref != e.Ref {
			t.Fatalf("adoption of %v implements %v", e.Ref, to.Work.Ref)
		}
	default:
		t.Fatalf("%s unlocked work on %v", e.Kind(), to.Work.Ref)
	}
}

func TestNoSequenceUnlocksWorkWithoutApproval(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	unlocked := 0
	for range 2000 {
		seed := make([]byte, 120)
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		unlocked += drive(t, seed)
	}
	if unlocked < 100 {
		t.Errorf("work was unlocked %d times, too few to mean anything", unlocked)
	}
}

func FuzzApply(f *testing.F) {
	f.Add([]byte{0, 0, 3, 3, 4, 0, 7, 0})
	f.Fuzz(func(t *testing.T, seed []byte) { drive(t, seed) })
}
