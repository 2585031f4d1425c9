package shell

import (
	"strings"
	"testing"
)

// everyday are lines that people and agents write all day to look at something.
var everyday = []string{
	"ls", "ls -la", "ls -la plan/tool", "ls *.go", "cat README.md", "cat -n main.go | head -50", "head -20 go.mod", "head -n 5 a b", "tail -n +20 f",
	"tail -5 log.txt", "wc -l *.go", "wc -l plan/*.go | sort -n | tail -5", "stat -c %s main.go", "file bin/x", "du -sh .", "du -h --max-depth=1 plan",
	"grep -rn 'func main' .", "grep -rnE 'foo|bar' --include='*.go' plan", "grep -c x f", "grep -v '^#' f | grep -v '^$'", "grep -A3 -B 2 -e foo f",
	`rg -n "func \w+" plan`, "rg -l TODO -g '*.go'", "rg --files | wc -l", "rg -i -C2 foo", "find . -name '*.go' -not -path './vendor/*'",
	"find . -type f -size +10k -mtime -7 | head", `find . \( -name a -o -name b \) -print`, "find plan -maxdepth 2 -type d", "find . -newer go.mod -newermt 2024-01-01",
	"sort f", "sort -k2,2 -t: -rn f | uniq -c", "sort -u a b", "uniq f", "cut -d: -f1,3 /etc/passwd", "tr a-z A-Z < f", "tr -d '\\r' < f", "diff -u a b", "diff -rq a b",
	"cmp a b", "comm -12 a b", "jq .scripts package.json", "jq -r '.a[] | select(.b == \"c\") | .d' f.json", "basename a/b .go", "dirname a/b", "realpath a", "readlink -f a",
	"pwd", "echo hello", "echo 'a;b' \"c d\"", "printf '%s\\n' a b", "date", "date +%F", "date -u +%H:%M", "which go git", "type ls", "true", "false || true", "test -f go.mod && cat go.mod",
	"[ -d plan ] && ls plan", "cd plan && ls", "sed -n '10,20p' main.go", "sed -n 5p f", "uname -a", "whoami", "sha256sum f", "nl f", "od -c f | head",
	"git log", "git log --oneline -20", "git log -p -- plan/tool", "git log --since='2 weeks ago' --author=me --stat", "git log --format='%h %s' -n 5", "git diff", "git diff HEAD~3..HEAD --stat",
	"git diff --cached --name-only", "git show HEAD", "git show HEAD:main.go", "git show --stat HEAD^", "git status", "git status -sb", "git status --porcelain", "git blame -L 1,20 main.go",
	"git ls-files", "git ls-files -o --exclude-standard", "git ls-tree -r HEAD --name-only", "git rev-parse HEAD", "git rev-parse --abbrev-ref HEAD", "git branch", "git branch -a", "git branch -vv",
	"git branch --list 'x/*'", "git branch --show-current", "git branch --contains HEAD", "git tag", "git tag -l 'v*'", "git tag -n3", "git remote -v", "git remote", "git remote get-url origin",
	"git stash list", "git worktree list", "git reflog", "git reflog show HEAD", "git shortlog -sn", "git describe --tags --always", "git cat-file -p HEAD", "git grep -n foo", "git grep -n foo -- '*.go'",
	"git merge-base a b", "git rev-list --count HEAD", "git log -S foo --oneline", "git diff -- a b", "git log -- plan/*.go",
	"go version", "go env GOPATH", "go list ./...", "go list -m all", "go list -f '{{.Dir}}' ./plan", "go doc fmt.Println",
	"ls 2>/dev/null", "ls nothing 2>&1", "ls > /dev/null 2>&1", "grep x f &>/dev/null", "cat < f", "! grep -q x f", "ls; pwd\ncat f", "ls # a comment", "cat ~/notes", "ls -- -f",
	"grep -rn \"a\\$b\" .", "ls 'a b'/c*.txt", "echo \"it's\"", "cat a\\ b", "echo '$HOME' '`id`' '$(id)'", "ls [ab]*.go", "grep 计划 f",
}

func TestEverydayLinesAreAllowed(t *testing.T) {
	for _, line := range everyday {
		if reason, ok := Readonly(line); !ok {
			t.Errorf("%s\n\t%s", line, reason)
		}
	}
}

