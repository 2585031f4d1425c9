//go:build unix

package tool

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tool/rule"
)

// site is a work tree in which everything that can be planted is planted.
type site struct {
	t    *testing.T
	dir  string
	evil string // a file that exists once anything planted has run
	set  *Set
}

func newSite(t *testing.T, env ...string) *site {
	t.Helper()
	base := t.TempDir()
	s := &site{t: t, dir: filepath.Join(base, "work"), evil: filepath.Join(base, "evil")}
	for _, d := range []string{s.dir, filepath.Join(s.dir, "sub"), filepath.Join(s.dir, "bin")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := "#!/bin/sh\ntouch " + s.evil + "\n"
	for _, name := range []string{"cat", "ls", "git", "grep", "sh", "bash", "pager", "bin/cat", "bin/ls"} {
		s.write(name, script, 0o755)
	}
	s.write("a.txt", "one\ntwo\nthree\n", 0o644)
	s.write("sub/b.go", "package b\n", 0o644)
	s.write("-o", "an option\n", 0o644)
	s.write("--pre=sh", "another\n", 0o644)
	s.write("rc", "touch "+s.evil+"\n", 0o644)
	if err := os.Symlink("/etc/hostname", filepath.Join(s.dir, "link")); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{".", "", s.dir, filepath.Join(s.dir, "bin"), os.Getenv("PATH")}, ":")
	all := append([]string{"PATH=" + path, "HOME=" + base, "BASH_ENV=" + s.dir + "/rc", "ENV=" + s.dir + "/rc", "PAGER=" + s.dir + "/pager",
		"GIT_PAGER=" + s.dir + "/pager", "GIT_EXTERNAL_DIFF=" + s.dir + "/pager", "RIPGREP_CONFIG_PATH=" + s.dir + "/rc",
		"BASH_FUNC_ls%%=() { touch " + s.evil + "; }", "GREP_OPTIONS=-x", "GOFLAGS=-toolexec=" + s.dir + "/pager"}, env...)
	s.set = New(Options{Dir: s.dir, Env: all, Looking: true})
	return s
}

func (s *site) write(name, text string, mode os.FileMode) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// run judges and runs a line as it is while planning.
func (s *site) run(line string) (Judgement, Result) {
	s.t.Helper()
	c := Call{ID: "1", Name: "bash", Args: Marshal(map[string]string{"command": line})}
	j := Policy{Mode: plan.ModePlanning}.Check(s.set, []Call{c})[0]
	if j.Verdict != Allow {
		return j, Result{}
	}
	impl, _ := s.set.Find("bash")
	return j, j.Perform(context.Background(), impl, c, nil)
}

