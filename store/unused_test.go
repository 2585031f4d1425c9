package store_test

import (
	"os"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

func TestASessionInWhichNothingHappenedLeavesNoFile(t *testing.T) {
	for name, c := range map[string]struct {
		entries int
		notice  bool
		draft   string
		kept    bool
	}{
		"nothing":      {},
		"a notice":     {notice: true},
		"an entry":     {entries: 1, kept: true},
		"unsent words": {draft: "half a thought", kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := openIn(t, t.TempDir(), store.Options{})
			l := createLog(t, s, c.entries)
			if c.notice {
				e, err := tree.New("0123456789ab", "", plan.Stamp(time.Now()), tree.KindNotice, tree.Notice{Level: tree.Warning, Text: "bad config"})
				if err == nil {
					err = l.Append(e)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := s.SaveDraft(sessionID, c.draft); err != nil {
				t.Fatal(err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(l.Path()); (err == nil) != c.kept {
				t.Errorf("the file is there: %v", err == nil)
			}
		})
	}
}
