package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/revdiff/brief"
)

// rowNames names the rows of the card for a sentence.
var rowNames = map[Row]string{
	RowApprove: "Approve Plan", RowRequestChanges: "Request changes", RowKeep: "Keep planning",
	RowCancel: "Cancel review", RowLeave: "Leave Plan Mode", RowUseEdits: "Use the edited text as the next revision",
}

// verdictOf is the answer that the person gave in the reviewer, if it is about ref.
func verdictOf(r revdiff.Result, id plan.ReviewID, ref plan.Ref) (Verdict, bool) {
	var v Verdict
	if len(r.Verdict) == 0 || json.Unmarshal(r.Verdict, &v) != nil {
		return v, false
	}
	return v, v.Review == id && v.Hash == ref.Hash && rowNames[v.Row] != ""
}

// unrecorded is what the person chose in a reviewer whose end planmode did not
// live to record, in a sentence. It is not taken for a decision: nobody checked
// it when it was given, and much may have happened since.
func (s *Session) unrecorded(r plan.OpenReview) string {
	v, ok := verdictOf(s.saved(r), r.ID, r.Ref)
	if !ok {
		return ""
	}
	said := fmt.Sprintf("You had chosen %q in the reviewer. planmode stopped before that was recorded, so nothing was decided: decide again.", rowNames[v.Row])
	if strings.TrimSpace(v.Text) != "" {
		said += " What you wrote with it is kept for the card in the reviewer."
	}
	return said
}

// tellUnrecorded says for good what was chosen and not recorded, before the files
// that tell of it go, and keeps the text that came with it for the next card.
func (s *Session) tellUnrecorded(sh *showing) {
	v, ok := verdictOf(sh.result, sh.id, sh.ref)
	if sh.result.Verdict = nil; !ok {
		return
	}
	s.say(tree.Warning, "You had chosen %q for r%d in the reviewer. planmode stopped before that was recorded, so it does not count.", rowNames[v.Row], sh.ref.Revision)
	if v.Text = strings.TrimSpace(v.Text); v.Text == "" {
		return
	}
	d, err := brief.ParseDraft(sh.result.Draft)
	if err != nil {
		_, sum, _ := strings.Cut(string(sh.ref.Hash), ":")
		d = brief.Draft{Version: brief.DraftVersion, Key: fmt.Sprintf("plan-r%d.md", sh.ref.Revision), New: sum, Notes: drafted(sh.result.Notes)}
	}
	if v.Row == RowApprove {
		d.Card.Notes = v.Text
	} else {
		d.Card.Changes = v.Text
	}
	if raw, err := json.Marshal(d); err == nil {
		sh.result.Draft = raw
	}
}

// drafted are notes as a draft has them: a review that goes on with a draft looks
// nowhere else for notes.
func drafted(notes []plan.Annotation) []brief.Note {
	var out []brief.Note
	for _, n := range notes {
		kind := " "
		if n.Side == "old" {
			kind = "-"
		}
		out = append(out, brief.Note{Annotation: n, Type: kind})
	}
	return out
}
