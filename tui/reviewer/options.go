package reviewer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"planmode/plan/process"
	"planmode/plan/text"
)

// Options says what to show and where the notes go.
type Options struct {
	Only       string // the file to show
	Old, New   string // or the two files to compare
	Output     string // where the notes go; standard output if empty
	HistoryDir string // where drafts are kept; a default place if empty

	Annotations     string // notes to start with
	Labels          string // quick labels, separated by commas; empty: the usual ones
	Brief           string // file in which planmode says more about the review
	Description     string
	DescriptionFile string

	WrapIndent       int
	Compact          bool
	CompactContext   int
	Collapsed        bool
	LineNumbers      bool
	NoWordDiff       bool
	Mouse            bool
	NoMouse          bool
	NoColors         bool
	ASCII            bool
	Theme            string // light or dark; else the terminal is asked
	NoStatusBar      bool
	ExitCode         bool // end with 10 when there are notes
	NoConfirmDiscard bool

	Help, Version bool
}

// exitCodeVariable turns ExitCode on from the environment, so that a caller can
// ask for it without knowing whether this version has the flag.
const exitCodeVariable = "REVDIFF_EXIT_CODE_ON_ANNOTATIONS"

// defaultContext is how many unchanged lines a compact comparison keeps.
const defaultContext = 5

var errUsage = errors.New("nothing to review: give --only=FILE, or --compare-old=FILE and --compare-new=FILE")

// option is one flag of the command line. Exactly one of the three setters is
// set; a flag with on takes no value.
type option struct {
	short string
	on    func(*Options)
	text  func(*Options, string)
	count func(*Options, int)
	help  string
}

// ignored flags are accepted because callers of revdiff pass them, and mean
// nothing here.
func ignoredFlag(*Options)          {}
func ignoredValue(*Options, string) {}

var flags = map[string]option{
	"only":                     {short: "F", text: func(o *Options, v string) { o.Only = v }, help: "show one Markdown file"},
	"compare-old":              {text: func(o *Options, v string) { o.Old = v }, help: "compare: the older file"},
	"compare-new":              {text: func(o *Options, v string) { o.New = v }, help: "compare: the newer file"},
	"output":                   {short: "o", text: func(o *Options, v string) { o.Output = v }, help: "write the notes here; not created when there are none"},
	"annotations":              {text: func(o *Options, v string) { o.Annotations = v }, help: "start with the notes in this file"},
	"labels":                   {text: func(o *Options, v string) { o.Labels = v }, help: "quick labels, separated by commas"},
	"brief":                    {text: func(o *Options, v string) { o.Brief = v }, help: "file in which planmode says more about the review"},
	"description":              {text: func(o *Options, v string) { o.Description = v }, help: "text shown on the key i"},
	"description-file":         {text: func(o *Options, v string) { o.DescriptionFile = v }, help: "file with the text shown on the key i"},
	"history-dir":              {text: func(o *Options, v string) { o.HistoryDir = v }, help: "where drafts are kept"},
	"wrap":                     {on: ignoredFlag, help: "wrap long lines (always on; w turns it off)"},
	"wrap-indent":              {count: func(o *Options, n int) { o.WrapIndent = n }, help: "hanging indent of wrapped lines"},
	"word-diff":                {on: func(o *Options) { o.NoWordDiff = false }, help: "mark changed words (always on; W turns it off)"},
	"collapsed":                {on: func(o *Options) { o.Collapsed = true }, help: "start with the new text only"},
	"compact":                  {on: func(o *Options) { o.Compact = true }, help: "start with the changes only"},
	"compact-context":          {count: func(o *Options, n int) { o.CompactContext = n }, help: "unchanged lines around a change"},
	"line-numbers":             {on: func(o *Options) { o.LineNumbers = true }, help: "show line numbers"},
	"exit-code-on-annotations": {on: func(o *Options) { o.ExitCode = true }, help: "end with 10 when there are notes"},
	"no-confirm-discard":       {on: func(o *Options) { o.NoConfirmDiscard = true }, help: "Q does not ask"},
	"no-confirm-reload":        {on: ignoredFlag, help: "accepted for compatibility"},
	"mouse":                    {on: func(o *Options) { o.Mouse = true }, help: "let the mouse scroll, move and select"},
	"no-mouse":                 {on: func(o *Options) { o.NoMouse = true }, help: "leave the mouse to the terminal (the default)"},
	"no-colors":                {on: func(o *Options) { o.NoColors = true }, help: "no colours"},
	"ascii":                    {on: func(o *Options) { o.ASCII = true }, help: "draw with ASCII characters only"},
	"theme":                    {text: func(o *Options, v string) { o.Theme = v }, help: "light or dark; any other value asks the terminal"},
	"no-status-bar":            {on: func(o *Options) { o.NoStatusBar = true }, help: "hide the key hints"},
	"keys":                     {text: ignoredValue, help: "accepted for compatibility"},
	"config":                   {text: ignoredValue, help: "accepted for compatibility"},
	"version":                  {on: func(o *Options) { o.Version = true }, help: "print the version"},
	"help":                     {short: "h", on: func(o *Options) { o.Help = true }, help: "print this text"},
}

