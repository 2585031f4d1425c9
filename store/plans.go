package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"planmode/plan"
	"planmode/plan/process"
)

const (
	plansName     = "plans"
	revisionsName = "revisions"
	reviewsName   = "reviews"
	reviewName    = ".review"
	manifestName  = "manifest.json"
	manifestLimit = 16 << 20
)

// planDir opens the directory of a plan that must exist.
func (s *Store) planDir(id plan.ID) (*dir, error) {
	if _, err := plan.ParseID(string(id)); err != nil {
		return nil, err
	}
	d, err := s.data.sub(plansName, string(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNoPlan, id)
	}
	return d, err
}

// readManifest reads and verifies the manifest, and returns its bytes for a
// later replace.
func (d *dir) readManifest(id plan.ID) (plan.Manifest, []byte, error) {
	b, err := d.readFile(manifestName, manifestLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return plan.Manifest{}, nil, fmt.Errorf("%w: %s has no manifest", ErrNoPlan, id)
	}
	if err != nil {
		return plan.Manifest{}, nil, fmt.Errorf("manifest of %s: %w", id, err)
	}
	m, err := plan.ParseManifestFor(id, b)
	if err != nil {
		return plan.Manifest{}, nil, fmt.Errorf("manifest of %s: %w", id, err)
	}
	return m, b, nil
}

// writeManifest replaces the manifest that was read as was.
func (d *dir) writeManifest(m plan.Manifest, was []byte) (plan.Manifest, error) {
	if err := m.Check(); err != nil {
		return plan.Manifest{}, fmt.Errorf("manifest of %s: %w", m.PlanID, err)
	}
	m, b, err := m.Seal()
	if err != nil {
		return plan.Manifest{}, err
	}
	if err := d.replace(manifestName, was, b); err != nil {
		return plan.Manifest{}, err
	}
	return m, nil
}

// Manifest reads the manifest of a plan and verifies it.
func (s *Store) Manifest(id plan.ID) (plan.Manifest, error) {
	d, err := s.planDir(id)
	if err != nil {
		return plan.Manifest{}, err
	}
	defer d.close()
	m, _, err := d.readManifest(id)
	return m, err
}

// Revision reads the bytes that ref names. Bytes that do not have its hash, and
// a file that is gone or no regular file, give ErrTampered.
func (s *Store) Revision(ref plan.Ref) ([]byte, error) {
	d, err := s.planDir(ref.Plan)
	if err != nil {
		return nil, err
	}
	defer d.close()
	return d.readRevision(ref)
}

func (d *dir) readRevision(ref plan.Ref) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("%s: %w: %w", ref, ErrTampered, err)
	}
	revisions, err := d.sub(revisionsName)
	if err != nil {
		return fail(err)
	}
	defer revisions.close()
	b, err := revisions.readFile(revisionName(ref.Revision), plan.MaxPlanBytes)
	if err != nil {
		return fail(err)
	}
	if got := plan.HashOf(b); got != ref.Hash {
		return fail(fmt.Errorf("its hash is %s, not %s", got.Short(), ref.Hash.Short()))
	}
	return b, nil
}

func revisionName(n int) string { return "r" + strconv.Itoa(n) + ".md" }

// RevisionPath is the path of a revision, for a person to read. Programs call
// Revision, which verifies it.
func (s *Store) RevisionPath(ref plan.Ref) string {
	return filepath.Join(s.dirs.Data, plansName, string(ref.Plan), filepath.FromSlash(plan.RevisionPath(ref.Revision)))
}

// Adopt adds the session to those that may add revisions to the plan.
func (s *Store) Adopt(id plan.ID, session string) (plan.Manifest, error) {
	return s.update(id, func(_ *dir, m *plan.Manifest) error {
		if slices.Contains(m.Sessions, session) {
			return errNothing
		}
		m.Sessions = append(slices.Clone(m.Sessions), session)
		return nil
	})
}

// errNothing makes update return without writing.
var errNothing = errors.New("nothing to change")

