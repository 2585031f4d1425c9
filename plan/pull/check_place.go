package pull

import (
	"fmt"
	"slices"
	"strings"
)

// located checks that the place of a finding exists, even where no comment is put.
func (c *checks) located(m Material, pins Pins, at string, l Loc) {
	if l.Path == nil {
		return
	}
	revisions := []string{pins.HeadSHA, pins.BaseSHA}
	if l.Line != nil && l.Side != nil {
		revisions = revisions[:1]
		if *l.Side == Left {
			revisions = []string{pins.BaseSHA}
		}
	}
	for _, r := range revisions {
		lines, err := m.Lines(*l.Path, r)
		if err == nil && (l.Line == nil || *l.Line <= int64(len(lines))) {
			return
		}
	}
	if l.Line == nil {
		c.add(at+".path", "%.80q is a file of neither commit", *l.Path)
		return
	}
	c.add(at+".line", "%.80q has no line %d on that side", *l.Path, *l.Line)
}

// CheckGuidance proves that what the project is said to want stands in the base: a file
// that the change itself brings is no guidance.
func CheckGuidance(m Material, got Context) []Problem {
	c := &checks{}
	for i, g := range got.Guidance {
		if _, err := m.Lines(g.Path, got.Pins.BaseSHA); err != nil {
			c.add(fmt.Sprintf("guidance[%d].path", i), "%.80q is no file of the base", g.Path)
		}
	}
	return c.problems
}

// sources checks that what is said to be looked up names where.
func (c *checks) sources(list []Source) {
	for i, s := range list {
		if s.Result != "unavailable" && (s.URL == nil || !strings.HasPrefix(*s.URL, "https://")) {
			c.add(fmt.Sprintf("sources[%d].url", i), "what is %s has an address that begins with https://", s.Result)
		}
	}
}

// kept checks that no risk that stands in the way of a decision was lost on the way.
func (c *checks) kept(chunks []Chunk, got Author) {
	for _, ch := range chunks {
		for _, r := range ch.Risks {
			if !r.BlocksPosting && !r.BlocksApproval {
				continue
			}
			ok := slices.ContainsFunc(got.Risks, func(k Risk) bool {
				return k.ID == r.ID && (k.BlocksPosting || !r.BlocksPosting) && (k.BlocksApproval || !r.BlocksApproval)
			})
			if !ok {
				c.add("risks", "%.60q of %s has to be kept, with what it blocks", r.ID, ch.Dimension)
			}
		}
	}
}
