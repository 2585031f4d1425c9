// Package rule holds the person's own standing permissions: what is always
// denied and what is always allowed, from their configuration and from nowhere
// else.
//
// A rule is a tool and what of it: `bash git push` is every command that begins
// with these words, `files docs/**` every edit and write there, `web_read
// example.com` one host, `docs__search` a whole tool. Deny rules are matched
// generously and inside a whole command line, allow rules narrowly and on a
// single plain command only. A deny rule that cannot be read denies more rather
// than less, an allow rule that cannot be read allows nothing. The package reads
// command lines; it never runs one, touches no file, and never fails.
package rule

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Bash is the tool whose rules are words of a command, and Files stands for the
// tools that change files.
const (
	Bash  = "bash"
	Files = "files"
)

// changing are the tools that Files stands for.
var changing = map[string]bool{"edit": true, "write": true}

// pathed are the tools whose rules are patterns of paths.
var pathed = map[string]bool{
	Files: true, "edit": true, "write": true, "read": true, "grep": true, "find": true, "ls": true,
}

// Subject is a call as rules see it. Only the fields of its tool are set.
type Subject struct {
	Tool  string
	Harms bool     // it may change something: what a deny rule that cannot be read covers
	Line  string   // the command line, of bash
	Paths []string // every name of the file: relative with slashes inside the working directory, else absolute
	On    string   // what else the call is about, such as a host
}

// Rule is one rule that could be read.
type Rule struct {
	Text string // as it is written

	tool    string   // empty in a deny rule that covers every tool that harms
	words   []string // of bash; none covers every command
	pattern string   // of a path, or of what else the call is about; empty covers all
}

// Rules are the person's rules. The zero value has none.
type Rules struct {
	deny, allow []Rule
}

// Options are what reading rules needs to know.
type Options struct {
	Home string // what ~ stands for; empty leaves rules with it unread
}

var toolName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:-]*$`)

// Parse reads rules. Each problem is a sentence for the person.
func Parse(deny, allow []string, o Options) (Rules, []string) {
	var r Rules
	var problems []string
	for _, text := range deny {
		rule, err := parse(text, o)
		if err != nil {
			rule = wider(text)
			problems = append(problems, fmt.Sprintf("deny rule %q cannot be read (%v): %s", text, err, covers(rule)))
		}
		r.deny = append(r.deny, rule)
	}
	for _, text := range allow {
		rule, err := parse(text, o)
		if err == nil {
			err = rule.narrow()
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("allow rule %q is not used: %v", text, err))
			continue
		}
		r.allow = append(r.allow, rule)
	}
	return r, problems
}

// With is r with one more allow rule; without effect if that cannot be read.
func (r Rules) With(allow string) Rules {
	if rule, err := parse(allow, Options{}); err == nil && rule.narrow() == nil {
		r.allow = append(r.allow[:len(r.allow):len(r.allow)], rule)
	}
	return r
}

// Tools are the tools that rules name, for a warning about names that are none.
func (r Rules) Tools() []string {
	seen := map[string]bool{Files: true}
	var out []string
	for _, rule := range append(append([]Rule(nil), r.deny...), r.allow...) {
		if rule.tool != "" && !seen[rule.tool] {
			seen[rule.tool] = true
			out = append(out, rule.tool)
		}
	}
	return out
}

func parse(text string, o Options) (Rule, error) {
	tool, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case !toolName.MatchString(tool):
		return Rule{}, fmt.Errorf("it must begin with the name of a tool")
	case tool == Bash:
		words, err := prefix(rest)
		return Rule{Text: text, tool: tool, words: words}, err
	}
	pattern, err := expand(rest, o)
	if err == nil && !doublestar.ValidatePattern(pattern) {
		err = fmt.Errorf("%q is no pattern", rest)
	}
	return Rule{Text: text, tool: tool, pattern: pattern}, err
}

func expand(pattern string, o Options) (string, error) {
	if pattern != "~" && !strings.HasPrefix(pattern, "~/") {
		return strings.TrimPrefix(pattern, "./"), nil
	}
	if o.Home == "" {
		return "", fmt.Errorf("it is not known what ~ stands for")
	}
	return path.Join(o.Home, strings.TrimPrefix(pattern, "~")), nil
}

// wider is what a deny rule that cannot be read denies: its whole tool, or, when
// not even that can be read, every tool that may change something.
func wider(text string) Rule {
	tool, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	if !toolName.MatchString(tool) {
		tool = ""
	}
	return Rule{Text: text, tool: tool}
}

func covers(r Rule) string {
	if r.tool == "" {
		return "to be safe, everything that may change something is denied"
	}
	return "to be safe, all of " + r.tool + " is denied"
}

// narrow says why a rule is too wide, or reaches too far, to allow anything.
func (r Rule) narrow() error {
	switch {
	case r.tool == Bash && len(r.words) == 0:
		return fmt.Errorf("name the words that the command begins with")
	case pathed[r.tool] && r.pattern == "":
		return fmt.Errorf("name a path pattern, such as %q", r.tool+" docs/**")
	case pathed[r.tool] && (path.IsAbs(r.pattern) || strings.HasPrefix(r.pattern, "..") || strings.Contains(r.pattern, "/..")):
		return fmt.Errorf("only paths in the working directory can be allowed")
	}
	return nil
}

func (r Rule) names(tool string) bool { return r.tool == tool || r.tool == Files && changing[tool] }
