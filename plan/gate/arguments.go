package gate

import (
	"fmt"
	"slices"
	"strings"
)

// Command is what a gate reviews.
type Command string

// The commands. Last is another name for AnnotateLast.
const (
	Annotate     Command = "annotate"
	AnnotateLast Command = "annotate-last"
	last         Command = "last"
)

// Request is the arguments of a gate.
type Request struct {
	Command Command
	Format  Format
	Strict  Strict
	Words   []string // what is left: the target, or prose around it
	Help    bool

	Markdown    bool   // convert HTML; here it always is
	Raw         bool   // show HTML as it is written
	Private     bool   // read addresses of the own network
	Surface     string // where to draw; empty: as configured
	Session     string // annotate-last: this session
	Pick        bool   // annotate-last: choose the message
	Stdin       bool   // annotate-last: the message comes on standard input
	PassOver    bool   // annotate-last: leave out the turn that runs
	Ignored     []string
	ContentOnly []string // flags about content, for the hint how to run it again
}

// UsageError is a mistake in the arguments.
type UsageError struct {
	Text string
	Code int
}

// Error implements error.
func (e *UsageError) Error() string { return e.Text }

func mistake(code int, format string, args ...any) error {
	return &UsageError{Text: fmt.Sprintf(format, args...), Code: code}
}

// Messages of the strict options that callers match.
const (
	onlyAnnotate = "--require-approval and --result-file are only valid with annotate"
	needGateJSON = "--require-approval and --result-file require --gate --json"
	notWithHook  = "--require-approval and --result-file cannot be used with --hook"
)

// Parse reads the arguments after the program's name. ok is false when they are not
// for a gate at all; the error is a *UsageError. Strict options are looked for
// first, in any place, before help and before anything else is judged: a caller that
// relies on them must never get an answer that ignores one.
func Parse(argv []string) (r Request, ok bool, err error) {
	rest, strict, err := scanStrict(argv)
	if err != nil {
		return Request{}, true, err
	}
	if strict.On() {
		if err := checkStrict(rest); err != nil {
			return Request{}, true, err
		}
	}
	r = Request{Strict: strict}
	rest = r.takeFlags(rest)
	if len(rest) == 0 || !isCommand(rest[0]) {
		return Request{}, false, nil
	}
	if r.Command = Command(rest[0]); r.Command == last {
		r.Command = AnnotateLast
	}
	rest = rest[1:]
	if i := slices.IndexFunc(rest, func(w string) bool { return w == "--help" || w == "-h" }); i >= 0 {
		r.Help = true
		return r, true, nil
	}
	if r.Command == AnnotateLast {
		if rest, err = r.takeSession(rest); err != nil {
			return Request{}, true, err
		}
	}
	r.Words = rest
	return r, true, r.checkWords()
}

func isCommand(word string) bool {
	return slices.Contains([]Command{Annotate, AnnotateLast, last}, Command(word))
}

// scanStrict takes the strict options out of argv; the first mistake from the left
// is the one reported.
func scanStrict(argv []string) (rest []string, s Strict, err error) {
	seenFile := false
	for i := 0; i < len(argv); i++ {
		switch word := argv[i]; {
		case word == "--require-approval":
			if s.RequireApproval {
				return nil, s, mistake(ExitBroken, "--require-approval may only be specified once")
			}
			s.RequireApproval = true
		case word == "--result-file":
			if seenFile {
				return nil, s, mistake(ExitBroken, "--result-file may only be specified once")
			}
			if i++; i == len(argv) || argv[i] == "" || strings.HasPrefix(argv[i], "--") {
				return nil, s, mistake(ExitBroken, "Missing value for --result-file")
			}
			seenFile, s.ResultFile = true, argv[i]
		case strings.HasPrefix(word, "--result-file="), strings.HasPrefix(word, "--require-approval="):
			name, _, _ := strings.Cut(word, "=")
			return nil, s, mistake(ExitBroken, "%s takes no value after =; write it as a word of its own", name)
		default:
			rest = append(rest, word)
		}
	}
	return rest, s, nil
}

