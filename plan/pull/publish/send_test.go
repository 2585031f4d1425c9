package publish

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"planmode/plan/pull"
	"planmode/plan/pull/github"
)

// poster answers in turn and counts.
type poster struct {
	answers []github.Outcome
	sent    int
}

func (p *poster) next() github.Receipt {
	p.sent++
	return github.Receipt{Outcome: p.answers[p.sent-1], Status: 200, ID: int64(p.sent), Why: "why"}
}
func (p *poster) PostReview(context.Context, pull.Approval) github.Receipt { return p.next() }
func (p *poster) PostReply(context.Context, pull.Approval, pull.PostReply) github.Receipt {
	return p.next()
}

func TestAPostingStopsAtTheFirstDoubt(t *testing.T) {
	ok, no, lost := github.Posted, github.Rejected, github.Uncertain
	for name, c := range map[string]struct {
		answers []github.Outcome
		failAt  int // the write of receipts that fails, from 1
		sent    int
		exit    int
		posting string
	}{
		"all of it is posted":             {[]github.Outcome{ok, ok, ok}, 0, 3, 0, "posted"},
		"the review is refused":           {[]github.Outcome{no}, 0, 1, 1, "failed"},
		"the answer is lost":              {[]github.Outcome{lost}, 0, 1, 1, "uncertain"},
		"the first reply is refused":      {[]github.Outcome{ok, no}, 0, 2, 1, "partial"},
		"no receipts can be made":         {nil, 1, 0, 3, "skipped"},
		"the disk is full before sending": {nil, 2, 0, 3, "skipped"},
		"the disk is full after sending":  {[]github.Outcome{ok}, 3, 1, 1, "partial"},
		"the disk is full before a reply": {[]github.Outcome{ok}, 4, 1, 1, "partial"},
	} {
		t.Run(name, func(t *testing.T) {
			p, writes := &poster{answers: c.answers}, 0
			write := func(data []byte) error {
				if writes++; writes == c.failAt {
					return errors.New("no space")
				}
				_, err := pull.ReadReceipts(data)
				return err
			}
			h := strings.Repeat("a", 64)
			a := pull.Approval{Actor: "ann", Owner: "o", Repo: "r", Number: 1, RunID: "x", AuthorSHA256: h, VerifySHA256: h,
				Event: "COMMENT", Body: "b", Replies: []pull.PostReply{{RootID: 4, Body: "x"}, {RootID: 5, Body: "y"}}}
			s := Sending{Poster: p, Create: write, Keep: write, Now: func() time.Time { return time.Unix(0, 0) }, Pause: func(context.Context) error { return nil }}
			r, code, _ := s.Send(context.Background(), a)
			if p.sent != c.sent || code != c.exit || r.Posting() != c.posting || r.Complete != (code == 0) {
				t.Errorf("sent %d, exit %d, %s, complete %v", p.sent, code, r.Posting(), r.Complete)
			}
		})
	}
}
