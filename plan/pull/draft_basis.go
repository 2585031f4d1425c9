package pull

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"planmode/plan/text"
)

// Bounds of lists that are for people: more of it is counted, not listed.
const (
	maxTable   = 30 // files, one by one
	maxNamed   = 10 // files of one reason, by name
	maxFolders = 6  // folders of one reason, by number
)

// candidates says what became of what the dimensions found. What was confirmed as it
// was needs no words of its own.
func (s *sheet) candidates() {
	var plain []string
	s.put("## What became of every candidate\n\n")
	for _, t := range s.d.Author.Trace {
		switch {
		case t.Disposition == "confirm":
			plain = append(plain, text.Line(t.CandidateID))
		case t.FindingID != nil && *t.FindingID != t.CandidateID:
			s.put("- %s: %s into %s, %s\n", text.Line(t.CandidateID), t.Disposition, text.Line(*t.FindingID), inline(t.Reason))
		default:
			s.put("- %s: %s, %s\n", text.Line(t.CandidateID), t.Disposition, inline(t.Reason))
		}
	}
	switch {
	case len(s.d.Author.Trace) == 0:
		s.put("There were none.\n")
	case len(plain) > 0:
		s.put("- confirmed: %s\n", strings.Join(plain, ", "))
	}
	s.put("\n")
}

// Reach is how much of a change was read.
type Reach struct {
	Full, Partial, None int // files, by the most that any dimension read of them
	Total               int // of the change, listed or not
}

// Reached counts the files of a change by how much of them was read.
func Reached(c Context, chunks []Chunk) Reach {
	most := map[string]string{}
	for _, ch := range chunks {
		for _, v := range ch.Coverage {
			if most[v.Path] != "full" && (v.Extent == "full" || v.Extent == "partial" || most[v.Path] == "") {
				most[v.Path] = v.Extent
			}
		}
	}
	r := Reach{Total: int(c.Files.Total)}
	for _, extent := range most {
		switch extent {
		case "full":
			r.Full++
		case "partial":
			r.Partial++
		}
	}
	r.None = r.Total - r.Full - r.Partial
	return r
}

// String is the count in words.
func (r Reach) String() string {
	out := fmt.Sprintf("%d of %s", r.Full, text.Count(r.Total, "changed file"))
	if r.Partial > 0 {
		out += fmt.Sprintf(", %d more in part", r.Partial)
	}
	if r.None > 0 {
		out += fmt.Sprintf("; %d not at all", r.None)
	}
	return out
}

func (s *sheet) reach() string { return Reached(s.d.Context, s.d.Chunks).String() }

// coverage says what was read by whom: file by file for a change of fair size, and in
// numbers for a large one. What was not read is never only a number.
func (s *sheet) coverage() {
	s.put("## Coverage\n\n")
	if len(s.d.Context.Files.Items) <= maxTable {
		s.table()
	} else {
		for _, ch := range s.d.Chunks {
			n := map[string]int{}
			for _, v := range ch.Coverage {
				n[v.Extent]++
			}
			s.put("- %s: %d in full, %d in part, %d not, of %s\n", ch.Dimension, n["full"], n["partial"], n["none"], text.Count(len(ch.Coverage), "file"))
		}
		s.put("\n")
	}
	s.gaps()
}

// table has a row for each file and a column for each dimension.
func (s *sheet) table() {
	var names, rule []string
	for _, ch := range s.d.Chunks {
		names, rule = append(names, ch.Dimension), append(rule, "---")
	}
	if len(names) == 0 {
		return
	}
	s.put("| File | Lines | %s |\n|---|---|%s|\n", strings.Join(names, " | "), strings.Join(rule, "|"))
	for _, f := range s.d.Context.Files.Items {
		size := fmt.Sprintf("+%d −%d", f.Additions, f.Deletions)
		if f.Patch == "missing" {
			size = "no text"
		}
		row := []string{strings.ReplaceAll(codeSpan(f.Path), "|", "\\|"), size}
		for _, ch := range s.d.Chunks {
			cell := ""
			for _, v := range ch.Coverage {
				if v.Path == f.Path {
					cell = v.Extent
				}
			}
			row = append(row, cell)
		}
		s.put("| %s |\n", strings.Join(row, " | "))
	}
	s.put("\n")
}

