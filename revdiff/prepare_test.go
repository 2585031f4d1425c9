package revdiff

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"planmode/plan"
)

var (
	textOne = Text{Revision: 1, Bytes: []byte("# Plan\n\n## Goal\n\nMake it so.\n")}
	textTwo = Text{Revision: 2, Bytes: []byte("# Plan\n\n## Goal\n\nMake it so, twice.\n\n- one\n- two\n")}
)

// probedWith is revdiff with exactly these flags.
func probedWith(flags ...string) Reviewer {
	return Reviewer{Name: "revdiff", Path: "/bin/rd"}.with(knowledge{Version: "v1.12.0", Flags: flags})
}

// withGit is an environment whose PATH holds a git, and nothing else.
func withGit(t *testing.T) []string {
	t.Helper()
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	return []string{"PATH=" + filepath.Dir(program(t, filepath.Join(t.TempDir(), "bin", name)))}
}

func TestPrepareArguments(t *testing.T) {
	plain := Reviewer{Name: "revdiff", Path: "/bin/rd"}
	own := Reviewer{Name: BuiltinName, Path: "/bin/planmode", Prefix: []string{"reviewer"}, Builtin: true}
	full := probedWith("only", "output", "compare-old", "compare-new", "word-diff", "history-dir", "wrap", "wrap-indent", "exit-code-on-annotations", "no-colors", "description-file")
	large := Text{Revision: 2, Bytes: []byte("# Plan\n" + strings.Repeat("line\n", Large))}
	tests := []struct {
		name     string
		reviewer Reviewer
		old, new Text
		noGit    bool
		want     string // D is the directory
		notices  int
	}{
		{"a first revision is shown whole, with safe flags only", plain, Text{}, textOne, false,
			"--only=D/plan-r1.md --output=D/annotations.md --history-dir=D/history --wrap --wrap-indent=2", 0},
		{"a later one is compared", plain, textOne, textTwo, false,
			"--compare-old=D/plan-r1.md --compare-new=D/plan-r2.md --word-diff --output=D/annotations.md --history-dir=D/history --wrap --wrap-indent=2", 0},
		{"a probed reviewer gets the exit code flag", full, Text{}, textOne, false,
			"--only=D/plan-r1.md --output=D/annotations.md --history-dir=D/history --wrap --wrap-indent=2 --exit-code-on-annotations", 0},
		{"missing flags are left out", probedWith("only", "output", "wrap"), Text{}, textOne, false,
			"--only=D/plan-r1.md --output=D/annotations.md --wrap", 0},
		{"a reviewer that cannot compare shows the whole and says so", probedWith("only", "output", "wrap"), textOne, textTwo, false,
			"--only=D/plan-r2.md --output=D/annotations.md --wrap", 1},
		{"without git the whole is shown and said so", plain, textOne, textTwo, true,
			"--only=D/plan-r2.md --output=D/annotations.md --history-dir=D/history --wrap --wrap-indent=2", 1},
		{"a large plan loses its colours", plain, Text{}, large, false,
			"--only=D/plan-r2.md --output=D/annotations.md --history-dir=D/history --wrap --wrap-indent=2 --no-colors", 1},
		{"the built-in reviewer needs no git and keeps its colours", own, textOne, large, true,
			"reviewer --compare-old=D/plan-r1.md --compare-new=D/plan-r2.md --word-diff --output=D/annotations.md --history-dir=D/history --wrap --wrap-indent=2 --exit-code-on-annotations", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			env := withGit(t)
			if tt.noGit {
				env = []string{"PATH=/nowhere"}
			}
			j, err := Prepare(Request{Reviewer: tt.reviewer, Dir: dir, Old: tt.old, New: tt.new, Title: "A\x1b[2J\nplan", Env: env})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(strings.Join(j.Args, " "), dir, "D"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if len(j.Notices) != tt.notices {
				t.Errorf("notices %q", j.Notices)
			}
			if j.Dir != string(filepath.Separator) || j.Name != tt.reviewer.Name || strings.ContainsAny(j.Title, "\x1b\n") {
				t.Errorf("job %+v", j)
			}
			if b, err := os.ReadFile(j.Copy); err != nil || string(b) != string(tt.new.Bytes) {
				t.Errorf("copy %q, %v", b, err)
			}
			if info, err := os.Stat(j.Copy); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
				t.Errorf("mode of the copy %v, %v", info.Mode(), err)
			}
			if _, err := os.Lstat(j.Output); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the output exists already: %v", err)
			}
		})
	}
}