// update changes a manifest under the lock of the plan.
func (s *Store) update(id plan.ID, change func(*dir, *plan.Manifest) error) (plan.Manifest, error) {
	d, err := s.planDir(id)
	if err != nil {
		return plan.Manifest{}, err
	}
	defer d.close()
	lock, err := d.lock(lockName, "plan "+string(id), s.opt.Wait, s.opt.Now())
	if err != nil {
		return plan.Manifest{}, err
	}
	defer lock.release()
	m, was, err := d.readManifest(id)
	if err != nil {
		return plan.Manifest{}, err
	}
	if err := change(d, &m); err != nil {
		if errors.Is(err, errNothing) {
			return m, d.settle()
		}
		return plan.Manifest{}, err
	}
	m.UpdatedAt = s.now()
	return d.writeManifest(m, was)
}

// settle makes durable what an earlier call may have written without being able
// to say so. Whoever finds nothing left to do must not promise more than that.
func (d *dir) settle() error { return d.resync(manifestName) }

// PlanInfo is a plan in a list. Problem says why its manifest cannot be used;
// then only the id and, as far as possible, the rest is known.
type PlanInfo struct {
	ID               plan.ID
	Title            string
	Status           plan.Status
	Cwd              string
	Sessions         []string
	CreatedAt        plan.Time
	UpdatedAt        plan.Time
	CurrentRevision  int
	ApprovedRevision int
	Work             plan.WorkStatus // of the latest approval, as the record has it; empty without one
	Problem          string
	Newer            bool // the problem is that a newer program wrote it, which is no damage
}

// Plans lists the plans, the one changed last first. The list is for choosing
// from: manifests are read but not verified.
func (s *Store) Plans() ([]PlanInfo, error) {
	ids, err := s.PlanIDs()
	if err != nil {
		return nil, err
	}
	all, err := s.PlanInfos(ids)
	if err != nil {
		return nil, err
	}
	SortPlans(all)
	return all, nil
}

// SortPlans orders plans as Plans does.
func SortPlans(all []PlanInfo) {
	slices.SortFunc(all, func(a, b PlanInfo) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt.Time), cmp.Compare(b.ID, a.ID))
	})
}

