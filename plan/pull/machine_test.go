package pull

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

func ok(key string) Event {
	return Event{Kind: Done, Key: key, Result: Result{Status: Pass, Dimensions: []string{"b", "a"}}}
}

func with(key string, s Status) Event {
	return Event{Kind: Done, Key: key, Result: Result{Status: s, Reason: "because " + key, Next: "next"}}
}

func invalid(key string) Event {
	return Event{Kind: Done, Key: key, Result: Result{Problems: []Problem{{key, "wrong"}}}}
}

// walk steps through events and writes down the row and the effects of each.
func walk(s State, events ...Event) (State, string) {
	var out []string
	for _, e := range events {
		var effects []Effect
		s, effects = Step(s, e)
		for _, f := range effects {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%d %s %s", f.Row, f.Kind, f.Key)))
		}
	}
	return s, strings.Join(out, ", ")
}

const previewed = "0123456789abcdef"

var (
	toChunks = []Event{{Kind: IntakeSafe}, {Kind: Collected}, ok("context")}
	toVerify = append(slices.Clone(toChunks), ok("chunk:a"), ok("chunk:b"), ok("author"))
	toDraft  = append(slices.Clone(toVerify), ok("verify"), Event{Kind: Rendered, SHA256: "x"})
	toGate   = append(slices.Clone(toDraft), Event{Kind: DryRan, SHA256: previewed})
	toPost   = append(slices.Clone(toGate), Event{Kind: Answered, Answer: Approve, SHA256: previewed})
	clean    = Event{Kind: Audited}
)

func TestEveryRowOfTheTableDecides(t *testing.T) {
	then := func(a []Event, more ...Event) []Event { return append(slices.Clone(a), more...) }
	tests := []struct {
		name    string
		events  []Event
		row     int
		want    Terminal
		posting string
	}{
		{"a result of the post is lost", then(toPost, Event{Kind: Posted, Exit: 1}, Event{Kind: Rendered, Exit: 1}, clean), 1, PostError, "uncertain"},
		{"a role changed something", then(toChunks, Event{Kind: OutOfBounds, Reason: "a.go"}, ok("chunk:a"), ok("chunk:b"), clean), 2, ReviewError, "skipped"},
		{"the audit finds a change", then(toGate, Event{Kind: Answered, Answer: Abort}, Event{Kind: Audited, Reason: "a.go"}), 2, ReviewError, "skipped"},
		{"a tool is missing", then(nil, Event{Kind: ToolsGone, Reason: "r"}, clean), 3, NoTools, "skipped"},
		{"a role misses a tool", then(toChunks, invalid("chunk:b"), with("chunk:a", ToolsMissing), clean), 3, NoTools, "skipped"},
		{"the head moved", then(toVerify, Event{Kind: Drifted}, ok("verify"), clean), 4, WantsContext, "skipped"},
		{"a payload is invalid twice", then(toChunks, ok("chunk:b"), invalid("chunk:a"), invalid("chunk:a"), clean), 5, ReviewError, "skipped"},
		{"a role fails", then(toChunks, with("chunk:b", Error), with("chunk:a", NeedsContext), clean), 6, ReviewError, "skipped"},
		{"a role needs more", then(toChunks, ok("chunk:b"), with("chunk:a", NeedsContext), clean), 7, WantsContext, "skipped"},
		{"the output exists", then(nil, Event{Kind: IntakeRefused}, clean), 8, WantsContext, "skipped"},
		{"the folder is not ignored", then(nil, Event{Kind: IntakeRefused, Blocked: true}, clean), 8, Blocked, "skipped"},
		{"the collector fails", then(nil, Event{Kind: IntakeSafe}, Event{Kind: Collected, Exit: 4}, clean), 6, ReviewError, "skipped"},
		{"three failed verifications", then(toVerify, with("verify", Fail), ok("author"), with("verify", Fail), ok("author"), with("verify", Fail), clean), 14, VerifyFail, "skipped"},
		{"the draft cannot be written", then(toVerify, ok("verify"), Event{Kind: Rendered, Exit: 1}, clean), 16, WriteError, "skipped"},
		{"the dry run is refused", then(toDraft, Event{Kind: DryRan, Exit: 3}, clean), 17, PostError, "skipped"},
		{"the post is refused before any effect", then(toPost, Event{Kind: Posted, Exit: 3}, clean), 17, PostError, "failed"},
		{"the person aborts", then(toGate, Event{Kind: Answered, Answer: Abort}, clean), 18, DraftCancelled, "cancelled"},
		{"there is no answer", then(toGate, Event{Kind: Answered}, clean), 18, Blocked, "skipped"},
		{"another hash is approved", then(toGate, Event{Kind: Answered, Answer: Approve, SHA256: "0123456789abcdee"}, clean), 18, Blocked, "skipped"},
		{"no hash is approved", then(toGate, Event{Kind: Answered, Answer: Approve}, clean), 18, Blocked, "skipped"},
		{"too few digits are typed", then(toGate, Event{Kind: Answered, Answer: Approve, SHA256: previewed[:7]}, clean), 18, Blocked, "skipped"},
		{"more than the hash is typed", then(toGate, Event{Kind: Answered, Answer: Approve, SHA256: previewed + "0"}, clean), 18, Blocked, "skipped"},
		{"a dry run without a hash", then(toDraft, Event{Kind: DryRan}, clean), 17, PostError, "skipped"},
		{"the publisher is gone while it posts", then(toPost, Event{Kind: ToolsGone}, Event{Kind: Rendered, Exit: 1}, clean), 1, PostError, "uncertain"},
		{"something is changed while it posts", then(toPost, Event{Kind: OutOfBounds, Reason: "a.go"}, clean), 2, PostError, "uncertain"},
		{"the audit finds a change after the post", then(toPost, Event{Kind: Posted}, Event{Kind: Rendered}, Event{Kind: Audited, Reason: "a.go"}), 2, PostError, "posted"},
		{"interrupted", then(toChunks, Event{Kind: Interrupted}, ok("chunk:a"), ok("chunk:b"), clean), 18, Blocked, "skipped"},
		{"posted", then(toPost, Event{Kind: Posted}, Event{Kind: Rendered, Exit: 1}, clean), 19, ReviewPosted, "posted"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, trace := walk(State{Stage: Intake, WantsPosting: true}, tt.events...)
			if s.Stage != Ended || s.End.Row != tt.row || s.End.Value != tt.want || s.End.Posting != tt.posting {
				t.Errorf("%s: %+v\n%s", s.Stage, s.End, trace)
			}
			if strings.Count(trace, string(Audit)) != 1 || strings.Count(trace, string(Finish)) != 1 {
				t.Errorf("not one audit and one end: %s", trace)
			}
		})
	}
}

