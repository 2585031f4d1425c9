package rule

import (
	"slices"
	"strings"
	"testing"
)

func rules(t *testing.T, deny, allow []string) Rules {
	t.Helper()
	r, problems := Parse(deny, allow, Options{Home: "/user/ann"})
	if len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
	return r
}

func bash(line string) Subject { return Subject{Tool: Bash, Harms: true, Line: line} }

func TestADeniedCommandIsFoundWhereverItStands(t *testing.T) {
	r := rules(t, []string{"bash git push", "bash rm -rf", "bash curl", "bash npm publish --access public"}, nil)
	for _, line := range []string{
		"git push", "git push --force origin main", "  git   push", "git -C /tmp push", "git -c core.pager=less push", "git --no-pager push",
		"/usr/bin/git push", "./git push", `\git push`, `g"i"t 'push'`, "GIT push", "A=1 git push",
		"true && git push", "true; git push", "git status | git push", "git push &", "! git push", "(git push)", "{ git push; }",
		"if true; then git push; fi", "for i in 1; do git push; done", "f() { git push; }; f", "echo $(git push)", "echo `git push`", "cat <(git push)",
		"git push > /dev/null 2>&1", "cat <<EOF\n$(git push)\nEOF", "echo a\ngit push", "case x in x) git push;; esac", "while git push; do :; done",
		"sh -c 'git push'", `bash -c "git push"`, "bash -lc 'cd x && git push'", "/bin/sh -e -c 'git push'", `sh -c "sh -c 'git push'"`, "zsh -ic 'git push'",
		"eval git push", "eval 'git push'", "trap 'git push' EXIT", "env X=1 git push", "env -S 'git push'", "sudo -u ann git push", "nohup git push",
		"timeout 5 git push", "xargs git push", "find . -exec git push \\;", "command git push", "exec git push", "~/git push", "sudo sh -c 'git push'", "watch 'git push'",
		"time git push", "coproc git push", "flock /tmp/l -c 'git push'", "su ann -c 'git push'",
		"rm -rf x", "rm -fr x", "rm -r -f x", "rm x -rf", "rm -vrf x", "curl x", "true | curl -s x", "npm publish --access=public --access public",
		"rm --recursive --force x", "rm -r --force x", "rm --rec --fo x", "rm -Rf x", "rm -fR x", "trap -- 'git push' EXIT", "bash -O extglob -c 'git push'", "bash -o posix -c 'git push'",
		"mapfile -C 'git push' -c 1 x", "rlwrap git push", "unbuffer git push", "git-push", "/usr/lib/git-core/git-push", "bash +O extglob -ec 'git push'",
		"X=$(curl x)", "[[ $(curl x) ]]", "echo ${X:-$(curl x)}", "a=(`curl x`)", "((x=$(curl x)))",
	} {
		if d := r.Denies(bash(line)); d.Rule == "" {
			t.Errorf("%q is not denied (unsure %q)", line, d.Unsure)
		}
	}
}

func TestWhatARuleDoesNotNameIsNotDenied(t *testing.T) {
	r := rules(t, []string{"bash git push", "bash rm -rf"}, nil)
	for _, line := range []string{
		"git status", "git stash push-x", "git commit -m 'git push'", "git log push", "echo git push", "grep -rn 'git push' .", "go test ./...",
		"rm x", "rm -r x", "rm --recursive x", "rm -R x", "rm --force x", "source ./env.sh", ". venv/bin/activate", "git config user.name x", "bash -o pipefail x.sh", "git-lfs push", "ENV=prod make", "[ -f x ] && echo y", "pushd x", "gitk push", "echo $HOME", "ls *.go", "for f in *; do cat \"$f\"; done",
		"bash scripts/build.sh $X", "git diff HEAD~1 -- push",
	} {
		if d := r.Denies(bash(line)); d != (Denied{}) {
			t.Errorf("%q: %+v", line, d)
		}
	}
}

func TestWhatCannotBeSeenIsUnsure(t *testing.T) {
	r := rules(t, []string{"bash git push"}, nil)
	for _, line := range []string{
		"$X push", "git $X", "git p*", "g?t push", "{git,push}", "git {push,x}", "$(echo git) push", "sh -c $X", "sh -c", "curl x | sh", "bash -s < x", "bash <<EOF\nx\nEOF",
		"eval $X", "xargs git", "sudo $X push", "alias g=git", "git push-$X", "git 'pu", "if", "env -Sgit", "echo x | xargs -I{} sh -c {}", "trap $X EXIT",
		"git -c alias.p=push p", "git -c ALIAS.p='!git push' p", "git config alias.p push; git p", "source <(echo x)", ". <(echo x)", "env -vS 'git push'", "env -iS'git push'", "bash --rcfile x -i",
		"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p", "BASH_ENV=x bash -c true", "export BASH_ENV=x; bash y",
	} {
		if d := r.Denies(bash(line)); d.Rule != "" || d.Unsure == "" {
			t.Errorf("%q: %+v", line, d)
		}
	}
	if d := rules(t, []string{"write x"}, nil).Denies(bash("$X 'y")); d != (Denied{}) {
		t.Errorf("without a rule for commands: %+v", d)
	}
}

