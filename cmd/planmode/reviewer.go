package main

import (
	"os"

	"github.com/spf13/cobra"

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
			reviewer.Version = build().Version
			if code := reviewer.Main(args, os.Environ(), os.Stdout, os.Stderr); code != exitOK {
				return &codeError{code: code}
			}
			return nil
		},
	}
}
