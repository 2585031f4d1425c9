package archive

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/store"
)

// Words says a kind of decision the way a person would.
func Words(k plan.DecisionKind) string {
	switch k {
	case plan.DecidedChanges:
		return "changes requested"
	case plan.DecidedAutoApproved:
		return "AUTO-APPROVED, not reviewed"
	case plan.DecidedKept:
		return "kept as draft"
	case plan.DecidedCancelled:
		return "review cancelled"
	case plan.DecidedLeft:
		return "Plan Mode left, not approved"
	}
	return text.Line(string(k))
}

// ExportPlan writes one revision as Markdown with its decision record, the latest
// when revision is 0. The record comes first, since the text of a plan could
// otherwise forge one; all that follows the rule is the text, to the end.
func ExportPlan(w io.Writer, s *store.Store, id plan.ID, revision int) error {
	m, err := s.Manifest(id)
	if err != nil {
		return err
	}
	if revision == 0 {
		revision = m.CurrentRevision
	}
	ref, ok := m.Ref(revision)
	if !ok {
		return fmt.Errorf("export %s r%d: %w", id, revision, store.ErrNoRevision)
	}
	body, err := s.Revision(ref)
	if err != nil {
		return fmt.Errorf("export %w", err)
	}
	x := &exporter{w: bufio.NewWriter(w), store: s}
	x.planHead(m, ref)
	x.record(m)
	clean := text.Clean(string(body))
	if clean == string(body) {
		x.printf("\nEverything below the line is r%d, byte for byte.\n\n---\n\n", revision)
	} else {
		x.printf("\nEverything below the line is r%d, cleaned for terminals: not the exact bytes.\n\n---\n\n", revision)
	}
	x.printf("%s", clean)
	if err := x.w.Flush(); err != nil {
		return fmt.Errorf("export %s: %w", ref, err)
	}
	return nil
}

func (x *exporter) planHead(m plan.Manifest, ref plan.Ref) {
	r := m.Find(ref.Revision)
	x.printf("# %s\n\n", inline(r.Title))
	x.printf("- Plan: %s\n- Revision: r%d of %d", inline(string(m.PlanID)), ref.Revision, m.CurrentRevision)
	if r.BasedOn > 0 {
		x.printf(", based on r%d", r.BasedOn)
	}
	x.printf(", written by %s\n- Hash: %s\n- Chain: %s\n", inline(string(r.Author)), r.Hash, r.Chain)
	x.printf("- Status: %s\n- Directory: %s\n- Written: %s\n", inline(string(m.StatusOf(ref.Revision))), inline(m.Cwd), stamp(r.CreatedAt))
	if a := m.Approval(ref.Revision); a != nil {
		how := "approved"
		if a.Kind == plan.DecidedAutoApproved {
			how = "auto-approved, not reviewed"
		}
		x.printf("- Approval: **%s** by %s, %s\n", how, inline(string(a.By)), stamp(a.At))
		if a.Head != "" {
			x.printf("- Git HEAD at approval: %s\n", inline(a.Head))
		}
	}
}

// record lists what was decided about the whole plan, oldest first.
func (x *exporter) record(m plan.Manifest) {
	x.printf("\n## Decision record\n\n")
	if len(m.Decisions) == 0 {
		x.printf("Nothing was decided yet.\n")
		return
	}
	x.printf("Times are UTC. What somebody wrote is quoted.\n\n")
	for _, d := range m.Decisions {
		x.printf("- %s · r%d · **%s** by %s · %s", stamp(d.At), d.Revision, inline(Words(d.Kind)), inline(string(d.By)), d.Hash)
		for _, part := range []struct{ name, value string }{
			{"session", d.Session}, {"entry", string(d.Entry)}, {"reviewer", d.Reviewer},
		} {
			if part.value != "" {
				x.printf(" · %s %s", part.name, inline(part.value))
			}
		}
		x.printf("\n")
		if notes := strings.TrimSpace(text.Clean(d.Notes)); notes != "" {
			for line := range strings.SplitSeq(notes, "\n") {
				x.printf("  > %s\n", line)
			}
		}
		if d.Touched != nil {
			x.printf("  Changed since the approval: %s\n", inline(Files(d.Touched.Files, d.Touched.More)))
		}
	}
}

// Files names files in one line, with how many are left out.
func Files(names []string, more int) string {
	const most = 20
	if len(names) > most {
		names, more = names[:most], more+len(names)-most
	}
	if len(names)+more == 0 {
		return "none"
	}
	list := text.Line(strings.Join(names, ", "))
	if more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// Reach compares the files that an approved revision named with those that
// changed until its work was completed.
type Reach struct {
	Named     []string `json:"named"`     // that the plan names
	Touched   []string `json:"touched"`   // that changed
	Unplanned []string `json:"unplanned"` // changed, and not named
	Untouched []string `json:"untouched"` // named, and not changed
	More      int      `json:"more,omitempty"`
	How       string   `json:"how,omitempty"`
}

// ReachOf is the reach of revision n; ok is false when its completion recorded
// no files.
func ReachOf(m plan.Manifest, n int) (Reach, bool) {
	var named []plan.NamedFile
	var touched *plan.Touched
	for _, d := range m.Decisions {
		switch {
		case d.Revision != n:
		case d.Kind.Approves():
			named = d.Named
		case d.Kind == plan.DecidedCompleted && d.Touched != nil:
			touched = d.Touched
		}
	}
	if touched == nil {
		return Reach{}, false
	}
	return Compare(named, *touched), true
}

// Compare sorts files by whether they were planned and whether they changed.
func Compare(named []plan.NamedFile, touched plan.Touched) Reach {
	r := Reach{Named: []string{}, Touched: touched.Files, Unplanned: []string{}, Untouched: []string{}, More: touched.More, How: touched.How}
	if r.Touched == nil {
		r.Touched = []string{}
	}
	changed, planned := map[string]bool{}, map[string]bool{}
	for _, f := range touched.Files {
		changed[f] = true
	}
	for _, f := range named {
		planned[f.Path] = true
		r.Named = append(r.Named, f.Path)
		if !changed[f.Path] {
			r.Untouched = append(r.Untouched, f.Path)
		}
	}
	for _, f := range touched.Files {
		if !planned[f] {
			r.Unplanned = append(r.Unplanned, f)
		}
	}
	return r
}
