package run

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planmode/plan/pull"
)

const otherID = "20261201T034500Z-0000000f"

func TestAReviewDoesNotStartBesideAnotherThatLives(t *testing.T) {
	dir := hostile(t)
	w := open(t, dir)
	other, err := w.Make(otherID)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	if b := reviewed(t, t.Context(), dir, &twisted{}); b.Review != pull.Blocked || !strings.Contains(b.Reason, otherID) || !slices.Equal(before, tree(t, dir)) {
		t.Errorf("%+v", b)
	}
	if again, err := w.OpenFolder(other.Name()); err != nil || again.Lock(t.Context()) == nil {
		t.Errorf("a held folder was taken, %v", err)
	}
	other.Unlock()
	if b := reviewed(t, t.Context(), dir, &twisted{}); b.Review != pull.DraftSaved || len(b.Notes) == 0 {
		t.Errorf("after its end: %+v", b)
	}
}

func TestReceiptsOfAKilledRunAreNamedAndLeftAlone(t *testing.T) {
	url := "https://github.com/o/r/pull/1"
	receipts := func(state pull.ActionState) string {
		r := pull.NewReceipts(pull.Approval{Owner: "o", Repo: "r", Number: 1, RunID: otherID, Actor: "ann"}, "2026-12-01T07:00:00Z")
		r.Actions[0].State = state
		return string(r.Encode())
	}
	for name, c := range map[string]struct{ file, says string }{
		"killed while it sent":     {receipts(pull.ActionSending), "something may have been posted on " + url},
		"killed before it sent":    {receipts(pull.ActionPending), "nothing was sent yet on " + url},
		"killed after a refusal":   {receipts(pull.ActionRejected), "nothing was posted on " + url},
		"killed while it wrote":    {`{"schema":`, "holds no whole receipts"},
		"killed at the first byte": {"", "holds no whole receipts"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := hostile(t)
			file := filepath.Join(handoffs, otherID, Receipts)
			writeFile(t, dir, file, c.file)
			b := reviewed(t, t.Context(), dir, &twisted{})
			if b.Review != pull.DraftSaved || !strings.Contains(strings.Join(b.Notes, "\n"), c.says) {
				t.Errorf("%+v", b)
			}
			if readFile(t, dir, file) != c.file {
				t.Error("the receipts were touched")
			}
		})
	}
}
