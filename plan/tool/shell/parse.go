package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Line is a command line that only looks.
type Line struct {
	commands []command
}

// command is one simple command, and what joins it to the one before.
type command struct {
	join      string // "", ";", "&&", "||" or "|"
	negated   bool
	words     []word // the name first
	redirects []string
	rule      rule
}

// Parse reads a line and judges every part of it. The error says what is not
// allowed and, where there is something, what to do instead.
func Parse(line string) (*Line, error) {
	if len(line) > MaxLine {
		return nil, fmt.Errorf("the line is longer than %d bytes", MaxLine)
	}
	if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) {
		return nil, errors.New("the line holds a control character")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, errors.New("the line could not be read as shell")
	}
	l := &Line{}
	for i, stmt := range file.Stmts {
		join := ";"
		if i == 0 {
			join = ""
		}
		if err := l.statement(stmt, join); err != nil {
			return nil, err
		}
	}
	if len(l.commands) == 0 {
		return nil, errors.New("the line holds no command")
	}
	return l, l.together()
}

// joins are the operators between commands.
var joins = map[syntax.BinCmdOperator]string{syntax.AndStmt: "&&", syntax.OrStmt: "||", syntax.Pipe: "|"}

// statement takes in a statement. Without groups, which are refused, the order of
// the commands and what joins them is the whole structure.
func (l *Line) statement(s *syntax.Stmt, join string) error {
	if s.Background || s.Coprocess || s.Disown {
		return errors.New("commands in the background are not allowed")
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		op, ok := joins[c.Op]
		if !ok {
			return fmt.Errorf("the operator %s is not allowed", c.Op)
		}
		if s.Negated || len(s.Redirs) > 0 {
			return errors.New("groups of commands are not allowed")
		}
		if err := l.statement(c.X, join); err != nil {
			return err
		}
		return l.statement(c.Y, op)
	case *syntax.CallExpr:
		return l.call(s, c, join)
	case nil:
		return errors.New("a redirection without a command is not allowed")
	}
	return errors.New("only simple commands joined by |, &&, || and ; are allowed: no groups, loops, conditions, functions or tests in double brackets")
}

func (l *Line) call(s *syntax.Stmt, c *syntax.CallExpr, join string) error {
	if len(c.Assigns) > 0 {
		return errors.New("setting variables is not allowed")
	}
	cmd := command{join: join, negated: s.Negated}
	for _, w := range c.Args {
		read, err := readWord(w)
		if err != nil {
			return err
		}
		cmd.words = append(cmd.words, read)
	}
	for _, r := range s.Redirs {
		text, err := redirect(r)
		if err != nil {
			return err
		}
		cmd.redirects = append(cmd.redirects, text)
	}
	if err := cmd.judge(); err != nil {
		return err
	}
	l.commands = append(l.commands, cmd)
	return nil
}

// redirect judges one redirection, and writes it anew.
func redirect(r *syntax.Redirect) (string, error) {
	fd := ""
	if r.N != nil {
		fd = r.N.Value
	}
	refused := errors.New("redirections other than 2>&1, >/dev/null, 2>/dev/null and < FILE are not allowed")
	if r.Hdoc != nil || r.Word == nil || fd != "" && fd != "1" && fd != "2" {
		return "", refused
	}
	w, err := readWord(r.Word)
	if err != nil || w.glob || w.text == "" || strings.HasPrefix(w.text, "/dev/tcp") || strings.HasPrefix(w.text, "/dev/udp") {
		return "", refused
	}
	switch {
	case r.Op == syntax.RdrIn && fd == "":
		return "<" + w.script, nil
	case r.Op == syntax.RdrOut && w.text == "/dev/null":
		return fd + ">/dev/null", nil
	case r.Op == syntax.RdrAll && w.text == "/dev/null":
		return ">/dev/null 2>&1", nil
	case r.Op == syntax.DplOut && (w.text == "1" || w.text == "2"):
		return fd + ">&" + w.text, nil
	}
	return "", refused
}

// together judges what no command shows by itself: git is protected from the
// configuration of the place where the line begins, so it must stay there.
func (l *Line) together() error {
	moved := false
	for _, c := range l.commands {
		switch c.words[0].text {
		case "cd":
			moved = true
		case "git":
			if moved {
				return errors.New("git after cd is not allowed; give git the path instead, as in `git log -- DIR`")
			}
		}
	}
	return nil
}
