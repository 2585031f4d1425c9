package run

import (
	"context"
	"slices"
	"strings"
	"time"

	"planmode/plan/pull"
)

// namesPatience bounds how long the names of one review are looked for.
const namesPatience = 15 * time.Second

// names looks up what a review names in the two commits.
type names struct {
	ctx   context.Context
	from  Reading
	files []pull.FileItem
	pins  pull.Pins
	read  string // what the review quotes, where most names are
	tops  []string
}

// warnings are what of a review may be made up. It looks only for a while.
func warnings(ctx context.Context, from Reading, c pull.Context, a pull.Author) []string {
	ctx, stop := context.WithTimeout(ctx, namesPatience)
	defer stop()
	n := &names{ctx: ctx, from: from, files: c.Files.Items, pins: c.Pins}
	var quotes strings.Builder
	for _, f := range a.Findings {
		for _, e := range f.Evidence {
			quotes.WriteString(e.Quote + "\n")
		}
	}
	n.read = quotes.String()
	return pull.Warnings(n, a)
}

// HasFile implements pull.Names. A name that does not begin at the top may be short for
// a file anywhere, so nothing is known about it unless the change has it.
func (n *names) HasFile(name string) (found, known bool) {
	for _, f := range n.files {
		if f.Path == name || strings.HasSuffix(f.Path, "/"+name) || f.PreviousPath != nil && *f.PreviousPath == name {
			return true, true
		}
	}
	for _, revision := range []string{n.pins.HeadSHA, n.pins.BaseSHA} {
		if _, err := n.from.File(n.ctx, name, revision); err == nil {
			return true, true
		}
	}
	top, _, deep := strings.Cut(name, "/")
	return false, deep && n.isTop(top) && n.ctx.Err() == nil
}

func (n *names) isTop(name string) bool {
	if n.tops == nil {
		n.tops = []string{}
		for _, revision := range []string{n.pins.HeadSHA, n.pins.BaseSHA} {
			list, err := n.from.List(n.ctx, "", revision)
			if err != nil {
				return false
			}
			n.tops = append(n.tops, list...)
		}
	}
	return slices.Contains(n.tops, name) || slices.Contains(n.tops, name+"/")
}

// HasWord implements pull.Names.
func (n *names) HasWord(word string) (found, known bool) {
	if strings.Contains(n.read, word) {
		return true, true
	}
	for _, revision := range []string{n.pins.HeadSHA, n.pins.BaseSHA} {
		lines, err := n.from.Find(n.ctx, word, revision)
		if err != nil {
			return false, false
		}
		if len(lines) > 0 {
			return true, true
		}
	}
	return false, true
}
