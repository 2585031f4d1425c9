package tui

import (
	"strconv"
	"strings"
)

// abilities are what a terminal understands beyond what can be asked for. Each
// of these sequences is shown as text, or as a notification that reads "4;3", by
// some terminal that does not know it, so a terminal must be known.
type abilities struct {
	notify   dialect
	progress bool // OSC 9;4, a progress bar
}

// dialect is the sequence for a notification of the desktop. Terminals that know
// both would show both, so one is chosen.
type dialect int

const (
	osc9   dialect = iota // iTerm2's; most terminals take it or drop it
	osc777                // urxvt's, for those that know only this one
	mute                  // the console of a machine without a desktop
)

// toast is a notification. The text must be free of control characters and of
// semicolons, and not begin with a digit.
func (a abilities) toast(text string) string {
	switch a.notify {
	case osc9:
		return "\x1b]9;" + text + "\a"
	case osc777:
		return "\x1b]777;notify;planmode;" + text + "\a"
	}
	return ""
}

// abilitiesOf judges a terminal by the environment. Within tmux and screen the
// variables of the terminal around it are still there, but what is written
// reaches only the multiplexer, which drops what it does not know.
func abilitiesOf(getenv func(string) string) abilities {
	name := getenv("TERM")
	inside := getenv("TMUX") != "" || getenv("STY") != "" || strings.HasPrefix(name, "tmux") || strings.HasPrefix(name, "screen")
	a := abilities{progress: !inside && showsProgress(getenv)}
	switch {
	case name == "linux" || name == "dumb":
		a.notify = mute
	case !inside && (strings.HasPrefix(name, "rxvt") || strings.HasPrefix(name, "foot") || getenv("VTE_VERSION") != ""):
		a.notify = osc777
	}
	return a
}

// showsProgress knows the terminals with a progress bar by their names and, where
// older versions take the sequence for a notification, by their versions.
func showsProgress(getenv func(string) string) bool {
	version := getenv("TERM_PROGRAM_VERSION")
	switch getenv("TERM_PROGRAM") {
	case "ghostty":
		return atLeast(version, 1, 2)
	case "iTerm.app":
		return atLeast(version, 3, 6, 6)
	case "WezTerm": // versions are dates, "20250209-182623-44866cc1"
		return atLeast(version, 20250209)
	}
	if vte, err := strconv.Atoi(getenv("VTE_VERSION")); err == nil {
		return vte >= 8000
	}
	return getenv("WT_SESSION") != "" || getenv("ConEmuANSI") == "ON"
}

// atLeast compares the numbers of a version from the left. Anything that is no
// number is older than everything.
func atLeast(version string, least ...int) bool {
	parts := strings.FieldsFunc(version, func(r rune) bool { return r == '.' || r == '-' })
	for i, want := range least {
		got := 0
		if i < len(parts) {
			var err error
			if got, err = strconv.Atoi(parts[i]); err != nil {
				return false
			}
		}
		if got != want {
			return got > want
		}
	}
	return true
}
