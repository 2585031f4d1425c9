package tool

import (
	"path/filepath"

	"planmode/plan/tool/rule"
)

// Subject implements Ruled.
func (bashTool) Subject(call Call) rule.Subject {
	args, err := decode[bashArgs](call.Args)
	if err != nil {
		return rule.Subject{} // refused before
	}
	return rule.Subject{Line: args.Command}
}

// Subject implements Ruled.
func (t editTool) Subject(call Call) rule.Subject { return aboutFile[editArgs](t.at, call) }

// Subject implements Ruled.
func (t writeTool) Subject(call Call) rule.Subject { return aboutFile[writeArgs](t.at, call) }

// Subject implements Ruled.
func (t readTool) Subject(call Call) rule.Subject { return aboutFile[readArgs](t.at, call) }

// Subject implements Ruled.
func (t grepTool) Subject(call Call) rule.Subject { return aboutFile[grepArgs](t.at, call) }

// Subject implements Ruled.
func (t findTool) Subject(call Call) rule.Subject { return aboutFile[findArgs](t.at, call) }

// Subject implements Ruled.
func (t lsTool) Subject(call Call) rule.Subject { return aboutFile[lsArgs](t.at, call) }

func (a editArgs) file() string  { return a.Path }
func (a writeArgs) file() string { return a.Path }
func (a readArgs) file() string  { return a.Path }
func (a grepArgs) file() string  { return a.Path }
func (a findArgs) file() string  { return a.Path }
func (a lsArgs) file() string    { return a.Path }

// aboutFile is the file of a call under every name that a rule may know it by. A path
// that nobody can resolve leaves it without a name, which every rule about the
// tool then denies and none allows.
func aboutFile[A interface{ file() string }](at place, call Call) rule.Subject {
	args, err := decode[A](call.Args)
	if err != nil {
		return rule.Subject{}
	}
	return rule.Subject{Paths: at.names(args.file())}
}

// names are the path as it was given and as it really is: relative inside the
// working directory, else absolute.
func (p place) names(given string) []string {
	if given == "" {
		given = "."
	}
	abs, err := p.abs(given)
	if err != nil {
		return nil
	}
	out := []string{p.ruleName(abs)}
	if real := p.ruleName(settled(abs)); real != out[0] {
		out = append(out, real)
	}
	return out
}

func (p place) ruleName(abs string) string {
	if rel, ok := under(p.dir, abs); ok {
		abs = rel
	}
	return filepath.ToSlash(abs)
}
