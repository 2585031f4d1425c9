package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"planmode/plan/agent/demo"
	"planmode/plan/pull"
)

// hub is a poster without a network.
type hub struct {
	dry       func(Shown) (Shown, error)
	outcome   func(ctx context.Context, r *pull.Receipts) (int, error)
	dryRuns   int
	approvals []string
}

func (h *hub) DryRun(_ context.Context, f *Folder) (Shown, error) {
	h.dryRuns++
	raw, err := f.Read("author.txt")
	if err != nil {
		return Shown{Exit: 1}, err
	}
	p, _ := pull.Read(pull.RoleAuthor, raw)
	a := pull.Approval{Owner: "o", Repo: "r", Number: 1, RunID: f.ID(), AuthorSHA256: p.SHA256, Event: "COMMENT", Body: p.Author.Summary,
		Replies: []pull.PostReply{{RootID: 5, Body: "still"}}}
	shown := Shown{Approval: a, Preview: pull.Preview(a, func(int64) string { return "u" }), SHA256: a.Hash()}
	if h.dry != nil {
		return h.dry(shown)
	}
	return shown, nil
}

func (h *hub) Approved(ctx context.Context, f *Folder, sum string) (pull.Receipts, int, error) {
	h.approvals = append(h.approvals, sum)
	a := pull.Approval{Owner: "o", Repo: "r", Number: 1, RunID: f.ID(), Actor: "ann", Replies: []pull.PostReply{{RootID: 5, Body: "still"}}}
	r := pull.NewReceipts(a, "2026-12-01T07:00:00Z")
	if err := f.Create(Receipts, r.Encode()); err != nil {
		return pull.Receipts{}, exitRefused, err
	}
	code, err := h.outcome(ctx, &r)
	return r, code, err
}

// everything is posted.
func everything(_ context.Context, r *pull.Receipts) (int, error) {
	url := "https://github.com/o/r/pull/1#discussion_r1"
	for i := range r.Actions {
		r.Actions[i].State, r.Actions[i].URL = pull.ActionDone, &url
	}
	r.Complete = true
	return 0, nil
}

// answers are a gate that says these in turn, and then nothing.
type answers struct {
	give  []func(Question) Reply
	asked []Question
}

func (a *answers) Ask(_ context.Context, q Question) Reply {
	a.asked = append(a.asked, q)
	if len(a.asked) > len(a.give) {
		return Reply{Reason: "nobody is there"}
	}
	return a.give[len(a.asked)-1](q)
}

func approve(q Question) Reply { return Reply{Answer: pull.Approve, SHA256: q.SHA256[:8]} }
func revise(Question) Reply    { return Reply{Answer: pull.Revise, Text: "drop correctness-1"} }
func abort(Question) Reply     { return Reply{Answer: pull.Abort} }

func offered(t *testing.T, ctx context.Context, dir string, h *hub, g Gate) pull.Block {
	t.Helper()
	w := open(t, dir)
	r, err := w.Range(t.Context(), "main..topic")
	if err != nil {
		t.Fatal(err)
	}
	return Review(ctx, Options{Workspace: w, Source: r, Output: "r.md", Focus: "full", Agent: demo.New(demo.Options{}), Now: time.Now,
		WantsPosting: true, Gate: g, Poster: h})
}

