package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"planmode/plan/agent/model"
	"planmode/plan/text"
	"planmode/store"
)

// maxKey bounds what is read as a key.
const maxKey = 64 << 10

// authCommand keeps the keys of model providers. A key is never an argument,
// where every process could see it, and never printed.
func authCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "auth",
		Short: "Keep the keys of model providers",
		Long: "Keep the keys of model providers in the keyring of the system or, where there is none, in a\n" +
			"file that only you can read. A key in the environment comes before one that is kept.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "set PROVIDER", Short: "Keep a key, typed without echo or read from a pipe", Args: oneProvider,
			ValidArgsFunction: completeProviders,
			RunE:              func(_ *cobra.Command, args []string) error { return authSet(args[0]) },
		},
		&cobra.Command{
			Use: "list", Short: "List the providers, and where the key of each comes from", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return authList(cmd.OutOrStdout()) },
		},
		&cobra.Command{
			Use: "rm PROVIDER", Short: "Forget a key", Args: cobra.ExactArgs(1),
			ValidArgsFunction: completeProviders,
			RunE:              func(_ *cobra.Command, args []string) error { return authRemove(args[0]) },
		},
	)
	return c
}

// keyring opens the keys and the providers they may belong to.
func keyring() (*store.Keys, *model.Agent, error) {
	dirs, err := store.Locate(os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	config, _ := store.LoadConfig(dirs)
	keys := store.OpenKeys(dirs, nil)
	return keys, model.New(model.Options{Config: config, Keys: keys, Getenv: os.Getenv}), nil
}

func authSet(provider string) error {
	keys, models, err := keyring()
	if err != nil {
		return &codeError{exitError, err}
	}
	if err := known(models, provider); err != nil {
		return usage(err)
	}
	key, err := readKey(provider)
	if err != nil {
		return &codeError{exitError, err}
	}
	where, err := keys.Set(provider, key)
	if err != nil {
		return &codeError{exitError, fmt.Errorf("keep the key of %s: %w", provider, err)}
	}
	if where == store.InFile {
		fmt.Fprintf(os.Stderr, "planmode: there is no keyring here; the key of %s is in a file that only you can read\n", provider)
		return nil
	}
	fmt.Fprintf(os.Stderr, "planmode: the key of %s is in the keyring\n", provider)
	return nil
}

// known refuses a provider that no model could have, which is most likely a
// mistake in writing.
func known(models *model.Agent, provider string) error {
	var names []string
	for _, a := range models.Accounts() {
		if a.Provider == provider {
			return nil
		}
		names = append(names, a.Provider)
	}
	return fmt.Errorf("there is no provider %q: it is one of %s", text.Truncate(text.Line(provider), 40), strings.Join(names, ", "))
}

// readKey takes the key from the terminal without echo, else from what is piped.
func readKey(provider string) (string, error) {
	if term.IsTerminal(os.Stdin.Fd()) {
		fmt.Fprintf(os.Stderr, "Key of %s (it is not shown): ", provider)
		b, err := term.ReadPassword(os.Stdin.Fd())
		fmt.Fprintln(os.Stderr)
		if err != nil {
			return "", fmt.Errorf("read the key: %w", err)
		}
		return strings.TrimSpace(string(b)), nil
	}
	b, err := io.ReadAll(io.LimitReader(os.Stdin, maxKey))
	if err != nil {
		return "", fmt.Errorf("read the key: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

func authRemove(provider string) error {
	keys, _, err := keyring()
	if err != nil {
		return &codeError{exitError, err}
	}
	switch err := keys.Remove(provider); {
	case errors.Is(err, store.ErrNoKey):
		return &codeError{exitError, fmt.Errorf("no key of %s is kept", text.Truncate(text.Line(provider), 40))}
	case err != nil:
		return &codeError{exitError, err}
	}
	fmt.Fprintf(os.Stderr, "planmode: the key of %s is forgotten\n", provider)
	return nil
}

// authList prints data: a provider a line.
func authList(out io.Writer) error {
	_, models, err := keyring()
	if err != nil {
		return &codeError{exitError, err}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, a := range models.Accounts() {
		from := a.From
		if from == "" {
			from = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", text.Line(a.Provider), from, accountNote(a))
	}
	if err := w.Flush(); err != nil {
		return &codeError{exitError, fmt.Errorf("print the keys: %w", err)}
	}
	return nil
}

// accountNote says what a provider lacks, and of one without a key that lacks
// nothing that it is ready all the same.
func accountNote(a model.Account) string {
	if a.From == "" && a.Problem == "" {
		return "no key is kept, and none may be needed"
	}
	return a.Problem
}

// oneProvider refuses a second argument, which is most likely the key itself.
func oneProvider(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return errors.New("name a provider: planmode auth set PROVIDER")
	case 1:
		return nil
	}
	return errors.New("name a provider and nothing else: a key is never an argument, where every process could see it; it is asked for, or piped")
}

func completeProviders(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	_, models, err := keyring()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, a := range models.Accounts() {
		names = append(names, a.Provider)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeModels offers the models that can be named.
func completeModels(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	_, models, err := keyring()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := []cobra.Completion{"demo"}
	for _, o := range models.Offers() {
		names = append(names, o.Model)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
