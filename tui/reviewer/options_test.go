package reviewer

import (
	"strings"
	"testing"
)

func TestParseOptions(t *testing.T) {
	base := Options{CompactContext: defaultContext}
	with := func(change func(*Options)) Options {
		o := base
		change(&o)
		return o
	}
	cases := []struct {
		name string
		args string
		env  []string
		want Options
		err  string
	}{
		{name: "a value may follow an equals sign", args: "--only=/a/b.md --output=n.md",
			want: with(func(o *Options) { o.Only, o.Output = "/a/b.md", "n.md" })},
		{name: "a value may be the next argument", args: "--only p.md -o n.md",
			want: with(func(o *Options) { o.Only, o.Output = "p.md", "n.md" })},
		{name: "short forms take an equals sign too", args: "-F=p.md",
			want: with(func(o *Options) { o.Only = "p.md" })},
		{name: "a comparison takes all its options",
			args: "--compare-old=a --compare-new=b --word-diff --wrap --wrap-indent=2 --collapsed --compact --compact-context=3 --line-numbers --no-mouse --no-colors --history-dir=h --description-file=d --annotations=n",
			want: with(func(o *Options) {
				o.Old, o.New, o.WrapIndent, o.Collapsed, o.Compact, o.CompactContext = "a", "b", 2, true, true, 3
				o.LineNumbers, o.NoMouse, o.NoColors, o.HistoryDir, o.DescriptionFile, o.Annotations = true, true, true, "h", "d", "n"
			})},
		{name: "options of revdiff that mean nothing here are taken", args: "--only=a --keys=k --config=/dev/null --no-confirm-reload",
			want: with(func(o *Options) { o.Only = "a" })},
		{name: "the exit code can be asked for by flag", args: "--only=a --exit-code-on-annotations",
			want: with(func(o *Options) { o.Only, o.ExitCode = "a", true })},
		{name: "or by environment", args: "--only=a", env: []string{exitCodeVariable + "=true"},
			want: with(func(o *Options) { o.Only, o.ExitCode = "a", true })},
		{name: "a later variable of one name counts", args: "--only=a", env: []string{exitCodeVariable + "=true", exitCodeVariable + "=false"},
			want: with(func(o *Options) { o.Only = "a" })},
		{name: "NO_COLOR is heard", args: "--only=a", env: []string{"NO_COLOR=1"},
			want: with(func(o *Options) { o.Only, o.NoColors = "a", true })},
		{name: "help needs no file", args: "--help", want: with(func(o *Options) { o.Help = true })},
		{name: "nothing to show is an error", args: "", err: "nothing to review"},
		{name: "an unknown flag is an error", args: "--only=a --no-tree", err: "unknown flag `no-tree'"},
		{name: "an unknown short flag is an error", args: "-x", err: "unknown flag `x'"},
		{name: "a long name with one dash is an error", args: "-only=a", err: "unknown flag `only'"},
		{name: "a switch takes no value", args: "--only=a --wrap=false", err: "takes no value"},
		{name: "a value must be there", args: "--only", err: "needs a value"},
		{name: "a count must be one", args: "--only=a --wrap-indent=-1", err: "not a count"},
		{name: "files are not given by position", args: "plan.md", err: "unexpected argument"},
		{name: "one file and a comparison exclude each other", args: "--only=a --compare-new=b", err: "cannot be used with"},
		{name: "a comparison needs both files", args: "--compare-new=b", err: "go together"},
		{name: "there is one description", args: "--only=a --description=x --description-file=y", err: "cannot be used with"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseOptions(strings.Fields(c.args), c.env)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want one with %q", err, c.err)
				}
				return
			}
			if err != nil || got != c.want {
				t.Fatalf("got %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

func TestUsageNamesEveryFlag(t *testing.T) {
	text := usage()
	for name := range flags {
		if !strings.Contains(text, "--"+name) {
			t.Errorf("--%s is missing from the help", name)
		}
	}
}