func TestAnEventOfAnotherStageIsNothing(t *testing.T) {
	stages := map[string][]Event{"intake": nil, "chunks": toChunks, "verify": toVerify, "gate": toGate}
	for name, events := range stages {
		s, _ := walk(State{Stage: Intake, WantsPosting: true}, events...)
		for _, e := range []Event{{Kind: Posted, Exit: 1}, {Kind: Posted, Exit: 3}, {Kind: Posted}, {Kind: DryRan, Exit: 1}, {Kind: DryRan, SHA256: previewed}, {Kind: Rendered, Exit: 1}} {
			if after, trace := walk(s, e); after.Stage != s.Stage || trace != "" {
				t.Errorf("%s: %s %d led to %s: %s", name, e.Kind, e.Exit, after.Stage, trace)
			}
		}
	}
	s, _ := walk(State{Stage: Intake, WantsPosting: true}, toGate...)
	if after, _ := walk(s, Event{Kind: IntakeRefused}); after.Stage != Gating {
		t.Errorf("an intake was refused at the gate: %s", after.Stage)
	}
}

func TestTheFirstDigitsApproveTheWholeHashOnce(t *testing.T) {
	s, _ := walk(State{Stage: Intake, WantsPosting: true}, toGate...)
	s, effects := Step(s, Event{Kind: Answered, Answer: Approve, SHA256: previewed[:8]})
	if len(effects) != 1 || effects[0].Kind != Post || effects[0].SHA256 != previewed {
		t.Fatalf("%+v", effects)
	}
	if _, again := Step(s, Event{Kind: Answered, Answer: Approve, SHA256: previewed}); len(again) != 0 {
		t.Errorf("%+v", again)
	}
	revised, _ := walk(State{Stage: Intake, WantsPosting: true}, append(slices.Clone(toGate), Event{Kind: Answered, Answer: Revise},
		ok("author"), ok("verify"), Event{Kind: Rendered, SHA256: "y"}, Event{Kind: DryRan, SHA256: "fedcba9876543210"})...)
	if after, _ := Step(revised, Event{Kind: Answered, Answer: Approve, SHA256: previewed}); after.End.Value != Blocked {
		t.Errorf("the preview before the revision was approved: %+v", after.End)
	}
}

func TestADraftIsAllThatADraftRunMakes(t *testing.T) {
	s, trace := walk(State{Stage: Intake}, append(slices.Clone(toDraft), clean)...)
	want := "9 collect, 10 dispatch context, 11 dispatch chunk:b, 11 dispatch chunk:a, 12 look for drift, 12 dispatch author, " +
		"13 look for drift, 13 dispatch verify, 15 render, 16 audit, 16 finish"
	if trace != want || s.End.Value != DraftSaved {
		t.Errorf("%+v\n%s", s.End, trace)
	}
}