func TestWhatBecomesOfAReviewThatIsOffered(t *testing.T) {
	lost := func(_ context.Context, r *pull.Receipts) (int, error) {
		why := "there was no answer"
		r.Actions[0].State, r.Actions[0].Error = pull.ActionUncertain, &why
		return 1, nil
	}
	half := func(ctx context.Context, r *pull.Receipts) (int, error) {
		_, _ = everything(ctx, r)
		r.Complete, r.Actions[1].State, r.Actions[1].URL = false, pull.ActionRejected, nil
		return 1, nil
	}
	type say = func(Question) Reply
	tests := []struct {
		name    string
		hub     hub
		say     []say
		want    pull.Terminal
		posting string
		draft   string // is part of the draft
		posts   int
		asked   int
	}{
		{"it is approved and posted", hub{outcome: everything}, []say{approve}, pull.ReviewPosted, "posted", "discussion_r1", 1, 1},
		{"it is sent back twice, then approved", hub{outcome: everything}, []say{revise, revise, approve}, pull.ReviewPosted, "posted", "revision 3 of", 1, 3},
		{"it is sent back a third time", hub{}, []say{revise, revise, revise}, pull.Blocked, "skipped", "Nothing had been posted", 0, 3},
		{"it is sent back without a word", hub{}, []say{func(Question) Reply { return Reply{Answer: pull.Revise, Text: " "} }}, pull.Blocked, "skipped", "Nothing had", 0, 1},
		{"it is called off", hub{}, []say{abort}, pull.DraftCancelled, "cancelled", "Nothing had been posted", 0, 1},
		{"nobody answers", hub{}, nil, pull.Blocked, "skipped", "Nothing had been posted", 0, 1},
		{"another hash is typed", hub{}, []say{func(Question) Reply { return Reply{Answer: pull.Approve, SHA256: "00000000"} }}, pull.Blocked, "skipped", "Nothing had", 0, 1},
		{"too few digits are typed", hub{}, []say{func(q Question) Reply { return Reply{Answer: pull.Approve, SHA256: q.SHA256[:7]} }}, pull.Blocked, "skipped", "Nothing had", 0, 1},
		{"an answer that is none", hub{}, []say{func(q Question) Reply { return Reply{Answer: "yes", SHA256: q.SHA256} }}, pull.Blocked, "skipped", "Nothing had", 0, 1},
		{"the dry-run refuses", hub{dry: func(s Shown) (Shown, error) { s.Exit = 3; return s, errors.New("the pull request is closed") }}, nil, pull.PostError, "skipped", "Nothing had", 0, 0},
		{"the preview is of something else", hub{dry: func(s Shown) (Shown, error) { s.Approval.Body += "!"; return s, nil }}, nil, pull.PostError, "skipped", "Nothing had", 0, 0},
		{"the preview does not end in the hash", hub{dry: func(s Shown) (Shown, error) { s.Preview += "more\n"; return s, nil }}, nil, pull.PostError, "skipped", "Nothing had", 0, 0},
		{"the answer is lost", hub{outcome: lost}, []say{approve}, pull.PostError, "uncertain", "did not end as it should", 1, 1},
		{"a reply is refused", hub{outcome: half}, []say{approve}, pull.PostError, "partial", "discussion_r1", 1, 1},
		{"the live look refuses", hub{outcome: func(context.Context, *pull.Receipts) (int, error) { return 3, errors.New("the head moved") }}, []say{approve}, pull.PostError, "failed", "Nothing had", 1, 1},
		{"a receipt is not kept after an effect", hub{outcome: func(ctx context.Context, r *pull.Receipts) (int, error) {
			_, _ = everything(ctx, r)
			return 1, errors.New("no space left")
		}}, []say{approve}, pull.PostError, "uncertain", "discussion_r1", 1, 1},
		{"it is called posted without whole receipts", hub{outcome: func(context.Context, *pull.Receipts) (int, error) { return 0, nil }}, []say{approve}, pull.PostError, "uncertain", "did not end as it should", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := hostile(t)
			before := tree(t, dir)
			g := &answers{give: tt.say}
			b := offered(t, t.Context(), dir, &tt.hub, g)
			if b.Review != tt.want || b.Posting != tt.posting || b.ReviewFile != "r.md" {
				t.Errorf("%+v", b)
			}
			if len(tt.hub.approvals) != tt.posts || len(g.asked) != tt.asked {
				t.Errorf("posted %d times, asked %d times", len(tt.hub.approvals), len(g.asked))
			}
			if text := readFile(t, dir, "r.md"); !strings.Contains(text, tt.draft) {
				t.Errorf("no %q in the draft:\n%s", tt.draft, text)
			}
			if after := slices.DeleteFunc(tree(t, dir), func(n string) bool { return n == "r.md" }); !slices.Equal(before, after) {
				t.Errorf("left behind %q", after)
			}
			for i, q := range g.asked {
				if tt.posts == 1 && i == len(g.asked)-1 && tt.hub.approvals[0] != q.SHA256 {
					t.Errorf("approved %s, posted %s", q.SHA256, tt.hub.approvals[0])
				}
				if q.Revise != 2-i || q.Draft != "r.md" || q.Patch(t.Context(), "a.go") == "" || len(q.Known) == 0 {
					t.Errorf("question %+v", q)
				}
			}
		})
	}
}

func TestWhatWasTouchedWhileThePersonDecidedIsNotPosted(t *testing.T) {
	for name, file := range map[string]string{"the draft": "r.md", "a source file": "a.go"} {
		dir := hostile(t)
		h := &hub{outcome: everything}
		b := offered(t, t.Context(), dir, h, &answers{give: []func(Question) Reply{func(q Question) Reply {
			writeFile(t, dir, file, "mine\n")
			return approve(q)
		}}})
		if b.Review.Good() || len(h.approvals) != 0 || readFile(t, dir, file) != "mine\n" {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestReceiptsThatCannotBeWrittenIntoTheDraftAreKept(t *testing.T) {
	dir := hostile(t)
	h := &hub{outcome: func(ctx context.Context, r *pull.Receipts) (int, error) {
		writeFile(t, dir, "r.md", "edited meanwhile\n")
		return everything(ctx, r)
	}}
	b := offered(t, t.Context(), dir, h, &answers{give: []func(Question) Reply{approve}})
	if b.Review != pull.ReviewPosted || readFile(t, dir, "r.md") != "edited meanwhile\n" {
		t.Errorf("%+v", b)
	}
	kept, _ := filepath.Glob(filepath.Join(dir, handoffs, "*", Receipts))
	if len(kept) != 1 || !strings.Contains(b.String(), filepath.Base(filepath.Dir(kept[0]))) {
		t.Errorf("kept %q\n%s", kept, b)
	}
}

func TestAStopDuringThePostingStillSaysWhatIsKnown(t *testing.T) {
	dir := hostile(t)
	ctx, cancel := context.WithCancel(t.Context())
	h := &hub{outcome: func(ctx context.Context, r *pull.Receipts) (int, error) {
		cancel()
		url := "https://github.com/o/r/pull/1#pullrequestreview-1"
		r.Actions[0].State, r.Actions[0].URL = pull.ActionDone, &url
		return 1, ctx.Err()
	}}
	b := offered(t, ctx, dir, h, &answers{give: []func(Question) Reply{approve}})
	if b.Review != pull.PostError || b.Posting != "uncertain" || !strings.Contains(b.String(), "pullrequestreview-1") {
		t.Errorf("%+v", b)
	}
	if !strings.Contains(readFile(t, dir, "r.md"), "pullrequestreview-1") {
		t.Error("the draft does not hold the receipts")
	}
}

func TestPostingWithoutAPersonToAskStartsNothing(t *testing.T) {
	dir := hostile(t)
	before := tree(t, dir)
	if b := offered(t, t.Context(), dir, &hub{}, nil); b.Review != pull.NoTools || !slices.Equal(before, tree(t, dir)) {
		t.Errorf("%+v", b)
	}
	if _, err := os.Stat(filepath.Join(dir, "r.md")); err == nil {
		t.Error("a draft was made")
	}
}
