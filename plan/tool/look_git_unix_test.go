//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/plan"
)

// merged is a site with what patches are made of: a merge with a conflict that was
// resolved, a stash, something staged, a submodule that moved, and, in the
// configuration of both repositories, programs for everything git starts any for.
func merged(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	evil := filepath.Join(s.dir, "pager")
	s.git("init", "-q", "-b", "main")
	s.write(".gitattributes", "*.txt filter=evil diff=evil\n", 0o644)
	s.git("add", "a.txt", ".gitattributes", "sub/b.go")
	s.git("commit", "-qm", "one")
	s.git("checkout", "-qb", "side")
	s.write("a.txt", "one\nside\nthree\n", 0o644)
	s.git("commit", "-qam", "side")
	s.git("checkout", "-q", "main")
	s.write("a.txt", "ONE\ntwo\nthree\nfour\n", 0o644)
	s.git("commit", "-qam", "two")
	s.git("merge", "-q", "-s", "ours", "-m", "merge", "side")
	s.write("a.txt", "ONE\nboth\nthree\nfour\n", 0o644)
	s.git("commit", "-qa", "--amend", "-m", "merge")
	s.git("tag", "-a", "-m", "v1", "v1")
	s.write("a.txt", "stashed\n", 0o644)
	s.git("stash", "-q")

	mod := filepath.Join(s.dir, "mod")
	s.git("init", "-q", mod)
	s.write("mod/a.txt", "one\n", 0o644)
	s.write("mod/.gitattributes", "* filter=inner diff=inner\n", 0o644)
	s.git("-C", mod, "commit", "-q", "--allow-empty", "-m", "one")
	s.git("add", "mod")
	s.git("commit", "-qm", "submodule")
	s.git("-C", mod, "add", ".")
	s.git("-C", mod, "commit", "-qm", "two")
	s.git("add", "mod")
	s.git("commit", "-qm", "submodule moved")
	s.write("a.txt", "staged\n", 0o644)
	s.git("add", "a.txt")
	s.write("a.txt", "one\nTWO\nthree\n", 0o644)

	for _, key := range []string{"diff.external", "diff.inner.textconv", "diff.inner.command", "filter.inner.clean", "core.fsmonitor"} {
		s.git("-C", mod, "config", key, evil)
	}
	for _, key := range strings.Fields(`core.pager core.editor diff.external diff.evil.textconv diff.evil.command filter.evil.clean filter.evil.process
		filter.evil.smudge gpg.program gpg.ssh.program core.sshCommand interactive.diffFilter credential.helper core.alternateRefsCommand
		uploadpack.packObjectsHook remote.origin.uploadpack core.fsmonitor`) {
		s.git("config", key, evil)
	}
	for _, pair := range []string{"log.showSignature true", "log.diffMerges on", "diff.submodule diff", "diff.evil.cachetextconv true", "status.submoduleSummary true",
		"submodule.recurse true", "remote.origin.url .", "remote.origin.promisor true", "core.repositoryformatversion 1", "extensions.partialClone origin"} {
		key, value, _ := strings.Cut(pair, " ")
		s.git("config", key, value)
	}
	long := time.Unix(1, 0) // whoever refreshes the index writes it
	if err := os.Chtimes(filepath.Join(s.dir, "sub/b.go"), long, long); err != nil {
		t.Fatal(err)
	}
	return s
}

// Whatever flags a subcommand is given: those that make a patch of what would have
// none are where git starts programs that nobody expects.
func TestGitThatIsAllowedRunsNothingOfTheRepository(t *testing.T) {
	s := merged(t)
	subcommands := strings.Split("log,show,show v1,whatchanged,diff,diff HEAD,diff --cached,diff-tree HEAD^ HEAD,status,blame a.txt,grep one,ls-files,reflog,reflog show HEAD,"+
		"stash list,stash show,shortlog HEAD,describe,rev-list HEAD,for-each-ref,branch --list,tag -l,worktree list,cat-file -p 1111111111111111111111111111111111111111", ",")
	flags := strings.Split("|-p|-c|-m|--cc|-u|-v|-vv|--verbose|--stat|--binary|--patch-with-stat|-S one|-G one|-L 1,2:a.txt|-c -p|-m -p|-g -p|-g -c|--dirty|--broken|--textconv|--ext-diff|"+
		"--submodule=diff|--submodule|--ignore-submodules=none|--remerge-diff|--diff-merges=on|--format=%G?|--format=%(signature)|-m --modified|--recurse-submodules|--filters", "|")
	before := s.state()
	ran := 0
	for _, sub := range subcommands {
		for _, f := range flags {
			name, rest, _ := strings.Cut(sub, " ")
			line := strings.Join(strings.Fields("git "+name+" "+f+" "+rest), " ")
			if j, _ := s.run(line); j.Verdict == Allow {
				ran++
				s.unharmed(before, line)
			}
		}
	}
	if ran < 140 {
		t.Errorf("only %d lines were allowed", ran)
	}
}

// A patch that the person's own converter would change is still shown.
func TestGitShowsPatchesWithoutConverters(t *testing.T) {
	s := merged(t)
	for line, want := range map[string]string{
		"git whatchanged -p -m -- a.txt": "+both", "git diff --cached": "+staged", "git show HEAD": "Subproject commit", "git log -p -1 HEAD~1": "Subproject commit",
	} {
		if j, r := s.run(line); j.Verdict != Allow || r.Error || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s %q lacks %q", line, j.Message, r.Text, want)
		}
	}
	c := Call{ID: "1", Name: "bash", Args: Marshal(map[string]string{"command": "git status -v"})}
	if j := (Policy{Mode: plan.ModePlanning}).Check(s.set, []Call{c})[0]; !strings.Contains(j.Message, "git status -v is not allowed; use git diff --cached") {
		t.Errorf("the refusal says %q", j.Message)
	}
}