// state is every file of the tree with its text.
func (s *site) state() string {
	s.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, _ := os.ReadFile(p)
		fmt.Fprintf(&b, "%s %v %q\n", p, d.Type(), text)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

func (s *site) unharmed(before, line string) {
	s.t.Helper()
	if _, err := os.Lstat(s.evil); err == nil {
		s.t.Fatalf("something planted was run by %q", line)
	}
	if now := s.state(); now != before {
		var changed []string
		for l := range strings.Lines(now) {
			if !strings.Contains(before, l) {
				changed = append(changed, l[:min(len(l), 200)])
			}
		}
		s.t.Fatalf("%q changed the tree: %q", line, changed)
	}
}

func TestLinesThatOnlyLookRunWhilePlanning(t *testing.T) {
	s := newSite(t)
	for line, want := range map[string]string{
		"cat a.txt | head -2":                    "one\ntwo\n",
		"grep -c o a.txt && pwd >/dev/null":      "2\n",
		"ls -d sub a.txt":                        "a.txt\nsub\n",
		"wc -l *.txt":                            "3 ./a.txt\n",
		"cat -- -o":                              "an option\n",
		"cd sub && cat *.go":                     "package b\n",
		"sed -n 2p a.txt; echo 'a  b'":           "two\na  b\n",
		"find . -name '*.go'":                    "./sub/b.go\n",
		"grep -q nothing a.txt || echo no":       "no\n",
		"sort -r < a.txt":                        "two\nthree\none\n",
		"ls nothing 2>/dev/null; echo done":      "done\n",
		"type cd":                                "cd is a shell builtin\n",
		"printf '%s-%s\\n' a 'b c'":              "a-b c\n",
		`test -f a.txt && [ -d sub ] && echo ok`: "ok\n",
	} {
		before := s.state()
		j, r := s.run(line)
		if j.Verdict != Allow || strings.TrimLeft(r.Text, " ") != want {
			t.Errorf("%s: %s %q, got %q, want %q", line, j.Verdict, j.Message, r.Text, want)
		}
		s.unharmed(before, line)
	}
}

func TestWhatIsPlantedDoesNotRun(t *testing.T) {
	s := newSite(t)
	s.git("init", "-q")
	s.write(".gitattributes", "*.txt filter=evil diff=evil\n", 0o644)
	s.git("add", "a.txt", ".gitattributes")
	s.git("commit", "-qm", "one")
	evil := filepath.Join(s.dir, "pager")
	for _, kv := range []string{"core.fsmonitor", "core.pager", "diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.process",
		"filter.evil.smudge", "core.editor", "pager.log", "pager.status", "gpg.program", "core.sshCommand", "interactive.diffFilter", "credential.helper", "core.alternateRefsCommand"} {
		s.git("config", kv, evil)
	}
	s.git("config", "log.showSignature", "true")
	s.git("config", "alias.status", "!"+evil)
	s.git("config", "alias.x", "!"+evil)
	s.write("a.txt", "one\nTWO\nthree\n", 0o644)
	for _, line := range []string{
		"git status", "git status -sb", "git diff", "git diff HEAD --stat", "git log -p", "git show HEAD", "git blame a.txt", "git grep -n one", "git ls-files -m",
		"git stash list", "git branch -a", "git tag -l", "git remote -v", "git shortlog -sn HEAD", "git cat-file -p HEAD", "git describe --always", "git reflog", "git worktree list",
		"ls", "cat a.txt", "cat link", "grep one a.txt", "echo a | cat | grep a", "which ls", "type ls", "go version",
	} {
		before := s.state()
		j, r := s.run(line)
		if j.Verdict != Allow {
			t.Errorf("%s: %s", line, j.Message)
		}
		if r.Error && !strings.Contains(r.Text, "not installed") {
			t.Errorf("%s failed: %s", line, r.Text)
		}
		s.unharmed(before, line)
	}
	if _, r := s.run("git diff"); !strings.Contains(r.Text, "+TWO") {
		t.Errorf("git diff says %q", r.Text)
	}
}

func TestAProgramThatIsOnlyPlantedIsRefused(t *testing.T) {
	s := newSite(t)
	empty := t.TempDir()
	if err := os.Symlink(filepath.Join(s.dir, "cat"), filepath.Join(empty, "cat")); err != nil {
		t.Fatal(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(sh, filepath.Join(empty, "sh")); err != nil {
		t.Fatal(err)
	}
	s.set = New(Options{Dir: s.dir, Env: []string{"PATH=.:" + s.dir + ":" + empty}, Looking: true})
	if _, r := s.run("cat a.txt"); !r.Error || !strings.Contains(r.Text, "inside the work tree") {
		t.Errorf("got %+v", r)
	}
	s.unharmed(s.state(), "cat a.txt")
}

func TestTheShellWhilePlanningIsOffUnlessConfigured(t *testing.T) {
	c := Call{ID: "1", Name: "bash", Args: Marshal(map[string]string{"command": "ls"})}
	for _, mode := range []plan.Permission{plan.PermissionManual, plan.PermissionYolo, plan.PermissionAuto} {
		for _, looking := range []bool{false, true} {
			set := New(Options{Dir: t.TempDir(), Looking: looking})
			p := Policy{Mode: plan.ModePlanning, Permission: mode}
			want := Deny
			if looking {
				want = Allow
			}
			if j := p.Check(set, []Call{c})[0]; j.Verdict != want {
				t.Errorf("%s, looking %v: %+v", mode, looking, j)
			}
			write := Call{ID: "1", Name: "bash", Args: Marshal(map[string]string{"command": "touch f"})}
			if j := p.Check(set, []Call{write})[0]; j.Verdict != Deny {
				t.Errorf("touch in %s: %+v", mode, j)
			}
			listed := false
			for _, spec := range set.Specs(plan.ModePlanning, false, nil) {
				listed = listed || spec.Name == "bash" && strings.Contains(spec.Description, "only looks")
			}
			if listed != looking {
				t.Errorf("looking %v: the agent is told of it: %v", looking, listed)
			}
		}
	}
	set := New(Options{Dir: t.TempDir(), Looking: true})
	if j := (Policy{Mode: plan.ModeNormal}).Check(set, []Call{c})[0]; j.Verdict != Ask || j.Looks {
		t.Errorf("in normal mode: %+v", j)
	}
}

// Whatever the grammar allows changes nothing when it runs. The lines are put
// together by chance from what the commands take, good and bad.
func TestAllowedLinesChangeNothing(t *testing.T) {
	s := newSite(t)
	words := []string{"cat", "ls", "sort", "uniq", "find", "grep", "sed", "tr", "cut", "head", "tail", "diff", "echo", "printf", "test", "date", "tee", "touch", "rm", "wc", "git", "log",
		"-n", "-o", "-i", "-r", "-c", "-l", "-d", "-e", "1p", "1,2p", "w", "a.txt", "sub", "sub/*", "*.txt", "*", "-delete", "-exec", "-name", "'*'", "-print", ".", "..", "link", "new",
		"|", "&&", "||", ";", ">", "2>&1", ">/dev/null", "2>/dev/null", "<", "'x y'", "$(touch new)", "`touch new`", "--output=new", "--", "-", "~", "!", "(", ")", "\\(", "{}", "a{b,c}", "$HOME", "&"}
	chance := rand.New(rand.NewPCG(9, 4))
	before := s.state()
	ran := 0
	for tries := 0; tries < 30000 && ran < 150; tries++ {
		var line []string
		for range 1 + chance.IntN(6) {
			line = append(line, words[chance.IntN(len(words))])
		}
		joined := strings.Join(line, " ")
		if strings.Contains(joined, "~") || strings.Contains(joined, "..") {
			continue // the trees there are large
		}
		if j, _ := s.run(joined); j.Verdict == Allow {
			ran++
			s.unharmed(before, joined)
		}
	}
	if ran < 100 {
		t.Errorf("only %d lines were allowed", ran)
	}
}

func TestDenyRulesBeatLinesThatOnlyLook(t *testing.T) {
	set := New(Options{Dir: t.TempDir(), Looking: true})
	rules, warnings := rule.Parse([]string{"bash git show secret", "web_read evil.example"}, []string{"web_read docs.example"}, rule.Options{})
	if len(warnings) > 0 {
		t.Fatal(warnings)
	}
	p := Policy{Mode: plan.ModePlanning, Rules: rules}
	for line, want := range map[string]Verdict{
		"git show secret": Deny, "ls && git show secret": Deny, "git show other": Allow, "git show s*t": Ask, "rm f": Deny,
	} {
		j := p.Check(set, []Call{{ID: "1", Name: "bash", Args: Marshal(map[string]string{"command": line})}})[0]
		if j.Verdict != want || j.Looks != (want != Deny) {
			t.Errorf("%s: %+v, want %s", line, j, want)
		}
	}
	for host, want := range map[string]Verdict{"evil.example": Deny, "docs.example": Allow, "other.example": Ask} {
		if j := p.Check(set, []Call{webCall("https://" + host + "/x")})[0]; j.Verdict != want {
			t.Errorf("%s: %+v, want %s", host, j, want)
		}
	}
}
