package session

import (
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// plansTold is what planmode itself tells of the plans of a branch when the
// messages before are shortened: every revision, every note and every decision,
// and the text of the attached draft after its hash was checked. None of it is
// left to a summary. The text of approved work is handed over again by itself.
func (s *Session) plansTold(branch []Item) string {
	var b strings.Builder
	for _, e := range branch {
		if e.Kind == tree.KindAnnotations {
			if a, err := tree.Decode[tree.Annotations](e); err == nil {
				tellNotes(&b, a)
			}
			continue
		}
		if ev, ok, err := tree.Event(e); ok && err == nil {
			if line := eventTold(ev); line != "" {
				fmt.Fprintf(&b, "- %s\n", line)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	told := "What was planned and decided, exactly and in order:\n" + b.String()
	if ref := s.current().Planning; ref != nil {
		told += "\n" + s.draftTold(*ref)
	}
	return told
}

// tellNotes writes the notes of one round.
func tellNotes(b *strings.Builder, a tree.Annotations) {
	fmt.Fprintf(b, "- %s on %s, round %d:\n", text.Count(len(a.Items), "note"), a.Ref, a.Round)
	for _, n := range a.Items {
		fmt.Fprintf(b, "  - %s: %s\n", text.Line(n.Where()), strings.ReplaceAll(text.Clean(n.Body), "\n", "\n    "))
	}
}

// eventTold is a line about an event; empty for those that decide nothing.
func eventTold(ev plan.Event) string {
	switch ev := ev.(type) {
	case plan.RevisionSubmitted:
		return fmt.Sprintf("%s submitted by %s: %s (%s)", ev.Ref, ev.Author, text.Line(ev.Title), ev.Ref.Hash)
	case plan.ChangesRequested:
		return strings.TrimSpace("the person requested changes. " + text.Clean(ev.Text))
	case plan.PlanApproved:
		how := "approved by " + string(ev.By)
		if ev.By == plan.ByAuto {
			how = plan.AutoApproved
		}
		return fmt.Sprintf("%s %s (%s). %s", ev.Ref, how, ev.Ref.Hash, text.Clean(ev.Notes))
	case plan.DraftDetached:
		return fmt.Sprintf("%s put aside", ev.Ref)
	case plan.WorkCompleted:
		return fmt.Sprintf("the work on %s was completed. %s", ev.Ref, text.Clean(ev.Summary))
	case plan.WorkAbandoned:
		return fmt.Sprintf("the work on %s was abandoned. %s", ev.Ref, text.Clean(ev.Summary))
	case plan.WorkAdopted:
		return fmt.Sprintf("the work on %s was taken over from session %s", ev.Ref, text.Line(ev.From))
	}
	return ""
}

// draftTold is the attached draft word for word, or where to read it.
func (s *Session) draftTold(ref plan.Ref) string {
	path := s.opt.Store.RevisionPath(ref)
	markdown, err := s.opt.Store.Revision(ref)
	switch {
	case err != nil:
		return fmt.Sprintf("The attached draft is %s, but its text cannot be trusted: %v.", ref, err)
	case len(markdown) > mostDraft:
		return fmt.Sprintf("The attached draft is %s; read its text in %s.", ref, path)
	}
	return fmt.Sprintf("The attached draft is %s. Its exact text follows.\n\n%s", ref, markdown)
}