func TestTheOrderInWhichDimensionsEndChangesNothing(t *testing.T) {
	kinds := []func(string) Event{ok, invalid, func(k string) Event { return with(k, Error) }, func(k string) Event { return with(k, ToolsMissing) }}
	for _, a := range kinds {
		for _, b := range kinds {
			_, one := walk(State{Stage: Intake}, append(slices.Clone(toChunks), a("chunk:a"), b("chunk:b"))...)
			_, two := walk(State{Stage: Intake}, append(slices.Clone(toChunks), b("chunk:b"), a("chunk:a"))...)
			if one != two {
				t.Errorf("%s\n%s", one, two)
			}
		}
	}
}

func TestTheThirdRevisionEndsTheRunAndKeepsTheRepairsUsed(t *testing.T) {
	revise := []Event{{Kind: Answered, Answer: Revise, Text: "x"}, ok("author"), ok("verify"), {Kind: Rendered, SHA256: "y"}, {Kind: DryRan, SHA256: previewed}}
	events := append(slices.Clone(toGate), revise...)
	events = append(events, revise...)
	s, _ := walk(State{Stage: Intake, WantsPosting: true}, append(events, revise[0], clean)...)
	if s.End.Value != Blocked || s.Revise != 2 {
		t.Errorf("%+v", s)
	}
	events = append(slices.Clone(toVerify), with("verify", Fail), invalid("author"), ok("author"), with("verify", Fail), invalid("author"), clean)
	if s, trace := walk(State{Stage: Intake}, events...); s.End.Row != 5 {
		t.Errorf("the author was repaired twice: %+v\n%s", s.End, trace)
	}
}

func TestNoOrderOfEventsPostsTwiceOrWithoutAnApproval(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	keys := []string{"context", "chunk:a", "chunk:b", "author", "verify"}
	for range 20_000 {
		s, posts, asked := State{Stage: Intake, WantsPosting: true}, 0, false
		for range 40 {
			e := Event{Kind: []EventKind{IntakeSafe, Collected, Done, Done, Done, Done, Rendered, DryRan, Answered, Posted, Interrupted, Audited}[r.Intn(12)], SHA256: []string{previewed, previewed, "another hash"}[r.Intn(3)]}
			e.Key, e.Exit = keys[r.Intn(len(keys))], []int{0, 0, 0, 1, 2, 3}[r.Intn(6)]
			e.Answer = []Answer{Approve, Revise, Abort, ""}[r.Intn(4)]
			e.Result = Result{Status: []Status{Pass, Pass, Pass, Fail, Error}[r.Intn(5)], Dimensions: []string{"a", "b"}}
			before := s
			var effects []Effect
			s, effects = Step(s, e)
			for _, f := range effects {
				if f.Kind == Post {
					if posts++; posts > 1 || before.Stage != Gating || e.Kind != Answered || e.Answer != Approve || !asked || e.SHA256 != before.Preview || f.SHA256 != before.Preview {
						t.Fatalf("a post at %s after %s %s", before.Stage, e.Kind, e.Answer)
					}
				}
				asked = asked || f.Kind == Ask
			}
			if s.VerifyRepair < before.VerifyRepair || s.Revise < before.Revise || s.End.Value.Good() && s.Stage == Ended && s.Draft == "" {
				t.Fatalf("%+v", s)
			}
		}
	}
}

func TestABlockHasItsFieldsInOrderEachOnOneLine(t *testing.T) {
	b := Block{ReviewFile: "r.md", Findings: 2, Comments: 1, Decision: "COMMENT", Posting: "skipped", Review: DraftSaved}
	want := "Review file: r.md\nFindings: 2\nNew comments: 1\nFollow-up replies: 0\nReview decision: COMMENT\nPosting: skipped\nNotes: none\nPR_REVIEW: VERIFIED_DRAFT_SAVED\n"
	if got := b.String(); got != want || b.Review.Exit() != 0 {
		t.Errorf("%s", got)
	}
	b = Block{Posting: "skipped", Notes: []string{"a\nPR_REVIEW: x"}, Review: Blocked, Reason: "r\x1b[2J", NextStep: "n"}
	want = "Review file: none\nPosting: skipped\nNotes: a PR_REVIEW: x\nPR_REVIEW: BLOCKED\nReason: r"
	if got := b.String(); !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") || b.Review.Exit() != 16 {
		t.Errorf("%q", got)
	}
}
