package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planmode/plan/gate/harness"
	"planmode/store"
)

// setup is what install and uninstall do to the settings of a harness.
type setup struct {
	harness       harness.Harness
	project, user bool
	dry           bool
}

func installCommand() *cobra.Command {
	return setupCommand("install", "Have another agent ask here before it implements a plan", `Set up the hook by which another agent submits its plans here. The settings of Claude
Code and Gemini CLI are edited: everything else in them stays as it is, and the file
before the change is kept beside it. For the others the lines to paste are printed.`, func(s setup, out io.Writer) error { return s.install(out) })
}

func uninstallCommand() *cobra.Command {
	return setupCommand("uninstall", "Take the hook of planmode install out again", `Take the hook out of the settings of Claude Code or Gemini CLI. Everything else stays;
where nothing else was changed since, the file is again as it was before.`,
		func(s setup, out io.Writer) error { return s.uninstall(out) })
}

func setupCommand(name, short, long string, do func(setup, io.Writer) error) *cobra.Command {
	var s setup
	c := &cobra.Command{
		Use: name + " HARNESS", Short: short, Long: long,
		Args: cobra.ExactArgs(1), ValidArgs: harnessNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.harness = harness.Harness(args[0]); !slices.Contains(harness.All, s.harness) {
				return &codeError{exitUsage, fmt.Errorf("no hooks of %q are known; there are %s", args[0], strings.Join(harnessNames(), ", "))}
			}
			return do(s, cmd.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&s.user, "user", false, "in your own settings (the default)")
	c.Flags().BoolVar(&s.project, "project", false, "in the settings of this directory")
	c.Flags().BoolVar(&s.dry, "dry-run", false, "print what would be written, and change nothing")
	c.MarkFlagsMutuallyExclusive("user", "project")
	return c
}

// settingsPath is the file with the settings of a harness.
func (s setup) settingsPath() (string, error) {
	folder := "." + string(s.harness)
	if s.project {
		dir, err := os.Getwd()
		if err != nil {
			return "", fmt.Errorf("find the working directory: %w", err)
		}
		return filepath.Join(dir, folder, "settings.json"), nil
	}
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); s.harness == harness.Claude && filepath.IsAbs(dir) {
		return filepath.Join(dir, "settings.json"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home directory: %w", err)
	}
	return filepath.Join(home, folder, "settings.json"), nil
}

func (s setup) install(out io.Writer) error {
	binary, err := installable()
	if err != nil {
		return err
	}
	if !harness.Edits(s.harness) {
		_, err := fmt.Fprintf(out, "Nothing was changed. Put this into the settings of %s:\n\n%s", s.harness, harness.Snippet(s.harness, binary))
		return err
	}
	return s.change(out, func(settings []byte) ([]byte, error) {
		changed, err := harness.Install(s.harness, settings, binary)
		if errors.Is(err, harness.ErrSettings) {
			err = fmt.Errorf("%w:\n\n%s", err, harness.Snippet(s.harness, binary))
		}
		return changed, err
	})
}

func (s setup) uninstall(out io.Writer) error {
	if !harness.Edits(s.harness) {
		_, err := fmt.Fprintf(out, "Nothing was changed: the settings of %s are yours to edit. Remove the lines with \"hook %s\".\n", s.harness, s.harness)
		return err
	}
	path, err := s.settingsPath()
	if err != nil {
		return err
	}
	now, err := os.ReadFile(path)
	if err == nil && harness.Before(s.harness, nil, now) {
		did := "would be removed"
		if !s.dry {
			did, err = "was removed", store.RemoveSettings(path, now)
		}
		if err == nil { // a link stays, with nothing in it
			_, err := fmt.Fprintf(out, "%s %s: there is nothing else in it.\n", path, did)
			return err
		}
	}
	return s.change(out, func(settings []byte) ([]byte, error) {
		for _, before := range store.SettingsCopies(path) {
			if harness.Before(s.harness, before, settings) {
				return before, nil
			}
		}
		return harness.Uninstall(s.harness, settings)
	})
}

// change edits the settings, keeping the file as it was beside them.
func (s setup) change(out io.Writer, edit func([]byte) ([]byte, error)) error {
	path, err := s.settingsPath()
	if err != nil {
		return err
	}
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the settings of %s: %w", s.harness, err)
	}
	after, err := edit(before)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case bytes.Equal(before, after):
		_, err = fmt.Fprintf(out, "%s is as it should be; nothing was changed.\n", path)
	case s.dry:
		_, err = fmt.Fprintf(out, "%s would be:\n\n%s\n", path, bytes.TrimRight(after, "\n"))
	default:
		var kept string
		if kept, err = store.ReplaceSettings(path, before, after); err != nil {
			return fmt.Errorf("write the settings of %s: %w; they are as they were", s.harness, err)
		}
		_, err = fmt.Fprintf(out, "Changed %s.\n", path)
		if kept != "" && err == nil {
			_, err = fmt.Fprintf(out, "As it was before: %s\n", kept)
		}
	}
	return err
}

// installable is this program's path, if it will still be there tomorrow.
func installable() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find planmode's own executable: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil && temporary(real) || temporary(self) {
		return "", fmt.Errorf("%s is in a temporary folder and would soon be gone; install planmode first, for example to ~/.local/bin", self)
	}
	if filepath.Base(self) != "planmode" && filepath.Base(self) != "planmode.exe" {
		return "", fmt.Errorf("%s is not called planmode, so its hook could not be found again; rename it first", self)
	}
	return self, nil
}

// temporary says whether a path is where things do not stay.
func temporary(path string) bool {
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp", "/private/tmp"} {
		if rel, err := filepath.Rel(filepath.Clean(dir), path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return strings.Contains(path, string(filepath.Separator)+"go-build")
}
