package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"
)

// Limits of one search.
const (
	maxMatches   = 200
	maxGrepBytes = 64 << 10
	maxGrepFile  = 16 << 20
	maxGrepTime  = 20 * time.Second
	maxShownLine = 400
	maxProgram   = 2000     // instructions of a compiled pattern
	maxAtOnce    = 64 << 10 // bytes matched between two looks at the context
	maxLineGrep  = 256 << 10
)

type grepArgs struct {
	Pattern    string `json:"pattern" doc:"RE2 regular expression, matched line by line." min:"1" max:"4096"`
	Path       string `json:"path,omitempty" doc:"File, or directory to search below; the working directory by default." min:"1" max:"4096"`
	Glob       string `json:"glob,omitempty" doc:"Only files that match this glob, as in find: *.go, src/**/*.ts." min:"1" max:"1024"`
	Literal    bool   `json:"literal,omitempty" doc:"Take the pattern as plain text."`
	IgnoreCase bool   `json:"ignoreCase,omitempty" doc:"Ignore upper and lower case."`
	Context    int    `json:"context,omitempty" doc:"Lines to show before and after each match." min:"0" max:"20"`
}

type grepTool struct{ at place }

func (grepTool) Spec() Spec {
	return Spec{
		Name: "grep",
		Description: "Search text files for a regular expression. Matches are `path:line:text`, context lines `path-line-text`. What " +
			".gitignore leaves out, binary files, files over 16 MiB and what is past 256 KiB of a line are not searched. At most 200 matches.",
		Schema: schema[grepArgs](),
		Effect: Reads,
	}
}

func (grepTool) validate(raw []byte) error {
	_, err := decode[grepArgs](raw)
	return err
}

func (t grepTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[grepArgs](call.Args)
	if err != nil {
		return failed(call, err)
	}
	s, err := newSearch(args)
	if err != nil {
		return failed(call, err)
	}
	wanted, err := newGlob(cmp.Or(args.Glob, "*"))
	if err != nil {
		return failed(call, err)
	}
	root, info, err := t.at.searchRoot(args.Path)
	if err != nil {
		return failed(call, err)
	}
	limited, cancel := context.WithTimeout(ctx, maxGrepTime)
	defer cancel()
	if info.IsDir() {
		err = t.below(limited, s, root, wanted)
	} else {
		if why := regular(info); why != nil {
			return failed(call, about("search", t.at.show(root), why))
		}
		err = s.file(limited, root, t.at.show(root))
	}
	if ctx.Err() != nil {
		return failed(call, fmt.Errorf("grep was stopped: %w", ctx.Err()))
	}
	return answer(call, s.report(err))
}

func (t grepTool) below(ctx context.Context, s *search, root string, wanted glob) error {
	return walk(ctx, root, func(rel string, d fs.DirEntry) error {
		if !d.Type().IsRegular() || !wanted.match(rel) {
			return nil
		}
		path := filepath.Join(root, filepath.FromSlash(rel))
		return s.file(ctx, path, t.at.show(path))
	})
}

// newSearch compiles the pattern. Two forms are kept: one for a line, and one
// that looks at a whole file at once and finds at least what the first finds.
func newSearch(args grepArgs) (*search, error) {
	pattern := args.Pattern
	if args.Literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	flags := ""
	if args.IgnoreCase {
		flags = "(?i)"
	}
	line, err := regexp.Compile(flags + pattern)
	if err != nil {
		return nil, fmt.Errorf("argument \"pattern\" is not a regular expression: %w", err)
	}
	s := &search{line: line, context: args.Context}
	whole, err := syntax.Parse("(?m)"+flags+pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("argument \"pattern\" is not a regular expression: %w", err)
	}
	// Matching takes time in the size of the text times that of the pattern, and
	// cannot be interrupted.
	prog, err := syntax.Compile(whole.Simplify())
	if err != nil || len(prog.Inst) > maxProgram {
		return nil, errors.New("argument \"pattern\" is too complex: use fewer or smaller repetitions")
	}
	if !anchored(whole) {
		s.whole = regexp.MustCompile("(?m)" + flags + pattern)
	}
	return s, nil
}

// anchored finds an assertion about the beginning or the end of the text, which
// means something else for a file than for a line.
func anchored(re *syntax.Regexp) bool {
	if re.Op == syntax.OpBeginText || re.Op == syntax.OpEndText {
		return true
	}
	for _, sub := range re.Sub {
		if anchored(sub) {
			return true
		}
	}
	return false
}

// report ends the output with what the agent must know about it.
func (s *search) report(err error) string {
	var notes []string
	switch {
	case errors.Is(err, errEnough):
		notes = append(notes, "more matches were left out; use a narrower pattern, path or glob")
	case errors.Is(err, errTooMany):
		notes = append(notes, fmt.Sprintf("stopped after %d files; use a narrower path", maxWalked))
	case errors.Is(err, context.DeadlineExceeded):
		notes = append(notes, fmt.Sprintf("stopped after %v; use a narrower path or glob", maxGrepTime))
	case err != nil:
		notes = append(notes, "stopped: "+err.Error())
	case s.matches == 0:
		notes = append(notes, "no match")
	}
	if s.binary > 0 {
		notes = append(notes, fmt.Sprintf("%d binary files not searched", s.binary))
	}
	if s.large > 0 {
		notes = append(notes, fmt.Sprintf("%d files over 16 MiB not searched", s.large))
	}
	if len(notes) > 0 {
		s.out.WriteString("[" + strings.Join(notes, "; ") + "]\n")
	}
	return s.out.String()
}