func TestPreparePassesAFilteredConfigOnlyWhenNeeded(t *testing.T) {
	for _, tt := range []struct {
		name, config, want string
	}{
		{"a harmless config is left alone", "theme = nord\n", ""},
		{"a harmful one is copied without the harm", "theme = nord\ninclude = src\n", "theme = nord\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, home := t.TempDir(), t.TempDir()
			path := filepath.Join(home, ".config", "revdiff", "config")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.config), 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := Prepare(Request{Reviewer: probedWith(), Dir: dir, New: textOne, Env: []string{"HOME=" + home}})
			if err != nil {
				t.Fatal(err)
			}
			copied := filepath.Join(dir, "config")
			passed := strings.Contains(strings.Join(j.Args, " "), "--config="+copied)
			if passed != (tt.want != "") {
				t.Fatalf("arguments %q", j.Args)
			}
			if b, _ := os.ReadFile(copied); string(b) != tt.want {
				t.Errorf("config %q", b)
			}
			if b, _ := os.ReadFile(path); string(b) != tt.config {
				t.Errorf("the person's own config became %q", b)
			}
		})
	}
}

func TestPrepareShowsWhatWasSaidInTheLastRound(t *testing.T) {
	dir := t.TempDir()
	old := (&Job{shown: shown{new: textOne}}).newAnchors()
	said := []plan.Annotation{
		{Body: "Name the owner.\x1b]0;x\x07"},
		{Line: 3, Quote: old.shown.text(3), Body: "Good.", Headings: []string{"Plan", "Goal"}},
		{Line: 5, Quote: old.shown.text(5), Body: "How often?", Headings: []string{"Plan", "Goal"}},
		{Line: 9, Quote: "nothing like it anywhere", Body: "Lost."},
	}
	j, err := Prepare(Request{Reviewer: Reviewer{Name: "revdiff", Path: "/bin/rd"}, Dir: dir, Old: textOne, New: textTwo, Previous: said, Env: withGit(t)})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "last-round.md")
	if !strings.Contains(strings.Join(j.Args, " "), "--description-file="+path) {
		t.Errorf("arguments %q", j.Args)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "# What you said about r1\n\n## The whole plan\n\nName the owner.\n\n## Line 3, unchanged\n\n> ## Goal\n\nGood.\n" +
		"\n## Line 5, text changed\n\n> Make it so.\n\nHow often?\n\n## Gone\n\n> nothing like it anywhere\n\nLost.\n"
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

// text is one line of the new text.
func (s shown) text(n int) string { return strings.Split(string(s.new.Bytes), "\n")[n-1] }

func TestPrepareRefuses(t *testing.T) {
	good := Reviewer{Name: "revdiff", Path: "/bin/rd"}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	used := t.TempDir()
	planted := filepath.Join(used, "plan-r1.md")
	if err := os.Symlink(filepath.Join(used, "target"), planted); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		r    Request
	}{
		{"no reviewer", Request{Dir: t.TempDir(), New: textOne}},
		{"no revision", Request{Reviewer: good, Dir: t.TempDir()}},
		{"a revision against itself", Request{Reviewer: good, Dir: t.TempDir(), Old: textOne, New: textOne}},
		{"a relative directory", Request{Reviewer: good, Dir: "here", New: textOne}},
		{"a directory behind a link", Request{Reviewer: good, Dir: link, New: textOne}},
		{"a name that is taken by a link", Request{Reviewer: good, Dir: used, New: textOne}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if j, err := Prepare(tt.r); err == nil {
				t.Errorf("prepared %+v", j)
			}
		})
	}
	if entries, _ := os.ReadDir(used); len(entries) > 2 {
		t.Errorf("written to %v", entries)
	}
}
