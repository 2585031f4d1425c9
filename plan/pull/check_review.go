package pull

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var numberForm = regexp.MustCompile(`^-[1-9][0-9]{0,6}$`)

// CheckChunk checks what a dimension found against the context it was given.
func CheckChunk(ctx Context, name string, got Chunk) []Problem {
	c := &checks{}
	c.pins(got.Pins, ctx.Pins)
	if got.Dimension != name {
		c.add("dimension", "is %s, was asked for %s", got.Dimension, name)
		return c.problems
	}
	i := slices.IndexFunc(ctx.Dimensions, func(d Dimension) bool { return d.Name == name })
	if i < 0 {
		c.add("dimension", "is none of the context")
		return c.problems
	}
	files := ctx.Dimensions[i].Files
	var paths []string
	for j, v := range got.Coverage {
		paths = append(paths, v.Path)
		if (v.Note == nil) != (v.Extent == "full") {
			c.add(fmt.Sprintf("coverage[%d].note", j), "is given exactly when the extent is not full")
		}
	}
	if !slices.Equal(paths, files) {
		c.add("coverage", "has to name the files of the dimension in their order")
	}
	c.sources(got.Sources)
	ids := map[string]bool{}
	for j, k := range got.Candidates {
		at := fmt.Sprintf("candidates[%d]", j)
		if rest, ok := strings.CutPrefix(k.ID, name); !ok || !numberForm.MatchString(rest) || ids[k.ID] {
			c.add(at+".id", "has to be %s-<number>, each once", name)
		}
		ids[k.ID] = true
		c.candidate(at, ctx, k)
		if j > 0 && order(files, got.Candidates[j-1], k) > 0 {
			c.add(at, "stands after one of a later place")
		}
	}
	return c.problems
}

func (c *checks) candidate(at string, ctx Context, k Candidate) {
	c.loc(at+".location", k.Location)
	if len(k.Evidence) == 0 {
		c.add(at+".evidence", "is missing")
	}
	if (k.Relation == "known") != (k.RootID != nil) {
		c.add(at+".root_id", "is given exactly for what is known")
	}
	if k.RootID != nil && !ctx.hasThread(*k.RootID) {
		c.add(at+".root_id", "is no discussion that was collected")
	}
	complete := ctx.History.Status == "complete"
	if k.Relation == "new" && !complete || k.Relation == "unclassified" && complete {
		c.add(at+".relation", "%s does not fit a history that is %s", k.Relation, ctx.History.Status)
	}
}

func (c Context) hasThread(root int64) bool {
	return slices.ContainsFunc(c.History.Threads, func(t Thread) bool { return t.RootID == root })
}

func order(files []string, a, b Candidate) int {
	place := func(k Candidate) (int, int64) {
		at, line := len(files), int64(0)
		if k.Location.Path != nil {
			if i := slices.Index(files, *k.Location.Path); i >= 0 {
				at = i
			}
		}
		if k.Location.Line != nil {
			line = *k.Location.Line
		}
		return at, line
	}
	fa, la := place(a)
	fb, lb := place(b)
	return cmp.Or(cmp.Compare(fa, fb), cmp.Compare(la, lb), cmp.Compare(a.Title, b.Title))
}

// CheckVerify checks a judgement against the review that was judged.
func CheckVerify(author Payload, status Status, got Verify) []Problem {
	c := &checks{}
	a := author.Author
	c.pins(got.Pins, a.Pins)
	if got.AuthorSHA256 != author.SHA256 || got.Revision != a.Revision || got.Decision != a.Decision {
		c.add("author_sha256", "hash, revision and decision have to be those of the review that was judged")
	}
	var names []string
	failed := false
	for _, k := range got.Checks {
		names = append(names, k.Name)
		failed = failed || k.Result == "fail"
	}
	slices.Sort(names)
	if want := slices.Sorted(slices.Values(CheckNames)); !slices.Equal(names, want) {
		c.add("checks", "have to be %s, each once", strings.Join(CheckNames, ", "))
	}
	switch {
	case status == Pass && (failed || len(got.Issues) > 0):
		c.add("issues", "a review with issues or a failed check does not pass")
	case status == Fail && (len(got.Issues) == 0 || got.PublicationReady):
		c.add("issues", "a failure names an issue and is not ready to be posted")
	}
	return c.problems
}
