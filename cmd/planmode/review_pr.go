package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"planmode/plan/pull"
	review "planmode/plan/pull/run"
	"planmode/store"
)

// focuses are what a review may be limited to.
var focuses = []string{"full", "security", "correctness", "tests"}

// reviewFlags are the flags of review-pr.
type reviewFlags struct {
	local, output, focus, style, model string
	json                               bool
}

// reviewCommand reviews a range of commits and saves the review as a file.
func reviewCommand() *cobra.Command {
	var f reviewFlags
	c := &cobra.Command{
		Use:   "review-pr --local BASE..HEAD",
		Short: "Review a range of commits and save the review as a Markdown file",
		Long: "Review what HEAD has and BASE has not, and save the review as a new Markdown file.\n" +
			"Separate roles divide the change, look for problems, write one review and verify\n" +
			"it; every quote is compared with the commits. Nothing is sent to GitHub, and nothing\n" +
			"but the file is changed: git has to ignore .handoffs/, where the run keeps its own.\n\n" +
			"The last lines on standard output say what came of it. Exit codes: 0 saved,\n" +
			"10 something is missing, 11 a tool is missing, 12 the review failed, 13 it did not\n" +
			"pass the verification, 14 the file was not written, 16 the run was blocked.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("%q is not read: planmode reviews commits that are in this repository, so fetch the pull request and use --local BASE..HEAD", args[0]))
			}
			if f.local == "" {
				return usage(errors.New("say what to review with --local BASE..HEAD"))
			}
			if !slices.Contains(focuses, f.focus) {
				return usage(fmt.Errorf("--focus is one of %s", strings.Join(focuses, ", ")))
			}
			if len(f.style) > 2<<10 {
				return usage(errors.New("--style is longer than 2 KiB"))
			}
			return reviewLocal(cmd.Context(), f)
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.local, "local", "", "review the commits of `BASE..HEAD` in this repository")
	fl.StringVar(&f.output, "output", "", "save the review as `FILE`, which must not exist yet")
	fl.StringVar(&f.focus, "focus", "full", "`AREA`: full, security, correctness or tests")
	fl.StringVar(&f.style, "style", "", "word the review in this `STYLE`")
	fl.StringVar(&f.model, "model", "", "run on `PROVIDER/MODEL`, or on demo")
	fl.BoolVar(&f.json, "json", false, "print what came of it as JSON")
	for flag, fn := range map[string]cobra.CompletionFunc{
		"model": completeModels,
		"focus": cobra.FixedCompletions(focuses, cobra.ShellCompDirectiveNoFileComp),
	} {
		if err := c.RegisterFlagCompletionFunc(flag, fn); err != nil {
			panic(err) // the flags are defined above
		}
	}
	return c
}

// reviewLocal runs the review here. Ctrl-C and the signals that end a program stop it
// cleanly: it still looks at what was changed and says how it ended.
func reviewLocal(ctx context.Context, f reviewFlags) error {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dirs, err := store.Locate(os.Getenv)
	if err != nil {
		return err
	}
	config, _ := store.LoadConfig(dirs)
	if f.model != "" {
		config.Model = f.model
	}
	w, r, refused := openLocal(ctx, f.local)
	if refused != nil {
		return finish(*refused, f.json)
	}
	defer w.Close()
	if f.output == "" {
		f.output = "local-review.md"
	}
	return finish(watchReview(ctx, f.local, config, review.Options{
		Workspace: w, Source: r, Output: f.output, Focus: f.focus, Style: f.style,
		Agent: newAgent(config, dirs), Model: f.model, Now: time.Now,
	}), f.json)
}

// openLocal opens the folder and pins the range; a block says why it cannot.
func openLocal(ctx context.Context, spec string) (*review.Workspace, *review.Range, *pull.Block) {
	w, err := review.Open(ctx, ".")
	if err != nil {
		return nil, nil, &pull.Block{Posting: "skipped", Review: pull.Blocked, Reason: err.Error(), NextStep: "go to a folder of a git repository"}
	}
	r, err := w.Range(ctx, spec)
	if err != nil {
		w.Close()
		return nil, nil, &pull.Block{Posting: "skipped", Review: pull.WantsContext, Reason: err.Error(), NextStep: "name two commits that are in this repository"}
	}
	return w, r, nil
}

// finish prints the last words and gives their exit code.
func finish(b pull.Block, asJSON bool) error {
	var err error
	if asJSON {
		if b.Notes == nil {
			b.Notes = []string{}
		}
		err = printJSON(os.Stdout, b)
	} else {
		err = print(os.Stdout, b.String())
	}
	if err != nil {
		return err
	}
	if code := b.Review.Exit(); code != 0 {
		return &codeError{code: code}
	}
	return nil
}
