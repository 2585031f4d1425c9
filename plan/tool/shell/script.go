package shell

import "strings"

// builtins are the commands that only the shell itself can run.
var builtins = map[string]bool{"cd": true, "type": true}

// Names lists the programs that the line starts, each once.
func (l *Line) Names() []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range l.commands {
		if name := c.words[0].text; !builtins[name] && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// Script writes the line anew for a shell. start gives the words that a program
// is started with: its path and, for one that must be protected from a
// configuration, what comes of its arguments. Patterns of file names are the only
// thing that the shell still replaces: they, and what follows them, come behind the
// words of start, which is not given them.
func (l *Line) Script(start func(name string, args []string) ([]string, error)) (string, error) {
	var b strings.Builder
	for _, c := range l.commands {
		if c.join != "" {
			b.WriteString(" " + c.join + " ")
		}
		if c.negated {
			b.WriteString("! ")
		}
		words, err := c.script(start)
		if err != nil {
			return "", err
		}
		b.WriteString(strings.Join(append(words, c.redirects...), " "))
	}
	return b.String(), nil
}

func (c command) script(start func(string, []string) ([]string, error)) ([]string, error) {
	name := c.words[0].text
	if builtins[name] {
		out := []string{name}
		for _, w := range c.words[1:] {
			out = append(out, w.script)
		}
		return out, nil
	}
	fixed := 1 // the words that start gets; what follows keeps its patterns
	for fixed < len(c.words) && !c.words[fixed].glob && !strings.HasPrefix(c.words[fixed].script, "~") {
		fixed++
	}
	first, err := start(name, texts(c.words[1:fixed]))
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, len(first)+len(c.words)-fixed)
	for _, w := range first {
		out = append(out, quote(w))
	}
	for _, w := range c.words[fixed:] {
		out = append(out, w.script)
	}
	return out, nil
}
