package main

import (
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"planmode/revdiff"
	"planmode/store"
	"planmode/tui/reviewer"
)

// reviewerCommand is the built-in reviewer. Its flags are revdiff's, so it reads
// them itself.
func reviewerCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "reviewer",
		Short:              "Review one Markdown file, or compare two (takes revdiff's flags)",
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			collectAgain()
			reviewer.Version = build().Version
			if dirs, err := store.Locate(os.Getenv); err == nil && !flagGiven(args, "labels") {
				config, _ := store.ReadConfig(dirs) // what is wrong with it does not concern a review
				reviewer.DefaultLabels = config.ReviewerLabels
			}
			if code := reviewer.Main(args, os.Environ(), os.Stdout, os.Stderr); code != exitOK {
				return &codeError{code: code}
			}
			return nil
		},
	}
}

// collectAgain ends what planmode asks of its reviewer for the start: not to collect
// garbage while all packages are initialised, which makes a tenth of the wait.
func collectAgain() {
	if os.Getenv(revdiff.QuickStart) == "off" {
		debug.SetGCPercent(100)
		os.Unsetenv(revdiff.QuickStart) // it is not for the editor
	}
}

// flagGiven says whether a flag is given.
func flagGiven(args []string, flag string) bool {
	for _, a := range args {
		if name, _, _ := strings.Cut(a, "="); name == "--"+flag {
			return true
		}
	}
	return false
}