func TestAnAllowRuleCoversOnePlainCommandOnly(t *testing.T) {
	r := rules(t, nil, []string{"bash go test", "bash ls", "bash make 'a b'"})
	for _, line := range []string{"go test", "go test ./...", "  go test -run X ./a", "ls -la", "go 'test' x", `"go" test`, "make 'a b'", "go test # all", "go test 'a|b' \"c;d\""} {
		if !r.Allows(bash(line)) {
			t.Errorf("%q is not allowed", line)
		}
	}
	for _, line := range []string{
		"", "go", "go testx", "gotest", "go vet", "/usr/bin/go test", "./go test", "go -C x test", "go  build && go test", "go test && rm x", "go test; rm x", "go test | sh",
		"go test & rm x", "go test > x", "go test < x", "go test 2>&1", "X=1 go test", "env go test", "go test $(rm x)", "go test `rm x`", "go test $X", "go test <(x)",
		"go test *.go", "go test {a,b}", "go test ~/x", "(go test)", "{ go test; }", "! go test", "go test &", "go test;", "time go test", "go test\nrm x", "if go test; then x; fi",
		"go test 'x", "go test <<EOF\nx\nEOF", "go test <<< x", "function go { x; }", "exec go test", "make a b", "GO test", `go\ test`, "coproc go test", "go test $'a\\nb'", "go test \"$X\"",
	} {
		if r.Allows(bash(line)) {
			t.Errorf("%q is allowed", line)
		}
	}
}

func file(tool string, paths ...string) Subject {
	return Subject{Tool: tool, Harms: true, Paths: paths}
}

func TestPathRules(t *testing.T) {
	for _, c := range []struct {
		rule  string
		deny  bool
		yes   []Subject
		never []Subject
	}{
		{"files docs/**", false, []Subject{file("edit", "docs/a.md"), file("write", "docs/x/y.md")},
			[]Subject{file("write", "doc/a"), file("write", "/docs/a"), file("write", "docs/a", "/etc/x"), file("read", "docs/a"), file("write"), file("write", "x/docs/a")}},
		{"write ./main.go", false, []Subject{file("write", "main.go")}, []Subject{file("edit", "main.go"), file("write", "x/main.go"), file("write", "MAIN.go")}},
		{"files .env", true, []Subject{file("write", ".env"), file("edit", "x/.env"), file("write", "link", "a/.ENV")}, []Subject{file("write", ".envrc"), file("read", ".env")}},
		{"read secrets/", true, []Subject{file("read", "secrets/a/b"), file("read", "x/secrets/a")}, []Subject{file("read", "secret/a"), file("write", "secrets/a")}},
		{"read ~/.ssh", true, []Subject{file("read", "/user/ann/.ssh/id")}, []Subject{file("read", "/user/bob/.ssh/id")}},
		{"files /etc/**", true, []Subject{file("write", "/etc/passwd")}, []Subject{file("write", "etc/passwd")}},
		{"edit", true, []Subject{file("edit", "a")}, []Subject{file("write", "a")}},
		{"write *.go", true, []Subject{file("write", "x/y.go"), file("write")}, []Subject{file("write", "x.goo")}},
		{"docs__search", false, []Subject{{Tool: "docs__search"}}, []Subject{{Tool: "docs__searchx"}, {Tool: "docs"}}},
		{"web_read *.example.com", true, []Subject{{Tool: "web_read", On: "a.example.com"}, {Tool: "web_read"}}, []Subject{{Tool: "web_read", On: "example.org"}}},
		{"web_read example.com", false, []Subject{{Tool: "web_read", On: "example.com"}}, []Subject{{Tool: "web_read", On: "a.example.com"}, {Tool: "web_read"}}},
	} {
		covers := func(s Subject) bool {
			if c.deny {
				return rules(t, []string{c.rule}, nil).Denies(s).Rule == c.rule
			}
			return rules(t, nil, []string{c.rule}).Allows(s)
		}
		for _, s := range c.yes {
			if !covers(s) {
				t.Errorf("%q does not cover %+v", c.rule, s)
			}
		}
		for _, s := range c.never {
			if covers(s) {
				t.Errorf("%q covers %+v", c.rule, s)
			}
		}
	}
}

