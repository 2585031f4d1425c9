package reviewer

import (
	"fmt"
	"os"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// terminal is where keys come from and the screen goes: the standard streams
// where they are a terminal, else the controlling terminal.
func terminal(stdout *os.File) (in, out *os.File, err error) {
	in, out = os.Stdin, stdout
	if term.IsTerminal(in.Fd()) && term.IsTerminal(out.Fd()) {
		return in, out, nil
	}
	ttyIn, ttyOut, err := tea.OpenTTY()
	if err != nil {
		return nil, nil, fmt.Errorf("no terminal to show the review on: %w", err)
	}
	if !term.IsTerminal(in.Fd()) {
		in = ttyIn
	}
	if !term.IsTerminal(out.Fd()) {
		out = ttyOut
	}
	return in, out, nil
}

// usage is the text of --help.
func usage() string {
	names := make([]string, 0, len(flags))
	for name := range flags {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("Usage: planmode reviewer --only=FILE [-o NOTES]\n       planmode reviewer --compare-old=FILE --compare-new=FILE [-o NOTES]\n\n")
	for _, name := range names {
		f, left := flags[name], "--"+name
		if f.short != "" {
			left = "-" + f.short + ", " + left
		}
		if f.on == nil {
			left += "=VALUE"
		}
		fmt.Fprintf(&b, "  %-32s %s\n", left, f.help)
	}
	return b.String()
}
