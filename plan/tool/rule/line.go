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
		switch n := n.(type) {
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				l.add(n, depth)
			}
		case *syntax.Assign:
			if n.Name != nil && steers(n.Name.Value) {
				l.hide("it sets " + n.Name.Value + ", by which programs run others")
			}
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
		if words[1].text == "--" && len(words) > 2 {
			words = append(words[:1:1], words[2:]...)
		}
		l.readJoined(words[1:2], depth)
	case (name == "source" || name == ".") && len(words) > 1 && !words[1].plain:
		l.hide("it runs text that is not written out")
	case name == "git" && aliased(words[1:]):
		l.hide("it gives git an alias")
	case (name == "mapfile" || name == "readarray") && len(words) > 1:
		l.readAfter(words[1:], "C", depth)
	case name == "xargs" || name == "parallel":
		words = append(words, word{}) // what it reads
	}
	l.commands = append(l.commands, words)
	if sub, ok := strings.CutPrefix(base(words[0]), "git-"); ok {
		git := []word{{text: "git", fixed: true, plain: true}, {text: sub, fixed: true, plain: true}}
		l.commands = append(l.commands, append(git, words[1:]...))
	}
	l.readNested(words, depth)
}

// steers says whether a variable has a shell or git run something else as well.
func steers(name string) bool {
	return name == "BASH_ENV" || name == "PROMPT_COMMAND" || strings.HasPrefix(name, "GIT_CONFIG")
}

// aliased says whether options of git or a setting of its configuration define an
// alias, which is another name for a subcommand or a line of its own.
func aliased(args []word) bool {
	for _, w := range args {
		if strings.Contains(strings.ToLower(w.text), "alias.") {
			return true
		}
	}
	return false
}

// readAfter looks into the text that follows a short option.
func (l *shellLine) readAfter(args []word, letter string, depth int) {
	for i, w := range args {
		if strings.HasPrefix(w.text, "-") && strings.HasSuffix(w.text, letter) && i+1 < len(args) {
			l.readJoined(args[i+1:i+2], depth)
		}
	}
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

// valued are options of shells that have a value which is no script.
var valued = map[string]bool{"-O": true, "+O": true, "-o": true, "+o": true, "--rcfile": true, "--init-file": true}

// readScript looks into what a shell with these arguments runs.
func (l *shellLine) readScript(args []word, depth int) {
	value := false // the word is the value of the option before
	for i, w := range args {
		switch {
		case !w.fixed:
			l.hide("what a shell runs is not written out")
			return
		case value:
			value = false
		case valued[w.text]:
			value = true
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
		case strings.HasPrefix(w.text, "--sp"), len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-' && strings.Contains(w.text, "S"):
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
