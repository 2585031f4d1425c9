package rule

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxNested bounds how deep a line inside a line is looked into.
const maxNested = 8

// shellLine is every simple command in a line, wherever it stands: behind pipes,
// in substitutions, functions, and in the text given to another shell.
type shellLine struct {
	commands [][]word
	hidden   string // why some of it cannot be seen; empty if all can
}

func readLine(line string) *shellLine {
	l := &shellLine{}
	l.read(line, 0)
	return l
}

func (l *shellLine) hide(why string) {
	if l.hidden == "" {
		l.hidden = why
	}
}

func (l *shellLine) read(line string, depth int) {
	f, err := readShell(line)
	if err != nil {
		l.hide("the command line cannot be parsed")
		return
	}
	if depth > maxNested {
		l.hide("it nests too many command lines")
		return
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			l.add(call, depth)
		}
		return true
	})
}

func (l *shellLine) add(call *syntax.CallExpr, depth int) {
	words := make([]word, len(call.Args))
	for i, w := range call.Args {
		words[i] = fixedWord(w)
		words[i].text = strings.TrimRight(words[i].text, "\x00")
	}
	if !words[0].plain {
		l.hide("which program it runs is not written out")
	}
	switch name := base(words[0]); {
	case name == "eval":
		l.readJoined(words[1:], depth)
	case name == "alias":
		l.hide("it defines an alias")
	case name == "trap" && len(words) > 1:
		l.readJoined(words[1:2], depth)
	case name == "xargs" || name == "parallel":
		words = append(words, word{}) // what it reads
	}
	l.commands = append(l.commands, words)
	l.readNested(words, depth)
}

func (l *shellLine) readJoined(words []word, depth int) {
	var parts []string
	for _, w := range words {
		if !w.fixed {
			l.hide("it runs text that is not written out")
			return
		}
		parts = append(parts, w.text)
	}
	l.read(strings.Join(parts, " "), depth+1)
}

// shells are programs that run the text after -c, or what they read.
var shells = map[string]bool{"sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true, "mksh": true, "ash": true, "fish": true}

// readNested follows a command line that a command is given: that of a shell, and
// after any -c of a program that may start one.
func (l *shellLine) readNested(words []word, depth int) {
	for i, w := range words {
		if base(w) == "env" {
			l.splitString(words[i+1:], depth)
		}
		if !shells[base(w)] || i > 0 && !wrappers[base(words[0])] {
			continue
		}
		l.readScript(words[i+1:], depth)
		return
	}
	if wrappers[base(words[0])] {
		for i, w := range words[1:] {
			if w.text == "-c" && i+2 < len(words) {
				l.readJoined(words[i+2:i+3], depth)
			}
		}
		if base(words[0]) == "watch" {
			l.readJoined(words[len(words)-1:], depth)
		}
	}
}

// readScript looks into what a shell with these arguments runs.
func (l *shellLine) readScript(args []word, depth int) {
	for i, w := range args {
		switch {
		case !w.fixed:
			l.hide("what a shell runs is not written out")
			return
		case len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-' && strings.Contains(w.text, "c"):
			if i+1 == len(args) {
				l.hide("what a shell runs is not written out")
				return
			}
			l.readJoined(args[i+1:i+2], depth)
			return
		case w.text == "-s" || w.text == "-":
			l.hide("a shell runs what it reads")
			return
		case strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "+"):
		default:
			return // a script: a program of its own
		}
	}
	l.hide("a shell runs what it reads")
}

// splitString follows `env -S`, which makes words of a text.
func (l *shellLine) splitString(args []word, depth int) {
	for i, w := range args {
		switch {
		case w.text == "-S" || w.text == "--split-string":
			l.readJoined(args[i+1:], depth)
			return
		case strings.HasPrefix(w.text, "-S"), strings.HasPrefix(w.text, "--split-string="):
			l.hide("env makes words of a text")
			return
		}
	}
}

// base is the name of a program without the path to it; empty if not known.
func base(w word) string {
	if !w.fixed {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(path.Base(strings.ReplaceAll(w.text, `\`, "/")), ".exe"))
}
