package showing

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
	"planmode/revdiff"
	"planmode/revdiff/brief"
	"planmode/revdiff/compare"
	"planmode/store"
)

// takeUp finds what the person wrote about the text before and nobody was told: the
// draft, and what reviews left behind whose process was killed.
func (s *showing) takeUp(dir *store.GateReview) error {
	if err := s.recover(dir); err != nil {
		return err
	}
	s.pending, s.draft = nil, nil
	d, ok, err := s.Store.GateDraft(s.key)
	if err != nil {
		return fmt.Errorf("read the notes that were not sent: %w; they were not touched", err)
	}
	if !ok {
		return nil
	}
	if d.Hash == plan.HashOf(s.job.Text.Markdown) && s.reviewer.Builtin && len(d.Reviewer) > 0 {
		s.draft = d.Reviewer
		return nil
	}
	now := document.Parse(s.job.Text.Markdown)
	for _, n := range d.Notes {
		s.pending = append(s.pending, moved(n, now))
	}
	return nil
}

// moved is a note where its line is now; one whose line is gone becomes a note on the
// whole, with what it was about.
func moved(n plan.Annotation, now *document.Document) plan.Annotation {
	if n.Line < 1 || n.Side == "old" {
		n.Side, n.Line, n.End = "new", 0, 0
		return n
	}
	height := max(n.End-n.Line, 0)
	line, _ := document.Reanchor(n, now)
	if line < 1 {
		if q := text.Line(n.Quote); q != "" {
			n.Body = fmt.Sprintf("On %q: %s", text.Truncate(q, 60), n.Body)
		}
		return plan.Annotation{Body: n.Body, Label: n.Label}
	}
	if n.Line = line; n.End > 0 {
		n.End = line + height
	}
	return n
}

// recover makes drafts of what killed reviews left behind. The newest one counts.
func (s *showing) recover(dir *store.GateReview) error {
	for _, left := range dir.Left {
		d, ok := leftBehind(left)
		if !ok {
			continue
		}
		d.Key = s.key
		if err := s.Store.SaveGateDraft(d); err != nil {
			return fmt.Errorf("keep the notes of a review that was killed: %w; they are in %s", err, left)
		}
	}
	// A directory that cannot be removed is found again; that loses nothing.
	_ = dir.Forget()
	return nil
}

// leftBehind reads the draft of the built-in reviewer in a directory.
func leftBehind(dir string) (store.GateDraft, bool) {
	entries, _ := os.ReadDir(filepath.Join(dir, revdiff.HistoryName))
	for _, e := range entries {
		if !brief.IsDraftName(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, revdiff.HistoryName, e.Name()))
		if err != nil {
			continue
		}
		if d, err := brief.ParseDraft(raw); err == nil && !d.Empty() {
			return store.GateDraft{Hash: plan.Hash("sha256:" + strings.TrimPrefix(d.New, "sha256:")), Notes: written(d), Reviewer: raw}, true
		}
	}
	return store.GateDraft{}, false
}

// written are the notes of a draft, half-typed ones included: for a text that has
// changed there is no other way to keep them.
func written(d brief.Draft) []plan.Annotation {
	var out []plan.Annotation
	for _, n := range append(append([]brief.Note{}, d.Notes...), d.Typed...) {
		out = append(out, n.Annotation)
	}
	return out
}

// keep saves what the person wrote before anything is decided.
func (s *showing) keep(r revdiff.Result) error {
	d := store.GateDraft{Key: s.key, Hash: plan.HashOf(s.job.Text.Markdown), Notes: r.Notes}
	if len(r.Draft) > 0 {
		d.Reviewer = bytes.TrimSpace(r.Draft)
		if parsed, err := brief.ParseDraft(r.Draft); err == nil {
			d.Notes = written(parsed)
		}
	}
	ended := r.Kind == revdiff.Clean || r.Kind == revdiff.Annotated || r.Kind == revdiff.Flushed
	if !ended && len(d.Notes) == 0 && len(d.Reviewer) == 0 {
		return nil // it brought nothing back, and took nothing away
	}
	return s.Store.SaveGateDraft(d)
}

// unloaded are notes that an external reviewer could not be started with: they stay
// what they were, beside those that it brings back.
func (s *showing) unloaded(job *revdiff.Job) []plan.Annotation {
	if slices.ContainsFunc(job.Args, func(a string) bool { return strings.HasPrefix(a, "--annotations=") }) {
		return nil
	}
	return slices.Clone(s.pending)
}

// changed counts the lines that differ.
func changed(old, now []byte) string {
	lines := func(b []byte) []string { return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") }
	size := compare.Text(lines(old), lines(now)).Size
	return fmt.Sprintf("Since you saw it last: %s added, %d removed", text.Count(size.Added, "line"), size.Removed)
}
