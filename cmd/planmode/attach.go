package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"planmode/plan/gate/waiter"
	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/store"
	"planmode/tui/showing"
)

func attachCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "attach [N]",
		Short: "Show a review that waits, on this terminal",
		Long: "Show a review that another program waits for, on this terminal: the newest one, or\n" +
			"number N or the id N of planmode gates. The first decision counts, wherever it is\n" +
			"made. Left without one, the review goes on waiting, and your notes are kept.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dirs, err := store.Locate(os.Getenv)
			if err != nil {
				return &codeError{exitError, err}
			}
			id, err := chosenGate(dirs, args)
			if err != nil {
				return &codeError{exitError, err}
			}
			if err := attach(dirs, id); err != nil {
				return &codeError{exitError, err}
			}
			return nil
		},
	}
}

// chosenGate is the id of the gate that is meant.
func chosenGate(dirs store.Dirs, args []string) (string, error) {
	if len(args) == 1 && len(args[0]) == 12 {
		return args[0], nil
	}
	list, err := waiter.List(dirs.Run)
	if err != nil {
		return "", err
	}
	n := 1
	if len(args) == 1 {
		if n, err = strconv.Atoi(args[0]); err != nil {
			return "", fmt.Errorf("%q is no number and no id of a review; planmode gates lists those that wait", args[0])
		}
	}
	switch {
	case len(list) == 0:
		return "", errors.New("no review waits")
	case n < 1 || n > len(list):
		return "", fmt.Errorf("there is no review %d; %s", n, text.Count(len(list), "review")+" wait")
	}
	return list[n-1].ID, nil
}

// attach shows one gate here until it is decided, or the person leaves it.
func attach(dirs store.Dirs, id string) error {
	client, err := waiter.Attach(dirs.Run, id)
	if err != nil {
		return err
	}
	defer client.Close()
	terminal, err := openOwn(true)
	if err != nil {
		return err
	}
	defer terminal.Close()
	g := newAttached(client.Job)
	ctx, stop := g.watch()
	defer stop()
	if err := g.open(); err != nil {
		return err
	}
	defer g.store.Close()
	g.cwd = client.Job.Cwd
	ctx, end := context.WithCancel(ctx)
	defer end()
	process.Go("end with the gate", func() {
		select {
		case <-client.Gone():
			end()
		case <-ctx.Done():
		}
	})
	a, err := g.showHere(ctx, terminal, client.Job)
	switch {
	case err == nil:
		return client.Answer(a)
	case g.ended.Load() != 0:
		return fmt.Errorf("nothing was decided; your notes are kept, and the review waits on: planmode attach %s", id)
	case errors.Is(err, showing.ErrLeft):
		return fmt.Errorf("nothing was decided; your notes are kept, and the review waits on: planmode attach %s", id)
	case ctx.Err() != nil:
		return errors.New("this review was decided elsewhere, or nobody waits for it any more; your notes are kept")
	}
	return err
}

func inboxCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "inbox",
		Short: "Wait for reviews of other programs, and show them here",
		Long: "Keep this terminal for reviews that other programs ask for where they have none to\n" +
			"draw on, as hooks of an agent. Each one is shown in turn, the newest first. Ctrl+C\n" +
			"ends the inbox.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dirs, err := store.Locate(os.Getenv)
			if err == nil {
				err = runInbox(dirs)
			}
			if err != nil {
				return &codeError{exitError, err}
			}
			return nil
		},
	}
}

// inboxLook is how often an inbox looks for reviews.
const inboxLook = 300 * time.Millisecond

// runInbox shows what waits until a signal comes.
func runInbox(dirs store.Dirs) error {
	box, err := waiter.OpenInbox(dirs.Run)
	if err != nil {
		return err
	}
	defer box.Close()
	g := newGateRun(newAttached(waiter.Job{}).request)
	ctx, stop := g.watch()
	defer stop()
	fmt.Println("Reviews that other programs ask for are shown here. Ctrl+C ends this.")
	passed := map[string]bool{}
	for ctx.Err() == nil {
		list, err := waiter.List(dirs.Run)
		if err != nil {
			return err
		}
		if i, ok := nextGate(list, passed); ok {
			passed[i.ID] = true
			fmt.Println("\a" + gateLine(i))
			if err := attach(dirs, i.ID); err != nil {
				complain(err)
			} else {
				fmt.Println("decided")
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(inboxLook):
		}
	}
	return nil
}

// nextGate is the newest review that waits for anybody and was not shown here yet.
func nextGate(list []waiter.Info, passed map[string]bool) (waiter.Info, bool) {
	for _, i := range list {
		if i.Wants && i.Surfaces == 0 && !passed[i.ID] {
			return i, true
		}
	}
	return waiter.Info{}, false
}

// gateLine is a review in one line.
func gateLine(i waiter.Info) string {
	return text.Line(fmt.Sprintf("%s  %s asks about %s in %s", i.ID, cmp.Or(i.Asker, "a program"), i.Name, i.Cwd))
}

func gatesCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "gates",
		Short: "List the reviews that other programs wait for",
		Long:  "List the reviews that other programs wait for, newest first: the number and the id\nfor planmode attach, who asks, about what and from where.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dirs, err := store.Locate(os.Getenv)
			if err != nil {
				return &codeError{exitError, err}
			}
			list, err := waiter.List(dirs.Run)
			if err != nil {
				return &codeError{exitError, err}
			}
			if asJSON {
				return printJSON(os.Stdout, append([]waiter.Info{}, list...))
			}
			for n, i := range list {
				state := "waits"
				if i.Surfaces > 0 {
					state = "shown"
				}
				fmt.Printf("%d  %s  %s\n", n+1, state, gateLine(i))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print them as JSON, for programs")
	return c
}
