package pull

import "fmt"

// row is one line of the table. The first that fits an event decides.
type row struct {
	number int
	when   func(*State, Event) bool
	do     func(*State, Event) []Effect
}

var rows []row

func init() {
	rows = []row{
		{1, func(s *State, e Event) bool {
			return s.Stage == Posting && (e.Kind == ToolsGone || e.Kind == Drifted || e.Kind == Posted && e.Exit != 0 && e.Exit != 2 && e.Exit != 3)
		}, uncertain},
		{2, func(_ *State, e Event) bool { return e.Kind == OutOfBounds }, func(s *State, e Event) []Effect { return s.end(s.outOfBounds(e.Reason)) }},
		{3, func(s *State, e Event) bool {
			return e.Kind == ToolsGone && !s.Effect || s.first(has(ToolsMissing)) != nil
		}, toolsMissing},
		{4, func(s *State, e Event) bool { return e.Kind == Drifted && !s.Effect }, drifted},
		{5, func(s *State, _ Event) bool { return s.first((*Result).bad) != nil }, repair},
		{6, func(s *State, _ Event) bool { return s.first(has(Error)) != nil }, roleError},
		{7, func(s *State, _ Event) bool { return s.first(has(NeedsContext)) != nil }, needsContext},
		{8, func(s *State, e Event) bool {
			return e.Kind == IntakeRefused && (s.Stage == Intake || s.Stage == Collecting)
		}, refused},
		{9, func(s *State, e Event) bool { return s.Stage == Intake && e.Kind == IntakeSafe }, func(s *State, _ Event) []Effect {
			s.Stage = Collecting
			return []Effect{{Kind: Collect}}
		}},
		{10, func(s *State, e Event) bool { return s.Stage == Collecting && e.Kind == Collected }, collected},
		{11, func(s *State, _ Event) bool { return s.Stage == Collecting && s.passed("context") }, divide},
		{12, func(s *State, _ Event) bool { return s.Stage == Chunking && s.joined() }, func(s *State, _ Event) []Effect {
			s.Stage = Authoring
			return []Effect{{Kind: LookForDrift}, s.dispatch("author", RoleAuthor)}
		}},
		{13, func(s *State, _ Event) bool { return s.Stage == Authoring && s.passed("author") }, func(s *State, _ Event) []Effect {
			s.Stage = Verifying
			return []Effect{{Kind: LookForDrift}, s.dispatch("verify", RoleVerify)}
		}},
		{14, func(s *State, _ Event) bool { return s.Stage == Verifying && s.is("verify", Fail) }, failed},
		{15, func(s *State, _ Event) bool { return s.Stage == Verifying && s.passed("verify") }, func(s *State, _ Event) []Effect {
			s.Stage = Rendering
			return []Effect{{Kind: Render, SHA256: s.Draft}}
		}},
		{16, func(s *State, e Event) bool {
			return e.Kind == Rendered && (s.Stage == Rendering || s.Stage == Recording)
		}, rendered},
		{17, func(s *State, e Event) bool {
			return s.Stage == DryRunning && e.Kind == DryRan || s.Stage == Posting && e.Kind == Posted && e.Exit != 0
		}, dryRan},
		{18, func(s *State, e Event) bool {
			return s.Stage == Gating && e.Kind == Answered || e.Kind == Interrupted
		}, answered},
		{19, func(s *State, e Event) bool { return s.Stage == Posting && e.Kind == Posted && e.Exit == 0 }, func(s *State, _ Event) []Effect {
			s.Stage, s.Effect = Recording, true
			s.End = Final{Row: 19, Value: ReviewPosted, Posting: "posted"}
			return []Effect{{Kind: RecordReceipts, SHA256: s.Draft}}
		}},
	}
}

func has(status Status) func(*Result) bool {
	return func(r *Result) bool { return !r.bad() && r.Status == status }
}

func (s *State) is(key string, status Status) bool {
	r := s.result(key)
	return r != nil && has(status)(r)
}

func (s *State) passed(key string) bool { return s.is(key, Pass) }

// joined says that every dimension has passed.
func (s *State) joined() bool {
	for _, w := range s.Work {
		if w.Role == RoleChunk && !s.passed(w.Key) {
			return false
		}
	}
	return true
}

func uncertain(s *State, e Event) []Effect {
	s.Stage, s.Effect = Recording, true
	posting := e.Posting
	if posting == "" {
		posting = "uncertain"
	}
	s.End = Final{Row: 1, Value: PostError, Posting: posting, Reason: or(e.Reason, "it is not known what reached GitHub"),
		Next: or(e.Next, "look at the pull request before anything is posted again")}
	return []Effect{{Kind: RecordReceipts, SHA256: s.Draft}}
}

func toolsMissing(s *State, e Event) []Effect {
	f := Final{Row: 3, Value: NoTools, Posting: "skipped", Reason: e.Reason, Next: e.Next}
	if w := s.first(has(ToolsMissing)); w != nil {
		f.Reason, f.Next = w.Result.Reason, w.Result.Next
	}
	return s.end(f)
}

func drifted(s *State, e Event) []Effect {
	s.Approved = false
	return s.end(Final{Row: 4, Value: WantsContext, Posting: "skipped", Reason: e.Reason, Next: "start a new review of what is there now"})
}

