package session

import (
	"fmt"
	"strings"

	"planmode/plan"
)

// status is the answer to a bare `/plan`.
func (s *Session) status() string {
	st := s.current()
	var b strings.Builder
	on := "off"
	if st.IsPlanning() {
		on = "on"
	}
	fmt.Fprintf(&b, "Plan Mode: %s\n", on)
	fmt.Fprintf(&b, "%s\n", ErrUsage)
	fmt.Fprintf(&b, "Permission mode: %s. %s\n", s.Permission(), PermissionMeaning(s.Permission()))
	fmt.Fprintf(&b, "Plan content language: %s\n", s.opt.Config.ContentLanguage)
	fmt.Fprintf(&b, "Config: %s\n", s.opt.ConfigPath)
	fmt.Fprintf(&b, "Reviewer: %s", s.reviewer.describe())
	if reason := s.disabledReason(); reason != "" {
		fmt.Fprintf(&b, "\nPlan Mode is disabled: %s", reason)
	}
	if st.Planning != nil {
		s.describeDraft(&b, st)
	}
	if st.Work != nil {
		fmt.Fprintf(&b, "\nPlan work: %s · %s · r%d%s", strings.ToUpper(string(st.Work.Status)), s.titleOf(st.Work.Ref), st.Work.Ref.Revision, s.unreviewed(st.Work.Ref))
		fmt.Fprintf(&b, "\nApproved hash: %s\nPath: %s", st.Work.Ref.Hash, s.opt.Store.RevisionPath(st.Work.Ref))
		for _, line := range s.View().Stale {
			fmt.Fprintf(&b, "\nWork tree: %s", line)
		}
	}
	return b.String()
}

func (s *Session) describeDraft(b *strings.Builder, st plan.State) {
	s.mu.Lock()
	v := s.views[*st.Planning]
	s.mu.Unlock()
	if v == nil {
		return
	}
	parked := ""
	if !st.IsPlanning() {
		parked = " (parked)"
	}
	fmt.Fprintf(b, "\nPlanning Plan: %s%s", v.Title, parked)
	fmt.Fprintf(b, "\nDocument: %s · r%d%s\nPath: %s", strings.ToUpper(string(v.Status)), v.Ref.Revision, s.unreviewed(v.Ref), v.Path)
}

// leadOn says, after a command that found nothing to do, what there is instead
// and which commands lead on from it.
func (s *Session) leadOn() string {
	st := s.current()
	switch {
	case st.Planning != nil && st.IsPlanning():
		return fmt.Sprintf("%q r%d is being planned: say what should change, or /plan review; /plan discard lets go of it.", s.titleOf(*st.Planning), st.Planning.Revision)
	case st.Planning != nil:
		return fmt.Sprintf("The draft %q r%d is parked: /plan on offers it again, /plan discard lets go of it.", s.titleOf(*st.Planning), st.Planning.Revision)
	case st.IsPlanning():
		return "Describe the goal of a new plan, or /plan off."
	case st.OpenWork() != nil:
		return fmt.Sprintf("%q r%d is approved: /plan revise reopens it, /plan complete or /plan abandon closes it.", s.titleOf(st.Work.Ref), st.Work.Ref.Revision)
	case st.Work != nil:
		return fmt.Sprintf("%q r%d is %s: /plan show reads it, /plan revise reopens it, /plan on starts a new plan.", s.titleOf(st.Work.Ref), st.Work.Ref.Revision, st.Work.Status)
	}
	return "/plan on starts a plan."
}

// Shown is a revision to read without deciding.
type Shown struct {
	Title string
	Ref   plan.Ref
	Text  string
}

// Show reads the draft under planning, or else the latest work, verified. It
// reads a file, so a screen calls it outside its event loop.
func (s *Session) Show() (Shown, error) {
	st := s.current()
	ref := st.Planning
	if ref == nil && st.Work != nil {
		ref = &st.Work.Ref
	}
	if ref == nil {
		return Shown{}, ErrNoPlan
	}
	text, err := s.opt.Store.Revision(*ref)
	if err != nil {
		return Shown{}, fmt.Errorf("read %s: %w", ref, err)
	}
	return Shown{Title: s.titleOf(*ref), Ref: *ref, Text: string(text)}, nil
}
