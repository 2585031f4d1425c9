package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"planmode/plan"
	"planmode/store"
)

// lastFeedbackCommand gives the answer of a gate again, for a caller that missed it.
func lastFeedbackCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "last-feedback [PATH]",
		Short: "Give the last answer of a gate again",
		Long: "Give the last answer of planmode annotate or annotate-last again, byte for byte as\n" +
			"it went to standard output; of the file or address PATH, if one is given. An answer\n" +
			"that was silence is silence again. With --json: all that is known of the decision.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := lastFeedback(args)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(os.Stdout, feedbackJSON{r.ID, r.At, r.Decision, r.Name, r.Path, r.Hash, r.Asker, r.Cwd, r.Feedback, r.Notes, r.Unsent})
			}
			if _, err := os.Stdout.WriteString(r.Output); err != nil {
				return &codeError{exitError, fmt.Errorf("write the answer: %w", err)}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print all of the decision, for programs")
	return c
}

// feedbackJSON is a decision for programs.
type feedbackJSON struct {
	ID       string            `json:"id"`
	At       plan.Time         `json:"at"`
	Decision string            `json:"decision"`
	Name     string            `json:"name"`
	Path     string            `json:"path,omitempty"`
	Hash     plan.Hash         `json:"hash"`
	Asker    string            `json:"asker,omitempty"`
	Cwd      string            `json:"cwd,omitempty"`
	Feedback string            `json:"feedback,omitempty"`
	Notes    []plan.Annotation `json:"notes,omitempty"`
	Unsent   []plan.Annotation `json:"unsent,omitempty"`
}

func lastFeedback(args []string) (last store.GateRecord, err error) {
	var match func(store.GateRecord) bool
	if len(args) == 1 {
		want := args[0]
		place, err := filepath.Abs(want)
		if linked, lerr := filepath.EvalSymlinks(place); err == nil && lerr == nil {
			place = linked
		}
		match = func(r store.GateRecord) bool { return r.Path == want || r.Path == place }
	}
	err = withStore(func(s *store.Store) error {
		var ok bool
		switch last, ok, err = s.LastGate(match); {
		case err != nil:
			return fmt.Errorf("read the decisions of gates: %w", err)
		case !ok && match != nil:
			return fmt.Errorf("no decision about %s is on record", args[0])
		case !ok:
			return errors.New("no decision of a gate is on record")
		}
		return nil
	})
	return last, err
}