// ParseOptions reads a command line without the program name, and the
// environment.
func ParseOptions(args, env []string) (Options, error) {
	o := Options{CompactContext: defaultContext}
	if on, err := strconv.ParseBool(process.Lookup(env, exitCodeVariable)); err == nil {
		o.ExitCode = on
	}
	o.NoColors = process.Lookup(env, "NO_COLOR") != ""
	for len(args) > 0 {
		rest, err := o.next(args)
		if err != nil {
			return Options{}, err
		}
		args = rest
	}
	if o.Help || o.Version {
		return o, nil
	}
	return o, o.check()
}

// next consumes one option with its value.
func (o *Options) next(args []string) ([]string, error) {
	arg, rest := args[0], args[1:]
	if len(arg) < 2 || arg[0] != '-' {
		return nil, fmt.Errorf("unexpected argument %q", arg)
	}
	name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	f, ok := flags[name]
	if !strings.HasPrefix(arg, "--") {
		name, f, ok = shortFlag(name)
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("unknown flag `%s'", name)
	case f.on != nil && given:
		return nil, fmt.Errorf("flag `%s' takes no value", name)
	case f.on != nil:
		f.on(o)
		return rest, nil
	}
	if !given {
		if len(rest) == 0 {
			return nil, fmt.Errorf("flag `%s' needs a value", name)
		}
		value, rest = rest[0], rest[1:]
	}
	if f.text != nil {
		f.text(o, value)
		return rest, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("flag `%s': %q is not a count", name, value)
	}
	f.count(o, n)
	return rest, nil
}

func shortFlag(short string) (string, option, bool) {
	for name, f := range flags {
		if f.short != "" && f.short == short {
			return name, f, true
		}
	}
	return short, option{}, false
}

func (o *Options) check() error {
	compare := o.Old != "" || o.New != ""
	switch {
	case o.Only != "" && compare:
		return errors.New("--only cannot be used with --compare-old and --compare-new")
	case o.Only == "" && !compare:
		return errUsage
	case compare && (o.Old == "" || o.New == ""):
		return errors.New("--compare-old and --compare-new go together")
	case o.Description != "" && o.DescriptionFile != "":
		return errors.New("--description cannot be used with --description-file")
	}
	return nil
}

// DefaultLabels are the quick labels of a command line that names none; the
// command sets them.
var DefaultLabels = []string{"question", "blocker", "nit", "unclear", "out of scope"}

// quickLabels reads the value of --labels.
func quickLabels(list string) []string {
	if list == "" {
		return DefaultLabels
	}
	var out []string
	for label := range strings.SplitSeq(list, ",") {
		if label = text.Line(strings.NewReplacer("[", "", "]", "").Replace(label)); label != "" && len(out) < maxLabels {
			out = append(out, text.Truncate(label, maxLabelWidth))
		}
	}
	return out
}

const maxLabelWidth = 30
