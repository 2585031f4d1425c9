package shell

import (
	"fmt"
	"slices"
	"strings"
)

// rule says which arguments of a command only look.
type rule struct {
	// short are its one-letter flags in the manner of getopt: "ab:" allows -a, and
	// -b with a value. A ? stands for a value that is only ever attached, as in
	// -M90, and # for a number as a flag, as in -20.
	short string

	// long are its long flags, exactly as they are: "all format= color?" allows
	// --all, --format with a value, and --color with or without one attached.
	long string

	// words are flags in the manner of find: -name takes one value, -print none.
	words map[string]int

	most   int    // how many operands; 0 for any number, none for none
	files  bool   // all operands are files, so a pattern may be written ./*
	free   bool   // arguments are only ever text
	begins string // what every operand begins with

	// subs are the subcommands, of a command that has them.
	subs map[string]rule

	// check judges what the rest of a rule cannot say.
	check func(args []string) error
}

// none is for a command without operands.
const none = -1

// judge finds the rule of a command and applies it.
func (c *command) judge() error {
	name := c.words[0]
	if name.glob || name.text == "" {
		return fmt.Errorf("the name of a command must be written out")
	}
	if strings.Contains(name.text, "/") {
		return fmt.Errorf("a command is called by its name alone, not by a path like %s", name.text)
	}
	r, known := commands[name.text]
	if !known {
		return unknownCommand(name.text)
	}
	args, full := c.words[1:], name.text
	if r.subs != nil {
		sub, rest, err := r.subcommand(name.text, args)
		if err != nil {
			return err
		}
		r, args, full = sub, rest, name.text+" "+args[0].text
	}
	c.rule = r
	return r.judge(full, args)
}

// subcommand finds the rule of the subcommand that args begin with.
func (r rule) subcommand(name string, args []word) (rule, []word, error) {
	if len(args) == 0 || args[0].glob {
		return rule{}, nil, fmt.Errorf("%s without a subcommand is not allowed", name)
	}
	sub, known := r.subs[args[0].text]
	if !known {
		return rule{}, nil, fmt.Errorf("%s %s is not allowed here; the subcommands that only look are %s", name, args[0].text, strings.Join(sortedNames(r.subs), ", "))
	}
	return sub, args[1:], nil
}

func sortedNames(m map[string]rule) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// judge applies a rule to arguments.
func (r rule) judge(name string, args []word) error {
	a := &arguments{name: name, rule: r, args: args}
	for a.at < len(a.args) {
		if err := a.next(); err != nil {
			return err
		}
	}
	if r.check != nil {
		return r.check(texts(args))
	}
	return nil
}

func texts(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

// arguments are those of one command, while they are judged.
type arguments struct {
	name     string
	rule     rule
	args     []word
	at       int
	operands int
	ended    bool // by "--"
}

func (a *arguments) next() error {
	w := &a.args[a.at]
	a.at++
	switch {
	case a.rule.free && !w.loose:
		return nil
	case a.rule.words != nil:
		return a.findWord(w)
	case !a.ended && w.text == "--":
		a.ended = true
		return nil
	case !a.ended && strings.HasPrefix(w.text, "--"):
		return a.long(*w)
	case !a.ended && w.flag():
		return a.short(*w)
	}
	return a.operand(w)
}

func (a *arguments) operand(w *word) error {
	if a.operands++; a.rule.most != 0 {
		if a.operands > max(a.rule.most, 0) {
			return fmt.Errorf("%s with %q is not allowed: too many arguments for one that only looks", a.name, w.text)
		}
		if w.glob {
			return fmt.Errorf("a pattern as an argument of %s is not allowed; write the name", a.name)
		}
	}
	switch {
	case !strings.HasPrefix(w.text, a.rule.begins):
		return fmt.Errorf("%s with %q is not allowed: its arguments begin with %s", a.name, w.text, a.rule.begins)
	case w.loose && a.rule.files:
		w.text, w.script = "./"+w.text, "'./'"+w.script
	case w.loose:
		return fmt.Errorf("the pattern %q could become an option; write ./%s, or quote it if it is no pattern of files", w.text, w.text)
	}
	return nil
}

// long judges a flag that begins with two dashes.
func (a *arguments) long(w word) error {
	name, _, attached := strings.Cut(w.text[2:], "=")
	for form := range strings.FieldsSeq(a.rule.long) {
		switch form {
		case name:
			if !attached {
				return nil
			}
		case name + "?":
			return nil
		case name + "=":
			if attached {
				return nil
			}
			return a.value("--" + name)
		}
	}
	return a.refuse("--" + name)
}

// value judges the value of a flag that is a word of its own. It may not look like
// a flag: which flags take one differs between systems.
func (a *arguments) value(flag string) error {
	if a.at >= len(a.args) {
		return fmt.Errorf("%s %s has no value", a.name, flag)
	}
	w := a.args[a.at]
	a.at++
	if w.flag() && !isNumber(w.text[1:]) || w.glob {
		return fmt.Errorf("the value %q of %s %s is not allowed; attach it to the flag", w.text, a.name, flag)
	}
	return nil
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// short judges a cluster of one-letter flags.
func (a *arguments) short(w word) error {
	letters := w.text[1:]
	if isNumber(letters) && strings.Contains(a.rule.short, "#") {
		return nil
	}
	for i := 0; i < len(letters); i++ {
		at := strings.IndexByte(a.rule.short, letters[i])
		if at < 0 || strings.IndexByte(":?#", letters[i]) >= 0 {
			return a.refuse("-" + letters[i:i+1])
		}
		switch rest := a.rule.short[at+1:]; {
		case strings.HasPrefix(rest, ":"):
			if i+1 < len(letters) {
				return nil
			}
			return a.value("-" + letters[i:])
		case strings.HasPrefix(rest, "?"):
			return nil
		}
	}
	return nil
}

// findWord judges a word of an expression.
func (a *arguments) findWord(w *word) error {
	if !w.flag() && w.text != "!" && w.text != "(" && w.text != ")" {
		return a.operand(w)
	}
	n, known := a.rule.words[w.text]
	if !known && strings.HasPrefix(w.text, "-newer") && len(w.text) == len("-newer")+2 {
		n, known = 1, true
	}
	if !known || w.glob {
		return a.refuse(w.text)
	}
	for range n {
		if a.at >= len(a.args) {
			return fmt.Errorf("%s %s has no value", a.name, w.text)
		}
		if a.args[a.at].glob {
			return fmt.Errorf("quote the pattern after %s %s", a.name, w.text)
		}
		a.at++
	}
	return nil
}

func (a *arguments) refuse(flag string) error {
	if hint := instead[a.name]; hint != "" {
		return fmt.Errorf("%s %s is not allowed; %s", a.name, flag, hint)
	}
	return fmt.Errorf("%s %s is not allowed: it is not known only to look", a.name, flag)
}

// instead says what to use for commands that are often meant well.
var instead = map[string]string{
	"git status": "use git diff --cached for what is staged", "sed": "use `sed -n 'FIRST,LASTp' FILE`, head, tail, or the read tool", "awk": "use cut, grep or the read tool",
	"xargs": "name the files, or use grep -r", "less": "use the read tool", "more": "use the read tool", "man": "name in the plan what you could not check",
	"tee": "nothing may be written", "env": "variables are not set here", "bash": "give the command itself", "sh": "give the command itself",
}

func unknownCommand(name string) error {
	hint := instead[name]
	if hint == "" {
		hint = "use the tools read, grep, find and ls, and name in the plan what you could not check"
	}
	return fmt.Errorf("%s is not on the list of commands that only look; %s", name, hint)
}
