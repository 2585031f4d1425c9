package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"planmode/plan"
)

const (
	importPrefix = ".import-"
	importLock   = ".import.lock"
)

// ErrOther reports that the store has another plan under the id of one that is to
// be imported.
var ErrOther = errors.New("the store has a plan of this id with other revisions")

// Import is what became of one plan of a foreign store.
type Import struct {
	Name      string        `json:"name"` // of its directory
	Plan      plan.ID       `json:"plan,omitempty"`
	Title     string        `json:"title,omitempty"`
	Revisions int           `json:"revisions"`
	Outcome   ImportOutcome `json:"outcome"`
	Reason    string        `json:"reason,omitempty"` // why it was refused
}

// ImportOutcome is how the import of one plan ended.
type ImportOutcome string

// The outcomes.
const (
	Imported ImportOutcome = "imported"
	Present  ImportOutcome = "present" // was there already
	Refused  ImportOutcome = "refused"
)

// foreign is a plan of another store, read and verified.
type foreign struct {
	manifest plan.Manifest
	texts    [][]byte
	notes    []byte // on the current revision; may be nil
}

// ImportPlans copies the plans of another store: a directory of plans, one that
// has such a directory, or a single plan; of version 2 or 3. Nothing there is
// changed, no link is followed, and a plan of which anything is not as its
// manifest says is refused whole, with the reason. Importing again changes
// nothing. With dry nothing is written.
func (s *Store) ImportPlans(path string, dry bool) ([]Import, error) {
	source, names, err := openForeign(path)
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	defer source.close()
	var out []Import
	for _, name := range names {
		out = append(out, s.importOne(source, name, dry))
	}
	return out, nil
}

// openForeign finds the directory that holds the plans, and their names.
func openForeign(path string) (*dir, []string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	if _, err := plan.ParseID(filepath.Base(abs)); err == nil {
		h, err := openHandle(filepath.Dir(abs))
		return &dir{h, filepath.Dir(abs), nil}, []string{filepath.Base(abs)}, err
	}
	h, err := openHandle(abs)
	if err != nil {
		return nil, nil, err
	}
	d := &dir{h, abs, nil}
	if inner, err := d.sub(plansName); err == nil {
		d.close()
		d = inner
	}
	entries, err := d.names()
	if err != nil {
		d.close()
		return nil, nil, err
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); name[0] != '.' && (e.IsDir() || e.Type()&fs.ModeSymlink != 0) {
			names = append(names, name)
		}
	}
	return d, names, nil
}

func (s *Store) importOne(source *dir, name string, dry bool) Import {
	r := Import{Name: name, Outcome: Refused}
	id, err := plan.ParseID(name)
	if err != nil {
		r.Reason = "its name is no plan id"
		return r
	}
	r.Plan = id
	f, err := readForeign(source, id)
	if err != nil {
		r.Reason = err.Error()
		return r
	}
	r.Title, r.Revisions = f.manifest.Title, len(f.texts)
	switch there, err := s.sameAs(f); {
	case err != nil:
		r.Reason = err.Error()
		return r
	case there:
		r.Outcome = Present
		return r
	}
	if !dry {
		if err := s.takeIn(f); err != nil {
			r.Reason = err.Error()
			return r
		}
	}
	r.Outcome = Imported
	return r
}

// readForeign reads one plan and verifies all that its manifest binds.
func readForeign(source *dir, id plan.ID) (foreign, error) {
	var f foreign
	d, err := source.sub(string(id))
	if err != nil {
		return f, err
	}
	defer d.close()
	b, err := d.readFile(manifestName, manifestLimit)
	if err != nil {
		return f, fmt.Errorf("its manifest: %w", err)
	}
	if f.manifest, err = plan.ParseManifestFor(id, b); err != nil {
		return f, err
	}
	for n := range f.manifest.Revisions {
		ref, _ := f.manifest.Ref(n + 1)
		text, err := d.readRevision(ref)
		if err != nil {
			return f, err
		}
		f.texts = append(f.texts, text)
	}
	if f.manifest.Status == plan.StatusChangesRequested {
		f.notes = lastNotes(d)
	}
	f.manifest.Storage = plan.Persistent
	return f, nil
}

// lastNotes reads what version 2 kept of the last review; nil if that is not to
// be had.
func lastNotes(d *dir) []byte {
	review, err := d.sub(reviewName)
	if err != nil {
		return nil
	}
	defer review.close()
	b, err := review.readFile("annotations.md", manifestLimit)
	if err != nil {
		return nil
	}
	return b
}

// sameAs says whether the store has the plan already, with the same revisions or
// more that follow on them.
func (s *Store) sameAs(f foreign) (bool, error) {
	m, err := s.Manifest(f.manifest.PlanID)
	if errors.Is(err, ErrNoPlan) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if len(m.Revisions) < len(f.manifest.Revisions) {
		return false, ErrOther
	}
	for i, r := range f.manifest.Revisions {
		if m.Revisions[i].Hash != r.Hash {
			return false, ErrOther
		}
	}
	return true, nil
}

// takeIn writes the plan under a name that no list shows and gives it its own
// when it is whole and durable.
func (s *Store) takeIn(f foreign) error {
	plans, err := s.data.ensure(plansName)
	if err != nil {
		return err
	}
	defer plans.close()
	lock, err := plans.lock(importLock, "an import", s.opt.Wait, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	name := importPrefix + string(f.manifest.PlanID)
	if err := plans.removeTree(name); err != nil {
		return err
	}
	d, err := plans.ensure(name)
	if err != nil {
		return err
	}
	defer d.close()
	if err := d.writeForeign(f); err != nil {
		return err
	}
	if there, err := plans.exists(string(f.manifest.PlanID)); err != nil || there {
		return errors.Join(err, ErrOther)
	}
	if err := plans.rename(name, string(f.manifest.PlanID)); err != nil {
		return err
	}
	return errors.Join(plans.sync(), s.data.sync())
}

func (d *dir) writeForeign(f foreign) error {
	revisions, err := d.ensure(revisionsName)
	if err != nil {
		return err
	}
	defer revisions.close()
	for i, text := range f.texts {
		if err := revisions.create(revisionName(i+1), text); err != nil {
			return err
		}
	}
	if f.notes != nil {
		reviews, err := d.ensure(reviewsName)
		if err != nil {
			return err
		}
		defer reviews.close()
		if err := reviews.create(roundName(len(f.texts), 1), f.notes); err != nil {
			return err
		}
	}
	_, err = d.writeManifest(f.manifest, nil)
	return err
}
