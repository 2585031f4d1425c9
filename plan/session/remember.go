package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/brief"
	"planmode/store"
)

// looked are the revisions that the person reviewed, decided on or wrote notes
// about, in the order in which they last did.
func (s *Session) looked(m plan.Manifest) []int {
	type look struct {
		revision int
		at       time.Time
	}
	var looks []look
	for _, e := range s.Items(0) {
		if e.Kind != tree.KindAnnotations {
			continue
		}
		if a, err := tree.Decode[tree.Annotations](e); err == nil && a.Ref.Plan == m.PlanID {
			looks = append(looks, look{a.Ref.Revision, e.At.Time})
		}
	}
	for _, d := range m.Decisions {
		if d.By == plan.ByUser && d.Review != "" {
			looks = append(looks, look{d.Revision, d.At.Time})
		}
	}
	slices.SortStableFunc(looks, func(a, b look) int { return a.at.Compare(b.at) })
	var out []int
	for _, l := range looks {
		out = append(slices.DeleteFunc(out, func(r int) bool { return r == l.revision }), l.revision)
	}
	return out
}

// lastLooked is the revision before ref that the person looked at last; 0 when
// there is none, and all of ref is new to them.
func (s *Session) lastLooked(m plan.Manifest, ref plan.Ref) int {
	all := s.looked(m)
	for i := len(all) - 1; i >= 0; i-- {
		if r := all[i]; r > 0 && r < ref.Revision && r <= len(m.Revisions) {
			return r
		}
	}
	return 0
}

// brief is what planmode's own reviewer is told besides the texts.
func (s *Session) brief(sh *showing) (*brief.Brief, error) {
	m, err := s.opt.Store.Manifest(sh.ref.Plan)
	if err != nil {
		return nil, err
	}
	b := &brief.Brief{Review: sh.id, Ref: sh.ref, Title: sh.title, Earlier: s.earlier(m, sh.ref)}
	if b.Card, err = s.cardInside(sh); err != nil {
		return nil, err
	}
	looked := s.looked(m)
	for _, r := range m.Revisions {
		ref := plan.Ref{Plan: m.PlanID, Revision: r.Revision, Hash: r.Hash}
		b.Revisions = append(b.Revisions, brief.Revision{
			Revision: r.Revision, Path: s.opt.Store.RevisionPath(ref), Hash: r.Hash, At: r.CreatedAt, Author: r.Author,
			Status: m.StatusOf(r.Revision), Looked: slices.Contains(looked, r.Revision),
		})
	}
	return b, nil
}

// earlier are the notes of earlier rounds, each with what the next revision says
// about it: those of this branch, and those that the plan's record has besides,
// from another branch or session.
func (s *Session) earlier(m plan.Manifest, ref plan.Ref) []brief.Earlier {
	items := s.Items(0)
	sent, settled := map[plan.ReviewID]bool{}, map[string]bool{}
	var batches []tree.Annotations
	for _, e := range items {
		switch e.Kind {
		case plan.KindChangesRequested:
			if ev, err := tree.Decode[plan.ChangesRequested](e); err == nil {
				sent[ev.Review] = true
			}
		case plan.KindPlanApproved:
			if ev, err := tree.Decode[plan.PlanApproved](e); err == nil && ev.Notes != "" {
				sent[ev.Review] = true
			}
		case tree.KindNoteMarks:
			if marks, err := tree.Decode[tree.NoteMarks](e); err == nil {
				for _, mark := range marks.Marks {
					settled[mark.ID] = mark.Settled
				}
			}
		case tree.KindAnnotations:
			if a, err := tree.Decode[tree.Annotations](e); err == nil && a.Ref.Plan == ref.Plan && a.Ref.Revision <= ref.Revision {
				batches = append(batches, a)
			}
		}
	}
	last := map[int]int{} // by revision: a batch that was not sent is shown until another one follows
	for i, a := range batches {
		last[a.Ref.Revision] = i
	}
	var out []brief.Earlier
	for i, a := range batches {
		if !sent[a.Review] && (last[a.Ref.Revision] != i || a.Ref.Revision == ref.Revision) {
			continue
		}
		answers := s.answers(m, a, ref)
		for k, n := range a.Items {
			id := fmt.Sprintf("%s-%d", a.Review, k)
			out = append(out, brief.Earlier{ID: id, Revision: a.Ref.Revision, Note: n, Sent: sent[a.Review], Answer: answers[k], Settled: settled[id]})
		}
	}
	for _, e := range s.fromRecord(m, ref, batches) {
		e.Settled = settled[e.ID]
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b brief.Earlier) int { return a.Revision - b.Revision })
	return out
}

