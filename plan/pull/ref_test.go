package pull

import (
	"errors"
	"strings"
	"testing"
)

func TestParseRefAcceptsWhatNamesOnePullRequest(t *testing.T) {
	want := Ref{Owner: "org", Repo: "re.po", Number: 12}
	for _, text := range []string{
		"https://github.com/org/re.po/pull/12", "https://github.com/org/re.po/pull/12/",
		"https://GitHub.com/org/re.po/pull/12/files", "https://github.com/org/re.po/pull/12/commits/",
		"https://github.com/org/re.po/pull/12/changes?w=1", "https://github.com/org/re.po/pull/12#discussion_r4",
		"https://github.com/org/re.po/pull/12?a=%20b", "org/re.po#12", "please review org/re.po#12 now",
		"org/re.po#12 https://github.com/ORG/re.po/pull/12/files",
	} {
		got, err := ParseRef(text)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	if u := want.URL(); u != "https://github.com/org/re.po/pull/12" {
		t.Error(u)
	}
}

func TestParseRefRefusesWhatIsNotQuiteOne(t *testing.T) {
	for _, text := range []string{
		"http://github.com/o/r/pull/1", "https://github.com.evil/o/r/pull/1", "https://u@github.com/o/r/pull/1",
		"https://github.com:443/o/r/pull/1", "https://gitlab.com/o/r/pull/1", "https://github.com/o/r/pull/01",
		"https://github.com/o/r/pull/0", "https://github.com/o/r/pull/12345678901", "https://github.com/o/r/pull/1x",
		"https://github.com/o/r/pull/-1", "https://github.com/o/../pull/1", "https://github.com/o/./pull/1",
		"https://github.com/-o/r/pull/1", "https://github.com/o%2f/r/pull/1", "https://github.com/o/r/issues/1",
		"https://github.com/o/r/pull/1/checks", "https://github.com/o/r/pull/1\n", "https://github.com/o/r/pull/1\x00",
		"https://github.com//r/pull/1", "https://github.com/o/" + strings.Repeat("r", 101) + "/pull/1",
		"https://github.com/" + strings.Repeat("o", 40) + "/r/pull/1", "o/r#01", "o/r#0", "ftp://github.com/o/r/pull/1",
		"https://github.com/o/r/pull/1/files/x", "https://githuß.com/o/r/pull/1",
	} {
		if got, err := ParseRef(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
	for _, text := range []string{"", "look at this", "#12", "r#12"} {
		if _, err := ParseRef(text); !errors.Is(err, ErrNoRef) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestParseRefKeepsTwoDifferentPullRequestsInOrder(t *testing.T) {
	got, err := ParseRef("o/r#2 and https://github.com/o/r/pull/1")
	if err != nil || len(got) != 2 || got[0].Number != 2 || got[1].Number != 1 {
		t.Fatal(got, err)
	}
}

func TestCheckOutput(t *testing.T) {
	for _, good := range []string{"a.md", "docs/pr-1-review.md", "评审.md", ".x/a.md"} {
		if err := CheckOutput(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{
		"", "../x.md", "/x.md", "a/.git/x.md", ".GIT/x.md", "x.txt", `a\b.md`, "a\x00.md", "a/../b.md", "a//b.md",
		strings.Repeat("n", 300) + ".md", "x.MD", ".handoffs/a.md", "a /b.md", "a./b.md", "C:x.md", "./a.md", "a\n.md", ".md", "x.md ", "x\u009b.md", "x\xff.md",
	} {
		if CheckOutput(bad) == nil {
			t.Errorf("%q was allowed", bad)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	f.Add("https://github.com/o/r/pull/1")
	f.Add("o/r#1")
	f.Fuzz(func(t *testing.T, s string) {
		refs, err := ParseRef(s)
		if err != nil {
			return
		}
		for _, r := range refs {
			again, err := ParseRef(r.URL())
			if err != nil || len(again) != 1 || again[0] != r {
				t.Fatalf("%v became %v, %v", r, again, err)
			}
		}
	})
}