// PlanIDs lists the ids of the plans, the one made last first. It reads one
// directory and no plan, so some of the ids may turn out to be no plans.
func (s *Store) PlanIDs() ([]plan.ID, error) {
	plans, err := s.data.sub(plansName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer plans.close()
	names, err := plans.names()
	if err != nil {
		return nil, fmt.Errorf("list plans: %w", err)
	}
	ids := make([]plan.ID, 0, len(names))
	for _, e := range names {
		if id, err := plan.ParseID(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b plan.ID) int { return cmp.Compare(b, a) })
	return ids, nil
}

// PlanInfos describes the plans that ids name, in their order; what is no plan is
// left out.
func (s *Store) PlanInfos(ids []plan.ID) ([]PlanInfo, error) {
	plans, err := s.data.sub(plansName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer plans.close()
	all := make([]PlanInfo, len(ids))
	share(len(ids), func(i int) { all[i] = plans.planInfo(ids[i]) })
	return slices.DeleteFunc(all, func(p PlanInfo) bool { return p.ID == "" }), nil
}

// share runs work for every index below n on all processors.
func share(n int, work func(int)) {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		wg.Add(1)
		process.Go("list plans", func() {
			defer wg.Done()
			for i := w; i < n; i += workers {
				work(i)
			}
		})
	}
	wg.Wait()
}

// planInfo describes one plan. A directory without a manifest is a submission
// that was never acknowledged, and no plan.
func (d *dir) planInfo(id plan.ID) PlanInfo {
	info := PlanInfo{ID: id, UpdatedAt: plan.Stamp(id.Created())}
	sub, err := d.sub(string(id))
	if err != nil {
		info.Problem = err.Error()
		return info
	}
	defer sub.close()
	b, err := sub.readFile(manifestName, manifestLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return PlanInfo{}
	}
	if err != nil {
		info.Problem = err.Error()
		return info
	}
	var m struct {
		Version          int         `json:"version"`
		PlanID           plan.ID     `json:"planId"`
		Title            string      `json:"title"`
		Status           plan.Status `json:"status"`
		Cwd              string      `json:"cwd"`
		Sessions         []string    `json:"sessions"`
		SessionID        string      `json:"sessionId"` // of version 2
		CreatedAt        string      `json:"createdAt"` // version 2 never checked them
		UpdatedAt        string      `json:"updatedAt"`
		CurrentRevision  int         `json:"currentRevision"`
		ApprovedRevision int         `json:"approvedRevision"`
	}
	err = json.Unmarshal(summary(b), &m)
	if err != nil {
		err = json.Unmarshal(b, &m)
	}
	switch {
	case err != nil:
		info.Problem = fmt.Sprintf("%v: %v", plan.ErrManifest, err)
		return info
	case m.Version > plan.ManifestVersion:
		info.Problem, info.Newer = plan.ErrNewerVersion.Error(), true
	case m.PlanID != id:
		info.Problem = fmt.Sprintf("%v: it describes plan %q", plan.ErrManifest, m.PlanID)
	}
	if m.Sessions == nil && m.SessionID != "" {
		m.Sessions = []string{m.SessionID}
	}
	info.Title, info.Status, info.Cwd, info.Sessions = m.Title, m.Status, m.Cwd, m.Sessions
	info.CreatedAt = timeOr(m.CreatedAt, info.UpdatedAt)
	info.UpdatedAt = timeOr(m.UpdatedAt, info.CreatedAt)
	info.CurrentRevision, info.ApprovedRevision = m.CurrentRevision, m.ApprovedRevision
	if m.ApprovedRevision > 0 {
		info.Work = workIn(b, m.ApprovedRevision)
	}
	return info
}

// timeOr reads a time, or falls back.
func timeOr(text string, fallback plan.Time) plan.Time {
	var t plan.Time
	if t.UnmarshalText([]byte(text)) != nil {
		return fallback
	}
	return t
}

// summary is a manifest without its two long lists, which come last in the form
// that is written. A newline cannot occur inside a JSON string, so the first
// match is the member itself.
func summary(b []byte) []byte {
	head, _, ok := bytes.Cut(b, []byte(",\n  \"revisions\": ["))
	if !ok {
		return b
	}
	return append(head[:len(head):len(head)], '}')
}

// workIn is how the work of a revision stands, by the lines of its decisions in
// the form that is written. A newline cannot occur inside a JSON string, so a line
// that begins like a member is one.
func workIn(manifest []byte, revision int) plan.WorkStatus {
	_, list, _ := bytes.Cut(manifest, []byte(",\n  \"decisions\": ["))
	status, about := plan.Implementing, 0
	for line := range bytes.Lines(list) {
		if n, ok := bytes.CutPrefix(line, []byte("      \"revision\": ")); ok {
			about, _ = strconv.Atoi(string(bytes.TrimRight(n, ",\n")))
		}
		kind, ok := bytes.CutPrefix(line, []byte("      \"kind\": \""))
		if !ok || about != revision {
			continue
		}
		switch plan.DecisionKind(bytes.TrimRight(kind, "\",\n")) {
		case plan.DecidedApproved, plan.DecidedAutoApproved:
			status = plan.Implementing
		case plan.DecidedCompleted:
			status = plan.Completed
		case plan.DecidedAbandoned:
			status = plan.Abandoned
		}
	}
	return status
}

// Standing is how a plan stands in one word: its document status, the end of its
// work if the approved revision is the current one, "newer" or "damaged".
func (p PlanInfo) Standing() string {
	current := p.ApprovedRevision == p.CurrentRevision
	switch {
	case p.Newer:
		return "newer"
	case p.Problem != "":
		return "damaged"
	case p.Status == plan.StatusApproved && current && p.Work != plan.Implementing && p.Work != "":
		return string(p.Work)
	}
	return string(p.Status)
}
