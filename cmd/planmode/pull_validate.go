package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"planmode/plan/pull"
	"planmode/plan/text"
)

// maxPayload is more than a payload may have, so that one too long is seen to be.
const maxPayload = 1<<20 + 1

// pullValidateCommand checks a payload without any effect.
func pullValidateCommand() *cobra.Command {
	roles := []string{string(pull.RoleContext), string(pull.RoleChunk), string(pull.RoleAuthor), string(pull.RoleVerify)}
	return &cobra.Command{
		Use:   "validate ROLE",
		Short: "Check a payload of a review role on standard input",
		Long: "Check a payload on standard input: ROLE is context, chunk, author or verify. Each\n" +
			"problem is a line \"path: problem\", at most 20 of them. A payload without problems\n" +
			"has the right form and does not contradict itself; that it is true is not said.\n\n" +
			"Exit codes: 0 valid, 1 not valid, 2 wrong usage.",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: roles,
		RunE: func(c *cobra.Command, args []string) error {
			raw, err := io.ReadAll(io.LimitReader(c.InOrStdin(), maxPayload))
			if err != nil {
				return &codeError{exitError, fmt.Errorf("read the payload: %w", err)}
			}
			problems := pull.Validate(pull.Role(args[0]), raw)
			for _, p := range problems {
				if _, err := fmt.Fprintln(os.Stdout, text.Line(p.String())); err != nil {
					return &codeError{exitError, fmt.Errorf("write the problems: %w", err)}
				}
			}
			if len(problems) > 0 {
				return &codeError{exitError, fmt.Errorf("the payload is not valid: %s", text.Count(len(problems), "problem"))}
			}
			return nil
		},
	}
}
