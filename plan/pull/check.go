package pull

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// checks collects what is wrong with a payload whose form is right.
type checks struct{ problems []Problem }

func (c *checks) add(path, format string, args ...any) {
	if len(c.problems) < MaxProblems {
		c.problems = append(c.problems, Problem{path, fmt.Sprintf(format, args...)})
	}
}

func (c *checks) pins(got, want Pins) {
	if got != want {
		c.add("pins", "differ from those of the context")
	}
}

// CheckContext compares a context with the facts that this program collected itself. A
// role adds dimensions, intent, digests and risks; of the facts it changes nothing.
func CheckContext(facts, got Context, focus string) []Problem {
	c := &checks{}
	for _, f := range []struct {
		name      string
		want, got any
	}{
		{"pr", facts.PR, got.PR}, {"pins", facts.Pins, got.Pins}, {"viewer", facts.Viewer, got.Viewer},
		{"history", undigested(facts.History), undigested(got.History)}, {"ci", facts.CI, got.CI}, {"files", facts.Files, got.Files},
	} {
		if !same(f.want, f.got) {
			c.add(f.name, "differs from what was collected")
		}
	}
	c.history(got.History)
	c.sources(got.Sources)
	c.dimensions(got, focus)
	for i, g := range got.Guidance {
		if g.Revision != got.Pins.BaseSHA {
			c.add(fmt.Sprintf("guidance[%d].revision", i), "has to be the base, since the head is what is reviewed")
		}
	}
	if got.CI.HeadSHA != got.Pins.HeadSHA {
		c.add("ci.head_sha", "is of another commit")
	}
	if got.Files.Complete != (got.Files.Listed == got.Files.Total) || got.Files.Listed != int64(len(got.Files.Items)) {
		c.add("files", "the numbers do not add up")
	}
	return c.problems
}

func undigested(h History) History {
	h.Threads = slices.Clone(h.Threads)
	for i := range h.Threads {
		h.Threads[i].Digest = ""
	}
	return h
}

// same takes a list that is empty for one that was never made.
func same(a, b any) bool { return encode(a) == encode(b) || reflect.DeepEqual(a, b) }

func (c *checks) history(h History) {
	if (h.Reason == nil) != (h.Status == "complete") {
		c.add("history.reason", "is given exactly when something is missing")
	}
	seen := map[int64]bool{}
	for i, t := range h.Threads {
		at := fmt.Sprintf("history.threads[%d].comment_ids", i)
		if len(t.CommentIDs) == 0 || t.CommentIDs[0] != t.RootID || !slices.IsSorted(t.CommentIDs) {
			c.add(at, "has to begin with the root and to rise")
		}
		for _, id := range t.CommentIDs {
			if seen[id] {
				c.add(at, "%d stands there twice", id)
			}
			seen[id] = true
		}
	}
}

func (c *checks) dimensions(got Context, focus string) {
	if n := len(got.Dimensions); n < 1 || n > 6 {
		c.add("dimensions", "are %d, have to be 1 to 6", n)
	}
	listed, covered, names := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range got.Files.Items {
		listed[f.Path] = true
	}
	for i, d := range got.Dimensions {
		at := fmt.Sprintf("dimensions[%d]", i)
		if names[d.Name] {
			c.add(at+".name", "%s stands there twice", d.Name)
		}
		names[d.Name] = true
		if focus != "" && focus != "full" && d.Name != focus && !strings.HasPrefix(d.Name, focus+"-") {
			c.add(at+".name", "only %s is asked for", focus)
		}
		mine := map[string]bool{}
		for _, f := range d.Files {
			if !listed[f] || mine[f] {
				c.add(at+".files", "%.80q is no changed file, or there twice", f)
			}
			mine[f], covered[f] = true, true
		}
	}
	for i, u := range got.Uncovered {
		if !listed[u.Path] {
			c.add(fmt.Sprintf("uncovered[%d]", i), "%.80q is no changed file", u.Path)
		}
		covered[u.Path] = true
	}
	for _, f := range got.Files.Items {
		if !covered[f.Path] {
			c.add("dimensions", "%.80q is in none and not named as uncovered", f.Path)
		}
	}
}

// loc checks that a place says all that its kind calls for and nothing else.
func (c *checks) loc(at string, l Loc) {
	line := l.Side != nil && l.Line != nil && (l.StartSide == nil) == (l.StartLine == nil)
	bare := l.Side == nil && l.Line == nil && l.StartSide == nil && l.StartLine == nil
	ok := false
	switch l.Kind {
	case "line":
		ok = l.Path != nil && line && l.Why == nil
	case "file":
		ok = l.Path != nil && bare && l.Why == nil
	case "unknown":
		ok = l.Path == nil && bare && l.Why != nil
	}
	if !ok {
		c.add(at, "does not say what a place of the kind %s says", l.Kind)
	}
}
