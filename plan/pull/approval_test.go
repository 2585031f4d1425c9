package pull

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func goldenApproval() Approval {
	return Approval{
		Actor: "octo-reviewer", APIBase: "https://api.github.com", Owner: "org", Repo: "repo", Number: 12,
		Base: "main", BaseSHA: strings.Repeat("1", 40), HeadSHA: strings.Repeat("2", 40), RunID: "20261130T061500Z-7f3a",
		AuthorSHA256: strings.Repeat("a", 64), VerifySHA256: strings.Repeat("b", 64),
		Event: "REQUEST_CHANGES", Body: "One blocking defect.\n",
		Comments: []PostComment{{Path: "api/export.go", Anchor: Anchor{Right, 72, Right, 70},
			Body: "Guard is skipped — see <x> & \"y\".\n```suggestion\nif !ok { return }\n```"}},
		Replies: []PostReply{{RootID: 40, Body: "Still present."}},
	}
}

func TestApprovalHasTheGoldenHash(t *testing.T) {
	a := goldenApproval()
	if n := len(a.Canonical()); n != 757 {
		t.Errorf("%d bytes:\n%s", n, a.Canonical())
	}
	if h := a.Hash(); h != "05f8e353bc840bdcb5f4c3601f97376fcbfc204bbcb2de03926f79ef17e4c499" {
		t.Errorf("%s of\n%s", h, a.Canonical())
	}
}

func TestAnyChangeOfAnApprovalChangesItsHash(t *testing.T) {
	want := goldenApproval().Hash()
	a := goldenApproval()
	for _, v := range []reflect.Value{reflect.ValueOf(&a).Elem(), reflect.ValueOf(&a.Comments[0]).Elem(), reflect.ValueOf(&a.Comments[0].Anchor).Elem(), reflect.ValueOf(&a.Replies[0]).Elem()} {
		for i := range v.NumField() {
			f := v.Field(i)
			old := reflect.New(f.Type()).Elem()
			old.Set(f)
			switch f.Kind() {
			case reflect.String:
				f.SetString(f.String() + "x")
			case reflect.Int64:
				f.SetInt(f.Int() + 1)
			case reflect.Slice:
				f.SetZero()
			default:
				continue
			}
			if a.Hash() == want {
				t.Errorf("%s.%s is not part of the hash", v.Type(), v.Type().Field(i).Name)
			}
			f.Set(old)
		}
	}
	if a.Hash() != want {
		t.Error("the approval was not restored")
	}
}

func TestWhatIsPostedIsWhatWasHashed(t *testing.T) {
	a := goldenApproval()
	a.Body = "tab\t, u2028 \u2028 <&> \x01 end\n"
	var got struct {
		CommitID string `json:"commit_id"`
		Event    string
		Body     string
		Comments []map[string]any
	}
	if err := json.Unmarshal(ReviewBody(a), &got); err != nil {
		t.Fatal(err)
	}
	if got.Body != a.Body || got.CommitID != a.HeadSHA || got.Event != a.Event || got.Comments[0]["start_line"] != 70.0 {
		t.Errorf("%+v", got)
	}
	a.Comments[0].Anchor = Anchor{Side: Right, Line: 72}
	if strings.Contains(string(ReviewBody(a)), "start_") {
		t.Error("a single line has a start")
	}
	if s := string(ReplyBody(a.Replies[0])); s != `{"body":"Still present."}` {
		t.Error(s)
	}
}