// checkStrict judges what is left beside strict options, in the order in which
// callers have learned to expect the messages.
func checkStrict(rest []string) error {
	switch {
	case len(rest) == 0 || rest[0] != string(Annotate):
		return mistake(ExitBroken, onlyAnnotate)
	case !slices.Contains(rest, "--gate") || !slices.Contains(rest, "--json"):
		return mistake(ExitBroken, needGateJSON)
	case slices.Contains(rest, "--hook"):
		return mistake(ExitBroken, notWithHook)
	}
	return nil
}

// takeFlags takes out the first of each ordinary flag, wherever it stands. A second
// one stays behind as a word that no target matches.
func (r *Request) takeFlags(words []string) []string {
	for _, f := range []struct {
		name   string
		set    *bool
		notes  bool // it means nothing here, and that is said
		states bool // it is about content
	}{
		{"--tailscale", nil, true, false}, {"--no-jina", nil, true, true},
		{"--gate", &r.Format.Gate, false, false}, {"--json", &r.Format.JSON, false, false}, {"--hook", &r.Format.Hook, false, false},
		{"--render-html", nil, true, true}, {"--markdown", &r.Markdown, false, true},
		{"--raw", &r.Raw, false, true}, {"--allow-private", &r.Private, false, true},
		{"--app", nil, true, false}, {"--static", nil, true, false},
	} {
		i := slices.Index(words, f.name)
		if i < 0 {
			continue
		}
		words = slices.Delete(slices.Clone(words), i, i+1)
		if f.set != nil {
			*f.set = true
		}
		if f.notes {
			r.Ignored = append(r.Ignored, f.name)
		}
		if f.states {
			r.ContentOnly = append(r.ContentOnly, f.name)
		}
	}
	var browser string
	if words, browser = takeValue(words, "--browser"); browser != "" {
		r.Ignored = append(r.Ignored, "--browser")
	}
	words, r.Surface = takeValue(words, "--surface")
	return words
}

// takeValue takes out a flag and the value after it; without a value it stays.
func takeValue(words []string, name string) (rest []string, value string) {
	for i, w := range words {
		if v, ok := strings.CutPrefix(w, name+"="); ok && v != "" {
			return slices.Delete(slices.Clone(words), i, i+1), v
		}
		if w == name && i+1 < len(words) && words[i+1] != "" {
			return slices.Delete(slices.Clone(words), i, i+2), words[i+1]
		}
	}
	return words, ""
}

// takeSession takes out what only annotate-last knows; nothing else may be left.
func (r *Request) takeSession(words []string) ([]string, error) {
	words, r.Session = takeValue(words, "--session")
	for name, set := range map[string]*bool{"--pick": &r.Pick, "--stdin": &r.Stdin, "--exclude-active-turn": &r.PassOver} {
		if i := slices.Index(words, name); i >= 0 {
			words = slices.Delete(slices.Clone(words), i, i+1)
			*set = true
		}
	}
	if len(words) > 0 {
		return nil, mistake(ExitFailed, "annotate-last does not take %q; see planmode annotate-last --help", words[0])
	}
	return nil, nil
}

// checkWords judges the words that name the target. Without strict options that is
// left to whoever looks at the files, for agents write prose around a name.
func (r *Request) checkWords() error {
	if r.Command != Annotate {
		return nil
	}
	switch {
	case len(r.Words) == 0 && !r.Format.Hook:
		return mistake(r.Strict.Failure(), "Usage: planmode annotate <file.md | file.txt | file.html | https://... | folder/> [--gate] [--json] [--hook]")
	case r.Strict.On() && len(r.Words) == 0:
		return mistake(ExitBroken, "Usage: planmode annotate <target> --gate --json [--require-approval] [--result-file PATH]")
	case r.Strict.On() && len(r.Words) > 1:
		return mistake(ExitBroken, "--require-approval and --result-file take exactly one target; there are %d words: %s", len(r.Words), strings.Join(r.Words, " "))
	case r.Strict.On() && strings.HasPrefix(r.Words[0], "-") && r.Words[0] != "-":
		return mistake(ExitBroken, "unknown option %s; a file of that name is written ./%s", r.Words[0], r.Words[0])
	}
	return nil
}
