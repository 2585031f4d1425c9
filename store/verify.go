package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"planmode/plan"
)

// Finding is one thing about the files of a plan that is not as it was written.
type Finding struct {
	File     string `json:"file"`               // relative to the plan, with slashes
	Revision int    `json:"revision,omitempty"` // 0 when it is about the whole plan
	What     string `json:"what"`               // "hash", "sum", "chain of r2", "missing", …
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
}

// Verification is the outcome of Verify.
type Verification struct {
	Plan      plan.ID   `json:"plan"`
	Title     string    `json:"title,omitempty"`
	Revisions int       `json:"revisions"`
	Decisions int       `json:"decisions"`
	Problems  []Finding `json:"problems"`
	Notes     []Finding `json:"notes"` // what has no checksum, or does not belong to the plan
}

// Verify recomputes all that the record of a plan binds: the sum of the manifest,
// every chain value and digest, the hash of every revision, and of the notes of
// every round that was decided since those are recorded, and the sums of
// baselines. It changes nothing, and goes on after a problem. The error is of looking at all.
func (s *Store) Verify(id plan.ID) (Verification, error) {
	v := Verification{Plan: id, Problems: []Finding{}, Notes: []Finding{}}
	d, err := s.planDir(id)
	if errors.Is(err, ErrSymlink) {
		v.problem(Finding{File: ".", What: "no directory", Found: err.Error()})
		return v, nil
	}
	if err != nil {
		return v, fmt.Errorf("verify %s: %w", id, err)
	}
	defer d.close()
	b, err := d.readFile(manifestName, manifestLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return v, fmt.Errorf("verify %s: %w: it has no manifest", id, ErrNoPlan)
	}
	if err != nil {
		v.problem(Finding{File: manifestName, What: "unreadable", Found: err.Error()})
		return v, nil
	}
	m, differ := plan.Examine(id, b)
	for _, x := range differ {
		v.problem(Finding{manifestName, x.Revision, x.What, x.Expected, x.Found})
	}
	v.Title, v.Revisions, v.Decisions = m.Title, len(m.Revisions), len(m.Decisions)
	if m.Sum != "" && !strings.Contains(string(b), string(m.Sum)) {
		v.note(Finding{File: manifestName, What: "no checksums", Found: "version 2 has none; only the hashes of revisions were checked"})
	}
	v.revisions(d, m)
	v.reviews(d, m)
	v.baselines(d)
	return v, nil
}

func (v *Verification) problem(f Finding) { v.Problems = append(v.Problems, f) }
func (v *Verification) note(f Finding)    { v.Notes = append(v.Notes, f) }

// revisions checks the file of every revision, and names files of none.
func (v *Verification) revisions(top *dir, m plan.Manifest) {
	d, err := top.sub(revisionsName)
	if err != nil {
		if len(m.Revisions) > 0 {
			v.problem(Finding{File: revisionsName, What: what(err), Found: err.Error()})
		}
		return
	}
	defer d.close()
	known := map[string]bool{}
	for i, r := range m.Revisions {
		name := revisionName(i + 1)
		known[name] = true
		v.content(d, revisionsName, name, i+1, r.Hash)
	}
	v.strangers(d, revisionsName, known)
}

// reviews checks the notes that a decision has the hash of.
func (v *Verification) reviews(top *dir, m plan.Manifest) {
	d, err := top.sub(reviewsName)
	if errors.Is(err, fs.ErrNotExist) {
		d = nil
	} else if err != nil {
		v.problem(Finding{File: reviewsName, What: what(err), Found: err.Error()})
		return
	} else {
		defer d.close()
	}
	known := map[string]bool{}
	for _, decided := range m.Decisions {
		if decided.Collected == "" {
			continue
		}
		name := roundName(decided.Revision, decided.Round)
		if d == nil {
			v.problem(Finding{reviewsName + "/" + name, decided.Revision, "missing", string(decided.Collected), ""})
		} else if !known[name] {
			v.content(d, reviewsName, name, decided.Revision, decided.Collected)
		}
		known[name] = true
	}
	if d != nil {
		v.strangers(d, reviewsName, known)
	}
}

// baselines checks what was kept of work trees by the sum at its end.
func (v *Verification) baselines(top *dir) {
	d, err := top.sub(baselineName)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		v.problem(Finding{File: baselineName, What: what(err), Found: err.Error()})
		return
	}
	defer d.close()
	names, err := d.names()
	if err != nil {
		v.problem(Finding{File: baselineName, What: "unreadable", Found: err.Error()})
		return
	}
	for _, e := range names {
		b, err := d.readFile(e.Name(), baselineLimit)
		if err != nil {
			v.problem(Finding{File: baselineName + "/" + e.Name(), What: "unreadable", Found: err.Error()})
		} else if _, ok := unsealed(b); !ok {
			v.problem(Finding{File: baselineName + "/" + e.Name(), What: "sum", Found: "it does not fit the content"})
		}
	}
}

// content compares the hash of one file.
func (v *Verification) content(d *dir, folder, name string, revision int, want plan.Hash) {
	f := Finding{File: folder + "/" + name, Revision: revision, Expected: string(want)}
	b, err := d.readFile(name, manifestLimit)
	if err != nil {
		f.What, f.Found = what(err), err.Error()
		v.problem(f)
		return
	}
	if got := plan.HashOf(b); got != want {
		f.What, f.Found = "hash", string(got)
		v.problem(f)
	}
}

// strangers notes the files that nothing in the record vouches for.
func (v *Verification) strangers(d *dir, folder string, known map[string]bool) {
	names, err := d.names()
	if err != nil {
		v.problem(Finding{File: folder, What: "unreadable", Found: err.Error()})
		return
	}
	for _, e := range names {
		if !known[e.Name()] {
			v.note(Finding{File: folder + "/" + e.Name(), What: "not covered", Found: "no checksum of it is recorded"})
		}
	}
}

// what names the kind of a failed look.
func what(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case errors.Is(err, ErrSymlink):
		return "no regular file"
	}
	return "unreadable"
}