func repair(s *State, _ Event) []Effect {
	w := s.first((*Result).bad)
	if s.Repaired[w.Key] >= maxOutputRepair {
		reason := "the payload of " + w.Key + " was refused twice"
		if w.Result.Lost {
			reason = "the role " + w.Key + " handed over nothing: " + or(w.Result.Reason, "it was lost")
		} else if len(w.Result.Problems) > 0 {
			reason += ": " + w.Result.Problems[0].String()
		}
		return s.end(Final{Row: 5, Value: ReviewError, Posting: "skipped", Reason: reason, Next: "try again, perhaps with another model"})
	}
	s.Repaired[w.Key]++
	problems := w.Result.Problems
	e := s.dispatch(w.Key, w.Role)
	e.Problems = problems
	return []Effect{e}
}

func roleError(s *State, _ Event) []Effect {
	r := s.first(has(Error)).Result
	return s.end(Final{Row: 6, Value: ReviewError, Posting: "skipped", Reason: r.Reason, Next: r.Next})
}

func needsContext(s *State, _ Event) []Effect {
	r := s.first(has(NeedsContext)).Result
	return s.end(Final{Row: 7, Value: WantsContext, Posting: "skipped", Reason: r.Reason, Next: r.Next})
}

func refused(s *State, e Event) []Effect {
	f := Final{Row: 8, Value: WantsContext, Posting: "skipped", Reason: e.Reason, Next: e.Next}
	if e.Blocked {
		f.Value = Blocked
	}
	return s.end(f)
}

func collected(s *State, e Event) []Effect {
	switch e.Exit {
	case 0, 3:
		return []Effect{s.dispatch("context", RoleContext)}
	case 2:
		return s.end(Final{Row: 3, Value: NoTools, Posting: "skipped", Reason: e.Reason, Next: e.Next})
	}
	return s.end(Final{Row: 6, Value: ReviewError, Posting: "skipped", Reason: e.Reason, Next: e.Next})
}

func divide(s *State, _ Event) []Effect {
	s.Stage = Chunking
	var out []Effect
	for _, name := range s.result("context").Dimensions {
		out = append(out, s.dispatch("chunk:"+name, RoleChunk))
	}
	return out
}

func failed(s *State, _ Event) []Effect {
	issues := s.result("verify").Issues
	if s.VerifyRepair >= maxVerifyRepair {
		return s.end(Final{Row: 14, Value: VerifyFail, Posting: "skipped",
			Reason: fmt.Sprintf("the review did not pass the verification in %d attempts", maxVerifyRepair+1), Next: "review the change by hand, or try again with another model"})
	}
	s.VerifyRepair++
	s.Stage, s.Approved = Authoring, false
	e := s.dispatch("author", RoleAuthor)
	e.Issues = issues
	return []Effect{e}
}

func rendered(s *State, e Event) []Effect {
	if s.Stage == Recording {
		if e.Exit == 0 {
			s.Draft = e.SHA256
		}
		return s.end(s.End)
	}
	if e.Exit != 0 {
		return s.end(Final{Row: 16, Value: WriteError, Posting: "skipped", Reason: e.Reason, Next: e.Next})
	}
	s.Draft = e.SHA256
	if !s.WantsPosting {
		return s.end(Final{Row: 16, Value: DraftSaved, Posting: "skipped"})
	}
	s.Stage = DryRunning
	return []Effect{{Kind: LookForDrift}, {Kind: DryRun}}
}

func dryRan(s *State, e Event) []Effect {
	s.Preview = ""
	if e.Kind == DryRan && e.Exit == 0 && len(e.SHA256) >= minTyped {
		s.Stage, s.Preview = Gating, e.SHA256
		return []Effect{{Kind: Ask, SHA256: e.SHA256}}
	}
	posting := "skipped"
	if e.Kind == Posted {
		posting = "failed"
	}
	return s.end(Final{Row: 17, Value: PostError, Posting: posting, Reason: or(e.Reason, "refused before anything was sent"), Next: or(e.Next, "the draft is kept; start a new review")})
}

func answered(s *State, e Event) []Effect {
	stop := func(v Terminal, posting, reason, next string) []Effect {
		return s.end(Final{Row: 18, Value: v, Posting: posting, Reason: reason, Next: next})
	}
	switch {
	case e.Kind == Interrupted && s.Effect, e.Kind == Interrupted && s.Stage == Posting:
		return nil // the publisher stops by itself and says what it knows
	case e.Kind == Interrupted:
		return stop(Blocked, "skipped", "interrupted", "start a new review")
	case e.Answer == Approve && s.approves(e):
		s.Stage, s.Approved = Posting, true
		return []Effect{{Kind: Post, SHA256: s.Preview}}
	case e.Answer == Approve:
		return stop(Blocked, "skipped", "what was approved is not the preview that was shown", "the draft is kept and nothing was posted; start a new review to post")
	case e.Answer == Abort:
		return stop(DraftCancelled, "cancelled", "", "")
	case e.Answer == Revise && s.Revise < maxRevise:
		s.Revise++
		s.Stage, s.Approved, s.Preview = Authoring, false, ""
		d := s.dispatch("author", RoleAuthor)
		d.Text = e.Text
		return []Effect{d}
	case e.Answer == Revise:
		return stop(Blocked, "skipped", fmt.Sprintf("the review was to be revised more than %d times", maxRevise), "edit the draft by hand, or start a new review")
	}
	return stop(Blocked, "skipped", or(e.Reason, "there was no clear answer at the gate"), "the draft is kept; start a new review to post")
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