// fromRecord are the notes and words that the agent got with a decision in the
// plan's record, without the notes of these batches.
func (s *Session) fromRecord(m plan.Manifest, ref plan.Ref, known []tree.Annotations) []brief.Earlier {
	var out []brief.Earlier
	for _, d := range m.Decisions {
		told := d.Kind == plan.DecidedChanges || d.Kind.Approves() && d.Notes != ""
		if !told || d.Review == "" || d.Revision > ref.Revision {
			continue
		}
		a := tree.Annotations{Review: d.Review, Ref: plan.Ref{Plan: ref.Plan, Revision: d.Revision, Hash: d.Hash}}
		i := slices.IndexFunc(known, func(b tree.Annotations) bool { return b.Review == d.Review })
		if i >= 0 {
			a.Items = slices.Clone(known[i].Items)
		} else {
			a.Items = s.roundNotes(a.Ref, d.Round)
		}
		notes := len(a.Items)
		if d.Kind == plan.DecidedChanges && d.Notes != "" {
			a.Items = append(a.Items, plan.Annotation{Body: d.Notes})
		}
		answers := s.answers(m, a, ref)
		for k, n := range a.Items {
			id := fmt.Sprintf("%s-%d", a.Review, k)
			switch {
			case k == notes:
				id = string(a.Review) + "-said"
			case i >= 0:
				continue
			}
			out = append(out, brief.Earlier{ID: id, Revision: d.Revision, Note: n, Sent: true, Answer: answers[k]})
		}
	}
	return out
}

// roundNotes are the notes of a round as they were collected; none if they or the
// text cannot be read, which is told where the plan itself is needed.
func (s *Session) roundNotes(ref plan.Ref, round int) []plan.Annotation {
	raw, err := s.opt.Store.Review(ref.Plan, ref.Revision, round)
	if err != nil {
		return nil
	}
	about, err := s.opt.Store.Revision(ref)
	if err != nil {
		return nil
	}
	return revdiff.Notes(raw, revdiff.Text{Revision: ref.Revision, Bytes: about}, s.opt.Config.ReviewerLabels)
}

// answers are what the revision that answers a batch says about its notes.
func (s *Session) answers(m plan.Manifest, a tree.Annotations, shown plan.Ref) []string {
	for _, r := range m.Revisions {
		if r.BasedOn != a.Ref.Revision || r.Revision > shown.Revision || r.Author == plan.ByUser {
			continue
		}
		b, err := s.opt.Store.Revision(plan.Ref{Plan: m.PlanID, Revision: r.Revision, Hash: r.Hash})
		if err != nil {
			break // said where the revision itself is needed
		}
		return document.Answers(document.Parse(b), a.Items)
	}
	return make([]string, len(a.Items))
}

// unfinished gives a review what an earlier one of the same text left unfinished.
func (s *Session) unfinished(ref plan.Ref, r *revdiff.Request) error {
	var err error
	if r.Draft, err = s.opt.Store.ReviewDraft(ref, store.NotesDraft); err != nil {
		return err
	}
	r.Edit, err = s.opt.Store.ReviewDraft(ref, store.EditDraft)
	return err
}

// keepUnfinished makes durable what a review left unfinished, or forgets it when
// nothing is left, and records which earlier notes the person settled.
func (s *Session) keepUnfinished(sh *showing) error {
	if sh.job != nil && sh.job.Edit == "" {
		return nil // another reviewer knows nothing of it
	}
	if err := s.opt.Store.SaveReviewDraft(sh.ref, store.NotesDraft, sh.result.Draft); err != nil {
		return err
	}
	if err := s.opt.Store.SaveReviewDraft(sh.ref, store.EditDraft, sh.result.Edit); err != nil {
		return err
	}
	if len(sh.result.Marks) == 0 {
		return nil
	}
	marks := tree.NoteMarks{Ref: sh.ref, Review: sh.id}
	for _, m := range sh.result.Marks {
		marks.Marks = append(marks.Marks, tree.NoteMark{ID: m.ID, Settled: m.Settled})
	}
	return s.record(tree.KindNoteMarks, marks)
}

// begun tells what of a review of ref is kept besides whole notes.
func (s *Session) begun(ref plan.Ref) string {
	said := ""
	if raw, err := s.opt.Store.ReviewDraft(ref, store.NotesDraft); err == nil && len(raw) > 0 {
		if d, err := brief.ParseDraft(raw); err == nil && len(d.Typed) > 0 {
			said += " " + text.Count(len(d.Typed), "half-typed note") + " in the reviewer."
		}
	}
	if raw, err := s.opt.Store.ReviewDraft(ref, store.EditDraft); err == nil && len(raw) > 0 {
		said += " Your own edit of the text is kept; e in the reviewer goes on with it."
	}
	return said
}

// notesDelivered forgets the notes of a draft that were recorded with a decision;
// what is half-typed stays.
func (s *Session) notesDelivered(ref plan.Ref) {
	raw, err := s.opt.Store.ReviewDraft(ref, store.NotesDraft)
	if err != nil || len(raw) == 0 {
		return
	}
	d, err := brief.ParseDraft(raw)
	if err != nil {
		return
	}
	d.Notes, d.Card = nil, brief.Typed{}
	if raw = nil; !d.Empty() {
		if raw, err = json.Marshal(d); err != nil {
			return
		}
	}
	if err := s.opt.Store.SaveReviewDraft(ref, store.NotesDraft, raw); err != nil {
		s.say(tree.Warning, "The draft of the notes that were delivered could not be removed: %v.", err)
	}
}
