package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planmode/plan/gate"
)

const annotateHelp = `Review a file, a folder, a page or standard input for another program. The answer
goes to standard output when you have decided, and nothing else does; the review
is drawn on the terminal.

  TARGET              a file, a folder, an https:// address, - for standard
                      input, or some words of which one is a file
  --gate              you can approve; else you only annotate or close
  --json              answer as one line of JSON
  --hook              answer as a hook: nothing, or a block with your notes;
                      without TARGET, the file that its event on stdin names
  --require-approval  end with 1 unless you approve (needs --gate --json)
  --result-file F     write the answer to F, too, never over a file (likewise)
  --surface S         where to draw: auto, terminal for this one also when
                      another program reads it, tmux, tmux-popup, zellij, inbox,
                      or a launcher of gate.launchers
  --raw               show HTML as it is written, not as Markdown
  --allow-private     read addresses of your own network

Exit code: 0 answered, 1 not approved or not started, 2 the gate broke (with
--require-approval or --result-file), 130 and 143 ended by a signal.`

const annotateLastHelp = `Review the last message of an agent in this directory, for another program. The
answer goes to standard output when you have decided, and nothing else does.

  --session ID           of this session
  --pick                 choose the message from a list
  --stdin                the message is on standard input
  --exclude-active-turn  leave out the turn that runs
  --gate, --json, --hook, --surface S: as for planmode annotate`

// gateCommands are known to cobra for help, completion and the manual page only:
// their arguments are read before it.
func gateCommands() []*cobra.Command {
	run := func(c *cobra.Command, args []string) error {
		if code := runArguments(append([]string{c.Name()}, args...)); code != exitOK {
			return &codeError{code: code}
		}
		return nil
	}
	commands := []*cobra.Command{
		{Use: "annotate TARGET [--gate] [--json] [--hook]", Short: "Review a file, a folder or a page for another program", Long: annotateHelp, DisableFlagParsing: true, RunE: run},
		{Use: "annotate-last [--gate] [--json] [--hook]", Aliases: []string{"last"}, Short: "Review the last message of an agent for another program", Long: annotateLastHelp, DisableFlagParsing: true, RunE: run},
	}
	for _, c := range commands {
		c.ValidArgsFunction = completeGate
	}
	return commands
}

// completeGate offers the flags of a gate to the shell, and files for everything else.
func completeGate(c *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	if !strings.HasPrefix(prefix, "-") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	for word := range strings.FieldsFuncSeq(c.Long, func(r rune) bool { return strings.ContainsRune(" ,\n();", r) }) {
		if strings.HasPrefix(word, "--") && strings.HasPrefix(word, prefix) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// runArguments runs arguments that are for a gate.
func runArguments(args []string) int {
	r, ok, err := gate.Parse(args)
	if !ok {
		return exitUsage
	}
	return runGate(r, err)
}

func printHelp(command gate.Command) int {
	root := rootCommand()
	c, _, err := root.Find([]string{string(command)})
	if err != nil {
		complain(err)
		return exitError
	}
	c.SetOut(os.Stdout)
	if err := c.Help(); err != nil {
		return exitError
	}
	return exitOK
}