// gaps names what nobody read, by reason.
func (s *sheet) gaps() {
	var reasons []string
	files := map[string][]string{}
	add := func(why, name string) {
		if files[why] == nil {
			reasons = append(reasons, why)
		}
		files[why] = append(files[why], name)
	}
	for _, u := range s.d.Context.Uncovered {
		add("not read: "+inline(u.Why), u.Path)
	}
	for _, ch := range s.d.Chunks {
		for _, v := range ch.Coverage {
			if v.Note != nil {
				add(map[string]string{"partial": "read in part", "none": "not read"}[v.Extent]+" for "+ch.Dimension+": "+inline(*v.Note), v.Path)
			}
		}
	}
	for _, why := range reasons {
		s.put("- %s, %s: %s\n", text.Count(len(files[why]), "file"), why, some(files[why]))
	}
	if f := s.d.Context.Files; !f.Complete {
		s.put("- %s of %d could not even be listed\n", text.Count(int(f.Total-f.Listed), "file"), f.Total)
	} else if len(reasons) == 0 {
		s.put("Every changed file was read.\n")
	}
	s.put("\n")
}

// some names a few files, and of many the folders in which most of them lie.
func some(files []string) string {
	var out []string
	if len(files) <= maxNamed {
		for _, f := range files {
			out = append(out, codeSpan(f))
		}
		return strings.Join(out, ", ")
	}
	count := map[string]int{}
	var folders []string
	for _, f := range files {
		top, _, deep := strings.Cut(f, "/")
		if !deep {
			top = "."
		} else if rest := strings.TrimPrefix(path.Dir(f), top+"/"); rest != path.Dir(f) {
			second, _, _ := strings.Cut(rest, "/")
			top += "/" + second
		}
		if count[top]++; count[top] == 1 {
			folders = append(folders, top)
		}
	}
	slices.SortStableFunc(folders, func(a, b string) int { return count[b] - count[a] })
	rest := 0
	for i, f := range folders {
		if i < maxFolders {
			out = append(out, fmt.Sprintf("%d in %s", count[f], codeSpan(f)))
		} else {
			rest += count[f]
		}
	}
	if rest > 0 {
		out = append(out, fmt.Sprintf("%d elsewhere", rest))
	}
	return strings.Join(out, ", ")
}

// basis is what the review rests on and where it ends.
func (s *sheet) basis() {
	c := s.d.Context
	s.put("## Checks, risks and limits\n\n- Checks of the head, seen at %s: %s\n", c.CI.ObservedAt, s.ci())
	if h := c.History; h.Reason != nil {
		s.put("- What was said before: %s, %s\n", h.Status, inline(*h.Reason))
	} else {
		s.put("- What was said before: %s, %s\n", text.Count(len(h.Threads), "discussion"), text.Count(len(h.Reviews), "review"))
	}
	for _, r := range s.risks() {
		s.put("- Risk: %s%s\n", inline(r.Text), stops(r))
	}
	for _, w := range s.d.Warnings {
		s.put("- Look twice: %s\n", inline(w))
	}
	for _, k := range s.d.Verify.Checks {
		if k.Note != nil && k.Result == "fail" {
			s.put("- Verification of %s: %s, %s\n", k.Name, k.Result, inline(*k.Note))
		}
	}
	s.put("- Verified: %s\n", s.verified())
	for _, o := range s.d.Verify.Observations {
		s.put("- The verifier saw: %s\n", inline(o))
	}
	for _, l := range s.limits() {
		s.put("- Limit: %s\n", inline(l))
	}
	for _, src := range s.sources() {
		s.put("- Source: %s\n", src)
	}
	s.put("\n")
}

func (s *sheet) ci() string {
	ci := s.d.Context.CI
	var bad []string
	for _, k := range ci.Checks {
		if k.Conclusion != nil && slices.Contains([]string{"failure", "timed_out", "error", "action_required"}, *k.Conclusion) && len(bad) < maxNamed {
			bad = append(bad, codeSpan(k.Name))
		}
	}
	out := ci.Overall
	if len(bad) > 0 {
		out += " (" + strings.Join(bad, ", ") + ")"
	}
	if ci.Truncated {
		out += ", not all of them are known"
	}
	return out
}

func stops(r Risk) string {
	switch {
	case r.BlocksPosting:
		return " (nothing is posted because of it)"
	case r.BlocksApproval:
		return " (nothing is approved because of it)"
	}
	return ""
}
