package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"planmode/plan/text"
	"planmode/store"
)

// configCommand prints what is in force. The output is data, for people and
// scripts: a setting a line; warnings go to standard error.
func configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print every setting in force and where it came from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dirs, err := store.Locate(os.Getenv)
			if err != nil {
				return &codeError{exitError, err}
			}
			c, warnings := store.LoadConfig(dirs)
			for _, w := range warnings {
				fmt.Fprintln(os.Stderr, "planmode:", text.Line(w))
			}
			path := filepath.Join(dirs.Config, "config.json")
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				fmt.Fprintf(os.Stderr, "planmode: there is no %s; every setting has its default\n", path)
			}
			out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
			for _, s := range c.Settings() {
				from := "default"
				if s.FromFile {
					from = path
				}
				fmt.Fprintf(out, "%s\t%s\t%s\n", s.Name, text.EscapeJSON([]byte(s.Value)), from)
			}
			if err := out.Flush(); err != nil {
				return &codeError{exitError, fmt.Errorf("print the configuration: %w", err)}
			}
			return nil
		},
	}
}
