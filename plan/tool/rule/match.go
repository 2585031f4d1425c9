package rule

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Denied is what the deny rules say of a call.
type Denied struct {
	Rule   string // the rule that denies it; empty if none does
	Unsure string // why none can be ruled out; empty if all can
}

// Denies says whether a deny rule covers a call, or might.
func (r Rules) Denies(s Subject) Denied {
	var line *shellLine
	var out Denied
	for _, rule := range r.deny {
		switch {
		case rule.tool == "":
			if s.Harms {
				return Denied{Rule: rule.Text}
			}
			continue
		case !rule.names(s.Tool):
			continue
		case s.Tool == Bash && len(rule.words) > 0:
			if line == nil {
				line = readLine(s.Line)
			}
			switch hit, unsure := line.begins(rule.words); {
			case hit:
				return Denied{Rule: rule.Text}
			case unsure != "" && out.Unsure == "":
				out.Unsure = unsure
			}
			continue
		}
		if rule.deniesOther(s) {
			return Denied{Rule: rule.Text}
		}
	}
	return out
}

// deniesOther matches generously: without case, at any depth when the pattern
// names no directory, and everything below what it names.
func (r Rule) deniesOther(s Subject) bool {
	if r.pattern == "" {
		return true
	}
	pattern := strings.ToLower(r.pattern)
	if !pathed[r.tool] {
		return s.On == "" || matches(pattern, strings.ToLower(s.On))
	}
	if len(s.Paths) == 0 {
		return true // which file it is about is not known
	}
	for _, p := range s.Paths {
		for at := strings.ToLower(p); at != "." && at != "/" && at != ""; at = path.Dir(at) {
			if matches(pattern, at) || !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") && matches(strings.TrimSuffix(pattern, "/"), path.Base(at)) {
				return true
			}
		}
	}
	return false
}

// Allows says whether an allow rule covers all of a call, exactly.
func (r Rules) Allows(s Subject) bool {
	for _, rule := range r.allow {
		if !rule.names(s.Tool) {
			continue
		}
		switch {
		case s.Tool == Bash:
			if plainBegins(s.Line, rule.words) {
				return true
			}
		case pathed[rule.tool]:
			if rule.allowsPaths(s.Paths) {
				return true
			}
		case rule.pattern == "" || s.On != "" && matches(rule.pattern, s.On):
			return true
		}
	}
	return false
}

// allowsPaths wants every name of the file inside the working directory and under
// the pattern: a link must not lead to where nothing was allowed.
func (r Rule) allowsPaths(paths []string) bool {
	for _, p := range paths {
		if path.IsAbs(p) || p == "." || !matches(r.pattern, p) {
			return false
		}
	}
	return len(paths) > 0
}

func matches(pattern, name string) bool {
	ok, err := doublestar.Match(pattern, name)
	return ok && err == nil
}
