package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"planmode/plan/session/archive"
	"planmode/store"
)

func sessionsExportCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "export SESSION",
		Short: "Write one conversation as Markdown",
		Long: "Write one conversation as Markdown, with the plans it submitted. What was said is quoted and cleaned\n" +
			"for terminals. It is for reading; a backup is a copy of the data directory.",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(func(s *store.Store) error {
				if output == "" || output == "-" {
					return archive.Export(cmd.OutOrStdout(), s, args[0])
				}
				return exportTo(output, func(w io.Writer) error { return archive.Export(w, s, args[0]) })
			})
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, which must not exist, instead of standard output")
	return c
}

// exportTo writes a new file whole or leaves none. Nothing is overwritten.
func exportTo(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was left as it is; name another file", path)
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
