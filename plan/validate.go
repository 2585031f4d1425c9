package plan

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// RevisionPath is where revision n of a plan lies, relative to its directory.
func RevisionPath(n int) string { return fmt.Sprintf("revisions/r%d.md", n) }

// Find returns the description of revision n, or nil.
func (m Manifest) Find(n int) *Revision {
	if n < 1 || n > len(m.Revisions) {
		return nil
	}
	return &m.Revisions[n-1]
}

// Ref names revision n of the plan; ok is false if it does not exist.
func (m Manifest) Ref(n int) (ref Ref, ok bool) {
	r := m.Find(n)
	if r == nil {
		return Ref{}, false
	}
	return Ref{Plan: m.PlanID, Revision: n, Hash: r.Hash}, true
}

// StatusOf is the display status of revision n. An approval stands whatever is
// said later; otherwise the latest decision about the text counts.
func (m Manifest) StatusOf(n int) Status {
	status := StatusDraft
	for _, d := range m.Decisions {
		if d.Revision != n {
			continue
		}
		switch d.Kind {
		case DecidedApproved, DecidedAutoApproved:
			return StatusApproved
		case DecidedChanges:
			status = StatusChangesRequested
		case DecidedDiscarded:
			status = StatusDiscarded
		case DecidedKept, DecidedCancelled, DecidedLeft:
			status = StatusDraft
		}
	}
	return status
}

// Approval is the latest approval of revision n, or nil. Approvals count per
// revision: another revision's approval takes nothing away from it.
func (m Manifest) Approval(n int) *Decision {
	for i := len(m.Decisions) - 1; i >= 0; i-- {
		if d := &m.Decisions[i]; d.Revision == n && d.Kind.Approves() {
			return d
		}
	}
	return nil
}

// validate checks every rule of the format but the checksums.
func (m Manifest) validate() error {
	if _, err := ParseID(string(m.PlanID)); err != nil {
		return err
	}
	switch {
	case m.Storage != Persistent && m.Storage != Temporary:
		return fmt.Errorf("storage is %q", m.Storage)
	case len(m.Sessions) == 0 || slices.Contains(m.Sessions, ""):
		return fmt.Errorf("sessions are missing")
	case m.CurrentRevision != len(m.Revisions) || m.CurrentRevision < 1:
		return fmt.Errorf("currentRevision is %d, but %d revisions are listed", m.CurrentRevision, len(m.Revisions))
	case m.CreatedAt.IsZero() || m.UpdatedAt.IsZero():
		return fmt.Errorf("createdAt or updatedAt is missing")
	}
	if err := validTitle(m.Title); err != nil {
		return err
	}
	for i, r := range m.Revisions {
		if err := r.validate(i + 1); err != nil {
			return fmt.Errorf("revision %d: %w", i+1, err)
		}
	}
	for i, d := range m.Decisions {
		if err := m.validDecision(d); err != nil {
			return fmt.Errorf("decision %d: %w", i+1, err)
		}
	}
	if want := m.StatusOf(m.CurrentRevision); m.Status != want {
		return fmt.Errorf("status is %q, the decisions say %q", m.Status, want)
	}
	return m.validApproval()
}

// validApproval checks that the top-level approval is one that was decided.
func (m Manifest) validApproval() error {
	if (m.ApprovedRevision == 0) != (m.ApprovedHash == "") {
		return fmt.Errorf("approvedRevision and approvedHash must be given together")
	}
	if m.ApprovedRevision == 0 {
		return nil
	}
	d := m.Approval(m.ApprovedRevision)
	if d == nil || d.Hash != m.ApprovedHash {
		return fmt.Errorf("approvedRevision %d is backed by no decision with that hash", m.ApprovedRevision)
	}
	return nil
}

func validTitle(title string) error {
	switch n := utf8.RuneCountInString(title); {
	case n == 0:
		return fmt.Errorf("title is missing")
	case n > MaxTitleChars:
		return fmt.Errorf("title has %d characters, %d are allowed", n, MaxTitleChars)
	}
	return nil
}

func (r Revision) validate(n int) error {
	switch {
	case r.Revision != n:
		return fmt.Errorf("its number is %d", r.Revision)
	case r.Path != RevisionPath(n):
		return fmt.Errorf("path is %q, not %q", r.Path, RevisionPath(n))
	case r.BasedOn < 0 || r.BasedOn >= n:
		return fmt.Errorf("basedOn is %d", r.BasedOn)
	case r.CreatedAt.IsZero():
		return fmt.Errorf("createdAt is missing")
	case r.Author == "":
		return fmt.Errorf("author is missing")
	case len(r.Options) > MaxOptions:
		return fmt.Errorf("%d options, %d are allowed", len(r.Options), MaxOptions)
	}
	if err := validTitle(r.Title); err != nil {
		return err
	}
	_, err := ParseHash(string(r.Hash))
	return err
}

var decisionKinds = []DecisionKind{
	DecidedChanges, DecidedApproved, DecidedAutoApproved, DecidedKept, DecidedCancelled,
	DecidedLeft, DecidedDiscarded, DecidedCompleted, DecidedAbandoned,
}

func (m Manifest) validDecision(d Decision) error {
	r := m.Find(d.Revision)
	switch {
	case r == nil:
		return fmt.Errorf("it is about r%d, which does not exist", d.Revision)
	case !slices.Contains(decisionKinds, d.Kind):
		return fmt.Errorf("kind is %q", d.Kind)
	case d.Hash != r.Hash:
		return fmt.Errorf("its hash is not that of r%d", d.Revision)
	case d.By != ByUser && d.By != ByAgent && d.By != ByAuto:
		return fmt.Errorf("by is %q", d.By)
	case d.At.IsZero():
		return fmt.Errorf("at is missing")
	case d.Option != nil && (*d.Option < 0 || *d.Option >= len(r.Options)):
		return fmt.Errorf("option %d does not exist", *d.Option)
	case d.Kind.Approves() && d.By == ByAgent:
		return fmt.Errorf("an agent cannot approve")
	case d.Round < 0:
		return fmt.Errorf("round is %d", d.Round)
	}
	return d.validFiles()
}

// validFiles checks what a decision says of files.
func (d Decision) validFiles() error {
	hashes := []Hash{d.Collected}
	for _, f := range d.Named {
		if f.Path == "" {
			return fmt.Errorf("a named file has no path")
		}
		hashes = append(hashes, f.Hash)
	}
	for _, h := range hashes {
		if h == "" {
			continue
		}
		if _, err := ParseHash(string(h)); err != nil {
			return err
		}
	}
	if d.Touched != nil && d.Touched.How == "" {
		return fmt.Errorf("it does not say how changed files were found")
	}
	return nil
}

// Check is the rules of the format without the checksums: what a manifest must
// keep before it is encoded. The error wraps ErrManifest.
func (m Manifest) Check() error {
	if err := m.validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrManifest, err)
	}
	return nil
}