func TestARuleThatCannotBeReadDeniesMoreAndAllowsNothing(t *testing.T) {
	any := []Subject{bash("true"), file("edit", "a"), {Tool: "docs__x", Harms: true}}
	for _, c := range []struct {
		rule   string
		denies string // one letter a subject of any
	}{
		{"bash rm *", "D--"}, {"bash rm | x", "D--"}, {"bash 'rm", "D--"}, {"bash $X", "D--"}, {"files [a", "-D-"}, {"edit ~x [", "-D-"}, {"", "DDD"}, {"  ", "DDD"}, {"42", "DDD"},
		{`{"tool":"bash"}`, "DDD"}, {"*", "DDD"}, {"rm(x)", "DDD"},
	} {
		r, problems := Parse([]string{c.rule}, nil, Options{})
		if len(problems) != 1 {
			t.Errorf("%q: problems %q", c.rule, problems)
		}
		for i, s := range any {
			if got := r.Denies(s).Rule != ""; len(r.deny) != 1 || got != (c.denies[i] == 'D') && r.deny[0].Text == c.rule && c.rule != "" {
				t.Errorf("%q on %+v: %v", c.rule, s, got)
			}
		}
		if r.Denies(Subject{Tool: "read", Paths: []string{"a"}}).Rule != "" && !strings.HasPrefix(c.rule, "read") {
			t.Errorf("%q denies reading", c.rule)
		}
	}
	for _, rule := range []string{"bash", "files", "edit", "write /etc/**", "files ../x", "files a/../../x", "bash rm *", "42", "", "files [a", "files ~/x"} {
		r, problems := Parse(nil, []string{rule}, Options{Home: "/user/ann"})
		if len(problems) != 1 || len(r.allow) != 0 {
			t.Errorf("%q: %q, %+v", rule, problems, r.allow)
		}
	}
}

func TestRulesAreAddedAndNamed(t *testing.T) {
	r := rules(t, []string{"bash rm", "docs__x"}, []string{"files a"})
	more := r.With("bash go test").With("bash").With("(nonsense")
	if r.Allows(bash("go test")) || !more.Allows(bash("go test")) || len(more.allow) != 2 {
		t.Errorf("%+v and %+v", r.allow, more.allow)
	}
	if got := more.Tools(); !slices.Equal(got, []string{"bash", "docs__x"}) {
		t.Errorf("the tools are %q", got)
	}
}

func TestSuggestions(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...": "bash go test", "git log --oneline": "bash git log", "make": "bash make", "make test": "bash make test",
		"ls -la": "bash ls -la", "pytest 'a b'": "bash pytest 'a b'", "npm run test -- x": "bash npm run test -- x", "go run ./x": "bash go run ./x",
		"./build.sh x": "bash ./build.sh x", "git -C x log": "", "git -c a=b log": "", "sudo rm x": "", "sh -c x": "", "python -c x": "", "env go test": "", "go test | x": "",
		"go test > x": "", "X=1 go test": "", "$X": "", "rm *": "", "xargs rm": "", "eval x": "", "": "", "git": "bash git",
	} {
		got := SuggestCommand(line)
		if got.Rule != want {
			t.Errorf("%q: %q, want %q", line, got.Rule, want)
		}
		if want != "" && (!rules(t, nil, []string{got.Rule}).Allows(bash(line)) || !strings.HasSuffix(got.Meaning, strings.TrimPrefix(want, "bash "))) {
			t.Errorf("%q: the rule %+v does not allow it", line, got)
		}
	}
	for rel, want := range map[string]string{
		"main.go": "files main.go", "docs/a/b.md": "files docs/a/**", "a[1]/x": `files a\[1\]/**`, "../x": "", "/etc/x": "", ".": "", "a\nb/x": "",
	} {
		got := SuggestFile(rel)
		if got.Rule != want {
			t.Errorf("%q: %q, want %q", rel, got.Rule, want)
		}
		if want != "" && !rules(t, nil, []string{got.Rule}).Allows(file("write", rel)) {
			t.Errorf("%q: the rule %+v does not allow it", rel, got)
		}
	}
}

// What is allowed is one command that begins with the words, as another reading of
// the line says, and what is allowed is never denied by the same words.
func FuzzRules(f *testing.F) {
	for _, line := range []string{"go test ./...", "go test && rm x", "go test $(x)", "g'o' test", "sh -c 'go test'", "go -C x test", "eval 'go test", "go test\\\n x", "go {test,vet}", "env -S 'go test'"} {
		f.Add(line)
	}
	allow, _ := Parse(nil, []string{"bash go test"}, Options{})
	deny, _ := Parse([]string{"bash go test"}, nil, Options{})
	f.Fuzz(func(t *testing.T, line string) {
		allowed, denied := allow.Allows(bash(line)), deny.Denies(bash(line))
		if allowed && denied.Rule == "" {
			t.Errorf("%q is allowed and not denied by the same rule", line)
		}
		if allowed && strings.ContainsAny(line, "$`<>|&") && !strings.ContainsAny(line, `'"\#`) {
			t.Errorf("%q is allowed", line)
		}
		if s := SuggestCommand(line); s.Rule != "" {
			r, problems := Parse(nil, []string{s.Rule}, Options{})
			if len(problems) > 0 || !r.Allows(bash(line)) {
				t.Errorf("%q: the suggested %q does not allow it: %q", line, s.Rule, problems)
			}
		}
	})
}
