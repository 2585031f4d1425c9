package doctor

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// The smallest screen that everything fits on.
const (
	minWidth  = 20
	minHeight = 6
)

func (r *Report) terminal(s Surroundings) {
	r.term(s.Getenv("TERM"))
	r.tty(s.Terminal)
	r.size(s.Terminal)
	r.colour(s)
	r.multiplexer(s.Getenv)
	r.locale(s.Getenv)
}

func (r *Report) term(term string) {
	const what = "terminal.TERM"
	switch term {
	case "":
		r.warn(what, "not set", "Set TERM to what your terminal is, for example: export TERM=xterm-256color")
	case "dumb":
		r.fail(what, "dumb: planmode cannot draw there and does not start", "Start planmode in a terminal emulator, or set TERM to what your terminal really is.")
	default:
		r.ok(what, "%s", term)
	}
}

// tty is no failure without a terminal: this may be a script that asks.
func (r *Report) tty(t Terminal) {
	const what = "terminal.tty"
	switch {
	case t.In && t.Out:
		r.ok(what, "standard input and output are a terminal")
	case t.Device:
		r.ok(what, "there is a terminal; standard input or output is redirected for this command")
	default:
		r.warn(what, "there is no terminal here, and the app needs one (doctor, config, sessions and man do not)", "Run planmode doctor in the terminal in which you use planmode.")
	}
}

func (r *Report) size(t Terminal) {
	const what = "terminal.size"
	size := fmt.Sprintf("%d columns, %d rows", t.Width, t.Height)
	switch {
	case t.Width <= 0 || t.Height <= 0:
		r.warn(what, "not known", "If the screen looks wrong, run: stty rows 24 cols 80")
	case t.Width < minWidth || t.Height < minHeight:
		r.warn(what, size, fmt.Sprintf("Make the window at least %d columns and %d rows; below that parts of the screen are left out.", minWidth, minHeight))
	default:
		r.ok(what, "%s", size)
	}
}

func (r *Report) colour(s Surroundings) {
	const what = "terminal.colour"
	detail := strings.ToLower(s.Terminal.Profile.String())
	switch {
	case s.Getenv("NO_COLOR") != "":
		r.ok(what, "none: NO_COLOR is set, and respected")
	case !s.Terminal.Device:
		r.ok(what, "not examined without a terminal")
	case s.Terminal.Profile <= colorprofile.ASCII:
		r.warn(what, "none: TERM and COLORTERM name no colours", "Everything works, told apart by weight alone. For colours: export COLORTERM=truecolor, if your terminal has them.")
	default:
		r.ok(what, "%s", detail)
	}
}

func (r *Report) multiplexer(getenv func(string) string) {
	const what = "terminal.multiplexer"
	var in []string
	if getenv("TMUX") != "" {
		in = append(in, "tmux (Shift+Enter and the like need: set -g extended-keys on)")
	}
	if getenv("ZELLIJ") != "" {
		in = append(in, "zellij (its own keys come first: Ctrl+O and Ctrl+P reach planmode in locked mode, Ctrl+G)")
	}
	if getenv("STY") != "" {
		in = append(in, "screen")
	}
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		in = append(in, "over ssh")
	}
	if len(in) == 0 {
		in = append(in, "none")
	}
	r.ok(what, "%s", strings.Join(in, "; "))
}

// locale follows the order of the C library: the first variable that is set counts.
func (r *Report) locale(getenv func(string) string) {
	const what = "terminal.locale"
	name, value := "LANG", getenv("LANG")
	for _, v := range []string{"LC_CTYPE", "LC_ALL"} {
		if set := getenv(v); set != "" {
			name, value = v, set
		}
	}
	folded := strings.ReplaceAll(strings.ToLower(value), "-", "")
	if strings.Contains(folded, "utf8") {
		r.ok(what, "%s=%s", name, value)
		return
	}
	detail := "no UTF-8 locale is set"
	if value != "" {
		detail = fmt.Sprintf("%s=%s is not UTF-8", name, value)
	}
	r.warn(what, detail, "If signs such as ▌ ● … look wrong: export LC_ALL=C.UTF-8, or set \"ascii\": true in config.json.")
}