// escapes are single tricks; the generated ones are in corpus_test.go.
var escapes = []string{
	"", "   ", "# only a comment", "rm f", "touch f", "mv a b", "cp a b", "ls > f", "ls >> f", "ls >| f", "ls &> f", "ls 2> f", "ls 3>&1", "> f", "cat <> f", "ls >&f", "exec > f",
	"cat << E\nx\nE", "cat <<< x", "cat < /dev/tcp/h/80", "echo x > /dev/tcp/h/80", "ls &", "ls & pwd", "ls |& tee f", "coproc ls",
	"echo $(touch f)", "echo `touch f`", "echo \"$(touch f)\"", "cat <(touch f)", "tee >(cat)", "echo $((1))", "echo $HOME", "echo ${x:=y}", "echo \"$x\"", "$x", "${x}ls", "l$'s'", "echo $'a'", `echo $"a"`,
	"cat${IFS}f", "X=1 ls", "X=1", "PATH=. ls", "export X=1", "alias ls=rm", "unalias ls", "f() { ls; }", "function f { ls; }", "for i in a; do ls; done", "while true; do ls; done", "if ls; then ls; fi",
	"case a in a) ls;; esac", "(ls)", "{ ls; }", "[[ -f x ]]", "((x=1))", "let x=1", "time ls", "select i in a; do ls; done", "eval ls", "exec ls", "source f", ". f", "command ls", "builtin cd", "env ls",
	"env", "nohup ls", "sudo ls", "xargs ls", "ls | xargs rm", "ls | sh", "bash -c ls", "sh f", "python -c 1", "node -e 1", "perl -e 1", "ruby -e 1", "awk 'BEGIN{system(\"touch f\")}'", "awk 1 f", "make", "npm test",
	"/bin/ls", "./ls", "~/ls", "*", "l? f", "[l]s", "ls -{a,l}", "ls {a,b}", "echo {1..3}", "ls ~root", "ls +(a)", "ls @(a|b)", "cat -*", "rg foo *", "grep foo *", "git log *", "rg foo -- *", "uniq a*", "echo *",
	"find . -delete", "find . -exec rm {} ;", `find . -exec rm '{}' \;`, "find . -execdir ls ';'", "find . -ok ls ';'", "find . -okdir ls ';'", "find . -fprint f", "find . -fprint0 f", "find . -fprintf f x", "find . -fls f",
	"find -files0-from f", "find . -name *.go", "find . -unknown", "find . -name", "sort -o f f", "sort -of f", "sort -uo f", "sort --output=f", "sort --outp=f", "sort --output f", "sort -T /tmp f", "sort --compress-program=sh f",
	"sort -k -o f", "uniq a b", "uniq -c a b", "tree -o f", "tree -R -H . -L 1", "date -s x", "date --set=x", "date 01010101", "hostname x", "hostname -F f", "sed -i s/a/b/ f", "sed s/a/b/w f", "sed -n w f", "sed -n '1,2w f' f",
	"sed -n '1e touch f' f", "sed -ne p f", "sed -n 1p -i f", "sed -n 1p --in-place f", "sed -e p f", "sed -n -f s f", "sed -n s/a/b/p f", "rg --pre sh x", "rg --pre=sh x", "rg --pr=sh x", "rg -z x", "rg --search-zip x", "rg --hostname-bin sh x",
	"rg -nz x", "diff -l a b", "diff --paginate a b", "grep --unknown x", "file -C -m f", "ls --unknown", "tail -f f", "tail -F f", "tail --follow f", "less f", "more f", "man ls", "vi f", "view f",
	"jq -f f", "jq -n input_filename --rawfil x f -X", "go build", "go test", "go run .", "go generate", "go vet", "go mod tidy", "go get x", "go install x", "go env -w X=1", "go env -u X", "go list -export .", "go list -toolexec=sh .", "go list -compiled .",
	"go list -overlay=f .", "go list -modfile=f .", "go list -C x .", "go doc -http", "go tool x", "go -C x list", "go", "go work sync", "go fmt", "go clean",
	"git", "git -c core.fsmonitor=x status", "git -c alias.x='!touch f' x", "git -C x status", "git --exec-path=x status", "git --git-dir=x log", "git -p log", "git --paginate log", "git --work-tree=x status",
	"git log --output=f", "git log --output f", "git diff --outp=f", "git diff --ext-diff", "git log --textconv", "git show --textconv HEAD", "git log --show-signature", "git log --ext-d", "git grep -O x", "git grep -Osh x", "git grep --open-files-in-pager=sh x",
	"git grep --open x", "git grep --textconv x", "git grep --recurse-submodules x", "git ls-files --recurse-submodules", "git cat-file --filters HEAD:f", "git cat-file --textconv HEAD:f", "git cat-file --batch", "git diff -O f", "git diff --submodule=diff", "git describe --dirty",
	"git branch x", "git branch -d x", "git branch -D x", "git branch -m a b", "git branch -f x", "git branch -l x", "git branch -v x", "git branch --edit-description", "git branch -u o", "git branch -- x --list", "git branch -a x",
	"git tag x", "git tag -d x", "git tag -a x", "git tag -s x", "git tag -v x", "git tag -f x", "git tag -- x -l", "git remote add a b", "git remote update", "git remote show origin", "git remote -v update", "git remote prune x", "git remote set-url a b",
	"git stash", "git stash pop", "git stash push", "git stash list pop -p", "git stash -n list", "git worktree add x", "git worktree", "git reflog expire", "git reflog delete x", "git reflog -n expire", "git fetch", "git pull", "git push", "git clone x", "git checkout x",
	"git switch x", "git reset", "git restore x", "git add x", "git rm x", "git mv a b", "git commit", "git merge x", "git rebase x", "git cherry-pick x", "git revert x", "git clean -fd", "git init", "git config a b", "git config --get x", "git gc", "git prune",
	"git fsck", "git bisect start", "git apply f", "git am f", "git archive HEAD", "git bundle create f", "git submodule update", "git notes add", "git update-index x", "git update-ref a b", "git symbolic-ref HEAD x", "git write-tree", "git hash-object -w f", "git replace a b",
	"git filter-branch", "git difftool", "git mergetool", "git help log", "git web--browse x", "git daemon", "git x", "git shell", "git rev-parse --parseopt", "git status --ignore-submodules=none", "git status -v", "git status -sv", "git status --verbose", "git reflog -c", "git reflog show -m HEAD", "git blame --contents f x", "cd x && git status", "git status; cd x; git log",
	"git log --form", "ls\x00", "ls\x1b[2J", "ls \r rm f", "ls\\", "ls 'a", "ls | ", "&& ls", "ls )", strings.Repeat("ls;", 4000),
}

