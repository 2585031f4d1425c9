package shell

import (
	"fmt"
	"strings"
	"testing"
)

// techniques turn a harmless line into one that changes or runs something else.
var techniques = []struct {
	name string
	make func(line string) []string
}{
	{"substitution", func(l string) []string {
		return []string{l + " $(touch canary)", l + " `touch canary`", l + ` "$(touch canary)"`, "$(" + l + ")", l + " ${x:-$(touch canary)}", l + " $((a[$(touch canary)]))"}
	}},
	{"redirection", func(l string) []string {
		var out []string
		for _, op := range []string{">", ">>", ">|", "&>", "&>>", "2>", "1>", "<>", ">&", "3>", "2>>"} {
			out = append(out, l+" "+op+" canary", op+" canary "+l)
		}
		return append(out, l+" < <(touch canary)", l+" >/dev/null >canary", l+" 2>&1 >canary")
	}},
	{"another command", func(l string) []string {
		var out []string
		for _, op := range []string{";", "&&", "||", "|", "&", "\n", "|&", ";;"} {
			for _, c := range []string{"touch canary", "rm -rf x", "sh", "bash -s", "tee canary", "xargs touch", "dd of=canary", "./evil", "evil", "make", "npm run x", "python3 -c x"} {
				out = append(out, l+" "+op+" "+c)
			}
		}
		return out
	}},
	{"environment", func(l string) []string {
		var out []string
		for _, v := range []string{"PATH=.", "GIT_PAGER=evil", "PAGER=evil", "EDITOR=evil", "GIT_EXTERNAL_DIFF=evil", "GIT_CONFIG_COUNT=1", "LESSOPEN=evil", "RIPGREP_CONFIG_PATH=x",
			"GREP_OPTIONS=x", "BASH_ENV=x", "ENV=x", "LD_PRELOAD=x", "IFS=x", "GOFLAGS=-toolexec=x"} {
			out = append(out, v+" "+l, "export "+v+"; "+l, "env "+v+" "+l, v+"; "+l)
		}
		return out
	}},
	{"here-document", func(l string) []string {
		return []string{l + " << E\nx\nE", l + " <<- E\n\tx\n\tE", l + " <<< x", l + " <<'E'\n$(x)\nE"}
	}},
	{"process substitution", func(l string) []string { return []string{l + " <(touch canary)", l + " >(touch canary)"} }},
	{"words that change", func(l string) []string {
		return []string{l + " $x", l + " ${x}", l + "${IFS}x", l + " $'\\x2d\\x6f'", l + " {-o,canary}", l + " -{o,x}", l + " $@", l + ` "$1"`, l + " ~evil", l + " @(a|b)", l + " -*"}
	}},
	{"wrapping", func(l string) []string {
		var out []string
		for _, w := range []string{"(%s)", "{ %s; }", "if true; then %s; fi", "while true; do %s; done", "for i in x; do %s; done", "f() { %s; }; f", "eval '%s'", "exec %s", "command %s", "builtin %s",
			"time %s", "nohup %s", "sudo %s", "env %s", "coproc %s", "%s &", "sh -c '%s'", "trap '%s' EXIT", "alias ls='%s'", "nice %s", "timeout 9 %s", "stdbuf -o0 %s", "watch %s", "script -c '%s'", "setsid %s"} {
			out = append(out, fmt.Sprintf(w, l))
		}
		return out
	}},
}

// flags of single programs that write or run something, behind any of its lines.
var badFlags = map[string][]string{
	"git":      {"--output=canary", "--output canary", "--ext-diff", "--textconv", "--show-signature", "--exec-path=x", "--open-files-in-pager=x", "--upload-pack=x", "--no-such-flag", "--recurse-submodules"},
	"find":     {"-delete", "-exec touch canary ';'", "-execdir x ';'", "-ok x ';'", "-okdir x ';'", "-fprint canary", "-fprint0 canary", "-fprintf canary x", "-fls canary"},
	"sort":     {"-o canary", "-ocanary", "--output=canary", "-T .", "--compress-program=x", "-uo canary"},
	"rg":       {"--pre x", "--pre=x", "-z", "--search-zip", "--hostname-bin=x"},
	"uniq":     {"canary"},
	"diff":     {"-l", "--paginate", "--no-such-flag"},
	"sed":      {"-i", "-e 'w canary'", "-f x", "--in-place", "-s", "-n -i.bak"},
	"tree":     {"-o canary", "-R"},
	"date":     {"-s x", "--set=x", "01010101"},
	"hostname": {"x", "-F x"},
	"tail":     {"-f", "-F", "--follow", "--pid=1"},
	"go":       {"-toolexec=x", "-export", "-compiled", "-overlay=x", "-modfile=x", "-C x", "-w x=y"},
	"file":     {"-C", "-m x", "--compile"},
	"grep":     {"--no-such-flag"},
	"ls":       {"--no-such-flag"},
}

func TestTheGeneratedEscapesAreRefused(t *testing.T) {
	tried := 0
	refused := func(line string) {
		tried++
		if reason, ok := Readonly(line); ok || reason == "" {
			t.Errorf("allowed: %q", line)
		}
	}
	for _, line := range everyday {
		if strings.Contains(line, "#") || strings.Contains(line, "'") && strings.ContainsAny(line, "$`") {
			continue // a comment hides what is appended, and quotes within quotes close them
		}
		for _, technique := range techniques {
			for _, made := range technique.make(line) {
				refused(made)
			}
		}
	}
	for name, flags := range badFlags {
		for _, line := range everyday {
			if line != name && !strings.HasPrefix(line, name+" ") || strings.ContainsAny(line, "|<&;#") || strings.Contains(line, " -- ") {
				continue
			}
			if line == "date" || !strings.HasPrefix(line, "date") {
				for _, f := range flags {
					refused(line + " " + f)
				}
			}
		}
	}
	if tried < 10000 {
		t.Errorf("only %d escapes were tried", tried)
	}
}

// A line that is allowed stays allowed, and the same, when it is written anew.
func FuzzReadonly(f *testing.F) {
	for _, line := range everyday {
		f.Add(line)
	}
	for _, line := range escapes {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l, err := Parse(line)
		if err != nil {
			return
		}
		plain := func(name string, args []string) ([]string, error) { return append([]string{name}, args...), nil }
		script, err := l.Script(plain)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(script)
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", line, script, err)
		}
		if second, _ := again.Script(plain); second != script {
			t.Fatalf("%q is written as %q and then as %q", line, script, second)
		}
	})
}
