package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/prompt"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/revdiff"
)

// cardInside is the decision card for the reviewer itself: what an end without
// notes would show, with a way back to the text. The reviewer adds the notes that
// are pending when the card is opened.
func (s *Session) cardInside(sh *showing) (json.RawMessage, error) {
	clean := *sh
	clean.result = revdiff.Result{Kind: revdiff.Clean}
	c := s.card(&clean)
	c.Rows = append(c.Rows, RowReopen)
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("describe the decision on r%d: %w", sh.ref.Revision, err)
	}
	return raw, nil
}

// decidedInside is the answer that the person gave to the card in the reviewer.
// One that does not fit what was shown is told and not used: the card asks.
func (s *Session) decidedInside(sh *showing) (Verdict, bool) {
	if len(sh.result.Verdict) == 0 || sh.result.Kind != revdiff.Annotated && sh.result.Kind != revdiff.Clean {
		return Verdict{}, false
	}
	odd := func(why string) (Verdict, bool) {
		s.say(tree.Warning, "The decision taken in the reviewer was not used: %s. Decide here.", why)
		sh.result.Kind, sh.result.Message = revdiff.Contradiction, why
		s.endReview(sh)
		return Verdict{}, false
	}
	var v Verdict
	if err := json.Unmarshal(sh.result.Verdict, &v); err != nil {
		return odd("it cannot be read")
	}
	rows := []Row{RowApprove, RowRequestChanges, RowKeep, RowCancel, RowLeave, RowUseEdits}
	switch {
	case v.Review != sh.id || v.Hash != sh.ref.Hash:
		return odd("it is about another text than the one shown")
	case !slices.Contains(rows, v.Row):
		return odd(fmt.Sprintf("there is no answer %.40q", v.Row))
	case v.Row == RowUseEdits && len(sh.result.Edit) == 0:
		return odd("there are no edits to use")
	}
	if err := s.checkRef(sh.ref); err != nil {
		return odd(err.Error())
	}
	if v.Row == RowUseEdits {
		sh.result.Kind, sh.result.Edited = revdiff.Edited, sh.result.Edit
	}
	return v, true
}

// withPending makes an approval say what becomes of the notes that are pending;
// false when it does not say so, since none is left out without a word.
func withPending(sh *showing, v Verdict) (Verdict, bool) {
	notes := sh.result.Notes
	switch {
	case len(notes) == 0, v.Pending == PendingDiscard:
		return v, true
	case v.Pending != PendingSend:
		return v, false
	}
	v.Text = strings.TrimSpace(v.Text + "\n\n" + prompt.Remarks(notes))
	return v, true
}

// editsKept says where edits are that were not used.
func editsKept(sh *showing) string {
	if len(sh.result.Edit) > 0 {
		return "They are kept: /plan review, and then e, goes on with them."
	}
	return fmt.Sprintf("They are kept in %s.", sh.copy)
}

// movedAlong are the notes that go along from a revision to the person's own edit of
// it, each to where its lines are now. Those whose lines are gone are one note on
// the whole plan.
func movedAlong(notes []plan.Annotation, now []byte) []plan.Annotation {
	if len(notes) == 0 {
		return nil
	}
	d := document.Parse(now)
	var out []plan.Annotation
	whole := plan.Annotation{}
	for _, n := range notes {
		line, status := document.Reanchor(n, d)
		if n.Side == "old" || n.Line < 1 || status == document.AnchorGone {
			said := n.Summary()
			if quote := text.Line(n.Quote); quote != "" {
				said = fmt.Sprintf("On %q: %s", text.Truncate(quote, 60), said)
			}
			whole.Body = strings.TrimSpace(whole.Body + "\n\n" + said)
			continue
		}
		height := max(n.End-n.Line, 0)
		if n.Line, n.End = line, 0; height > 0 {
			n.End = line + height
		}
		if i := slices.IndexFunc(out, func(o plan.Annotation) bool { return o.Line == n.Line }); i >= 0 {
			out[i].Body = strings.TrimSpace(out[i].Body + "\n\n" + n.Summary()) // a line has one note
			continue
		}
		out = append(out, document.Anchor(d, n))
	}
	if whole.Body != "" {
		out = append(out, whole)
	}
	return out
}