func TestPreviewEndsInTheHashAndFencesWhatIsPosted(t *testing.T) {
	a := goldenApproval()
	got := Preview(a, func(id int64) string { return "https://github.com/org/repo/pull/12#discussion_r40" })
	if !strings.HasSuffix(got, "\napproval-sha256: "+a.Hash()+"\n") {
		t.Error(got)
	}
	for _, want := range []string{"Comment 1/1 api/export.go RIGHT 70-72\n````\n", "Reply 1/1 https://github.com/org/repo/pull/12#discussion_r40\n", "Summary 21 bytes\n```\nOne blocking defect.\n```\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func verified() Accepted {
	no, login := false, "me"
	pins := Pins{Base: "main", BaseSHA: strings.Repeat("1", 40), BaseTipSHA: strings.Repeat("3", 40), HeadSHA: strings.Repeat("2", 40)}
	c := &Context{PR: PR{Owner: "o", Repo: "r", Number: 1, State: "open"}, Pins: pins, Viewer: Viewer{Login: &login, IsAuthor: &no},
		History: History{Status: "complete", Threads: []Thread{{RootID: 40}}}, Files: Files{Complete: true}}
	a := &Author{Revision: 1, Pins: pins, Decision: "COMMENT", Summary: "Fine.", Replies: []Reply{{FindingID: "a-1", RootID: 40, Body: "b"}}}
	v := &Verify{AuthorSHA256: "h", Revision: 1, Pins: pins, Decision: "COMMENT", PublicationReady: true}
	return Accepted{Payload{Status: Pass, Context: c}, Payload{Status: Pass, SHA256: "h", Author: a}, Payload{Status: Pass, SHA256: "v", Verify: v}}
}

func TestBuildApprovalRefuses(t *testing.T) {
	if a, why := BuildApproval(RunInfo{RunID: "r"}, verified()); len(why) != 0 || a.Actor != "me" || a.Replies[0].RootID != 40 {
		t.Fatal(a, why)
	}
	yes := true
	for name, change := range map[string]func(*Context, *Author, *Verify){
		"a closed pull request":      func(c *Context, a *Author, v *Verify) { c.PR.State = "merged" },
		"a history with gaps":        func(c *Context, a *Author, v *Verify) { c.History.Status = "partial" },
		"an unknown viewer":          func(c *Context, a *Author, v *Verify) { c.Viewer.Login = nil },
		"a review that is not ready": func(c *Context, a *Author, v *Verify) { v.PublicationReady = false },
		"another author payload":     func(c *Context, a *Author, v *Verify) { v.AuthorSHA256 = "x" },
		"another revision":           func(c *Context, a *Author, v *Verify) { v.Revision = 2 },
		"other pins":                 func(c *Context, a *Author, v *Verify) { v.Pins.HeadSHA = "x" },
		"changes asked of oneself": func(c *Context, a *Author, v *Verify) {
			a.Decision, v.Decision, c.Viewer.IsAuthor = "REQUEST_CHANGES", "REQUEST_CHANGES", &yes
		},
		"an approval with files missing": func(c *Context, a *Author, v *Verify) {
			a.Decision, v.Decision, c.Files.Complete = "APPROVE", "APPROVE", false
		},
		"a risk that blocks posting":    func(c *Context, a *Author, v *Verify) { a.Risks = []Risk{{Text: "t", BlocksPosting: true}} },
		"an unknown place":              func(c *Context, a *Author, v *Verify) { a.Findings = []Finding{{ID: "a-1", Placement: "unknown"}} },
		"a discussion nobody collected": func(c *Context, a *Author, v *Verify) { a.Replies[0].RootID = 41 },
		"a body of too many characters": func(c *Context, a *Author, v *Verify) { a.Summary = strings.Repeat("😀", 30_001) },
		"an empty body":                 func(c *Context, a *Author, v *Verify) { a.Summary = "" },
	} {
		got := verified()
		change(got.Context.Context, got.Author.Author, got.Verify.Verify)
		if a, why := BuildApproval(RunInfo{}, got); len(why) != 1 || a.Body != "" {
			t.Errorf("%s: %v %q", name, a, why)
		}
	}
	got := verified()
	got.Verify.Status = Fail
	if _, why := BuildApproval(RunInfo{}, got); len(why) == 0 {
		t.Error("a failed review was built")
	}
}

func FuzzFenced(f *testing.F) {
	f.Add("a\n`````\nb~~~")
	f.Fuzz(func(t *testing.T, s string) {
		out := Fenced(s)
		fence, _, _ := strings.Cut(out, "\n")
		if strings.Contains(s, fence) || !strings.HasSuffix(out, fence+"\n") {
			t.Fatalf("%q", out)
		}
	})
}