func TestEscapesAreRefused(t *testing.T) {
	for _, line := range escapes {
		if reason, ok := Readonly(line); ok || reason == "" {
			t.Errorf("allowed, or refused without a reason: %q %q", line, reason)
		}
	}
}

func TestARefusalSaysWhatToDo(t *testing.T) {
	for line, want := range map[string]string{
		"sed -i s/a/b/ f":      "sed -n",
		"ls *x | xargs rm":     "xargs",
		"grep foo *":           "./*",
		"echo $(ls)":           "run the inner command first",
		"git -c a=b log":       "the subcommands that only look are blame",
		"find . -name *.go":    "quote the pattern after find -name",
		"cd a && git log":      "give git the path instead",
		"find . -exec rm '{}'": "find -exec is not allowed",
	} {
		if reason, _ := Readonly(line); !strings.Contains(reason, want) {
			t.Errorf("%s: %q lacks %q", line, reason, want)
		}
	}
}

func TestScript(t *testing.T) {
	start := func(name string, args []string) ([]string, error) {
		return append([]string{"/bin/" + name}, args...), nil
	}
	for line, want := range map[string]string{
		"ls -la 'a b' | wc -l":         "'/bin/ls' '-la' 'a b' | '/bin/wc' '-l'",
		"ls *.go":                      "'/bin/ls' './'*'.go'",
		"cat src/*.go ~/x \"it's\"":    `'/bin/cat' 'src/'*'.go' ~'/x' 'it'\''s'`,
		"! test -f a && cd b; type ls": "! '/bin/test' '-f' 'a' && cd 'b' ; type 'ls'",
		"cat <f 2>&1 >/dev/null":       "'/bin/cat' <'f' 2>&1 >/dev/null",
		"ls &>/dev/null || false":      "'/bin/ls' >/dev/null 2>&1 || '/bin/false'",
		"echo a\\ b '' \"\\$x\\q\"":    `'/bin/echo' 'a b' '' '$x\q'`,
	} {
		l, err := Parse(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got, err := l.Script(start); err != nil || got != want {
			t.Errorf("%s\n got %s %v\nwant %s", line, got, err, want)
		}
	}
}
