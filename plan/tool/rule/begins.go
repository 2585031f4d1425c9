package rule

import "strings"

// wrappers are programs that run the program named after them.
var wrappers = setOf(`sudo doas env command builtin exec nohup nice ionice time timeout stdbuf setsid xargs find fd
	rlwrap unbuffer setarch nsenter prlimit catchsegv torsocks proxychains dbus-run-session xvfb-run
	parallel watch su flock script chroot unshare strace ltrace gdb busybox toybox caffeinate entr systemd-run runuser chrt taskset`)

func setOf(names string) map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields(names) {
		out[n] = true
	}
	return out
}

// begins says whether a command in the line begins with these words, whatever path
// leads to the program, whatever options stand between, and whatever program runs
// it. unsure says why it cannot be excluded, when it cannot.
func (l *shellLine) begins(rule []string) (hit bool, unsure string) {
	unsure = l.hidden
	for _, words := range l.commands {
		last := 1
		if wrappers[base(words[0])] {
			last = len(words)
		}
		for i := range words[:last] {
			if !words[i].fixed {
				if unsure == "" {
					unsure = "which program it runs is not written out"
				}
				continue
			}
			if !strings.EqualFold(base(words[i]), base(word{text: rule[0], fixed: true})) {
				continue
			}
			switch m := follows(words[i+1:], rule[1:]); {
			case m == yes:
				return true, ""
			case m == perhaps && unsure == "":
				unsure = "its arguments are not written out"
			}
		}
	}
	return false, unsure
}

type match int

const (
	no match = iota
	perhaps
	yes
)

// follows matches the arguments of a command against the other words of a rule:
// options anywhere and in any spelling, the rest in order with nothing but options
// and their values between.
func follows(args []word, rule []string) match {
	result := yes
	at := 0
	for _, want := range rule {
		var m match
		if isOption(want) {
			m = hasOption(args, want)
		} else {
			m, at = hasNext(args, at, want)
		}
		if m == no {
			return no
		}
		result = min(result, m)
	}
	return result
}

func isOption(s string) bool { return len(s) > 1 && s[0] == '-' }

func hasNext(args []word, at int, want string) (match, int) {
	value := false // the word may be the value of the option before
	for ; at < len(args); at++ {
		w := args[at]
		switch {
		case !w.plain:
			return perhaps, at + 1
		case strings.EqualFold(w.text, want):
			return yes, at + 1
		case isOption(w.text):
			value = !strings.Contains(w.text, "=")
		case value:
			value = false
		default:
			return no, at
		}
	}
	return no, at
}

// spelled are the letters of long options whose short form people write rules with.
// They are those of the programs of which most harm is done; a beginning of a long
// option stands for it.
var spelled = map[string]rune{"recursive": 'r', "force": 'f', "delete": 'd'}

// hasOption also finds short options that are written together or apart, as a
// capital that means the same, or as a long option.
func hasOption(args []word, want string) match {
	letters := map[rune]bool{}
	found := no
	for _, w := range args {
		switch {
		case !w.plain:
			found = perhaps
			continue
		case w.text == want || strings.HasPrefix(w.text, want+"="):
			return yes
		case isOption(w.text) && w.text[1] != '-':
			for _, r := range w.text[1:] {
				letters[r] = true
				letters['r'] = letters['r'] || r == 'R'
			}
		case len(w.text) > 3 && strings.HasPrefix(w.text, "--"):
			for long, r := range spelled {
				letters[r] = letters[r] || strings.HasPrefix(long, w.text[2:])
			}
		}
	}
	if strings.HasPrefix(want, "--") {
		return found
	}
	for _, r := range want[1:] {
		if !letters[r] {
			return found
		}
	}
	return yes
}
