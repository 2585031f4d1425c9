package plan

import (
	"encoding/json"
	"fmt"
	"time"
)

// legacyVersion is the version of the manifests of pi-plan-mode. They are read,
// never written: the first write makes them version 3.
const legacyVersion = 2

type legacyManifest struct {
	Version          int              `json:"version"`
	PlanID           ID               `json:"planId"`
	Title            string           `json:"title"`
	Status           Status           `json:"status"`
	Storage          Storage          `json:"storage"`
	SessionID        string           `json:"sessionId"`
	Cwd              string           `json:"cwd"`
	CreatedAt        string           `json:"createdAt"`
	UpdatedAt        string           `json:"updatedAt"`
	CurrentRevision  int              `json:"currentRevision"`
	ApprovedRevision int              `json:"approvedRevision"`
	ApprovedHash     Hash             `json:"approvedHash"`
	Revisions        []legacyRevision `json:"revisions"`
	Extra            Extra            `json:"-"`
}

type legacyRevision struct {
	Revision   int      `json:"revision"`
	Status     Status   `json:"status"`
	Path       string   `json:"path"`
	Hash       Hash     `json:"hash"`
	CreatedAt  string   `json:"createdAt"`
	ApprovedAt string   `json:"approvedAt"`
	BasedOn    int      `json:"basedOn"`
	Steps      []string `json:"steps"`
	Extra      Extra    `json:"-"`
}

type plainLegacyManifest legacyManifest
type plainLegacyRevision legacyRevision

// UnmarshalJSON implements json.Unmarshaler.
func (l *legacyManifest) UnmarshalJSON(b []byte) error {
	return decodeWith(b, (*plainLegacyManifest)(l), &l.Extra)
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *legacyRevision) UnmarshalJSON(b []byte) error {
	return decodeWith(b, (*plainLegacyRevision)(l), &l.Extra)
}

// parseLegacy reads a manifest of version 2 by its own rules and converts it. It
// had no decisions, so the statuses become decisions; it had no checksums, so
// they are computed here and protect from the next write on.
func parseLegacy(b []byte) (Manifest, error) {
	var l legacyManifest
	if err := json.Unmarshal(b, &l); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if err := l.check(); err != nil {
		return Manifest{}, fmt.Errorf("%w: version 2: %w", ErrManifest, err)
	}
	m := l.convert()
	if err := m.validate(); err != nil {
		return Manifest{}, fmt.Errorf("%w: version 2: %w", ErrManifest, err)
	}
	m.Sum = Sum(m)
	return m, nil
}

func (l legacyManifest) check() error {
	if len(l.Revisions) == 0 || l.Status != l.Revisions[len(l.Revisions)-1].Status {
		return fmt.Errorf("status %q is not that of the last revision", l.Status)
	}
	for _, r := range l.Revisions {
		switch r.Status {
		case StatusDraft, StatusChangesRequested, StatusApproved:
		default:
			return fmt.Errorf("status of r%d is %q", r.Revision, r.Status)
		}
	}
	if (l.ApprovedRevision == 0) != (l.ApprovedHash == "") {
		return fmt.Errorf("approvedRevision and approvedHash must be given together")
	}
	return nil
}

func (l legacyManifest) convert() Manifest {
	created := legacyTime(l.CreatedAt, Stamp(l.PlanID.Created()))
	updated := legacyTime(l.UpdatedAt, created)
	m := Manifest{
		Version: ManifestVersion, PlanID: l.PlanID, Title: l.Title, Status: l.Status, Storage: l.Storage,
		Sessions: []string{l.SessionID}, Cwd: l.Cwd, CreatedAt: created, UpdatedAt: updated,
		CurrentRevision: l.CurrentRevision, ApprovedRevision: l.ApprovedRevision, ApprovedHash: l.ApprovedHash,
		Decisions: []Decision{}, Extra: l.Extra,
	}
	var prev Hash
	for _, old := range l.Revisions {
		r := Revision{
			Revision: old.Revision, Path: old.Path, Hash: old.Hash, CreatedAt: legacyTime(old.CreatedAt, created),
			BasedOn: old.BasedOn, Author: ByAgent, Title: l.Title, Steps: old.Steps, Extra: old.Extra,
		}
		if r.Steps == nil {
			r.Steps = []string{}
		}
		r.Chain = Chain(prev, r)
		prev = r.Chain
		m.Revisions = append(m.Revisions, r)
		if d, ok := old.decision(l.SessionID, legacyTime(old.ApprovedAt, updated)); ok {
			d.Digest = Digest(r.Chain, d)
			m.Decisions = append(m.Decisions, d)
		}
	}
	return m
}

func (l legacyRevision) decision(session string, at Time) (Decision, bool) {
	kind := map[Status]DecisionKind{StatusApproved: DecidedApproved, StatusChangesRequested: DecidedChanges}[l.Status]
	return Decision{Revision: l.Revision, Kind: kind, By: ByUser, At: at, Hash: l.Hash, Session: session}, kind != ""
}

// legacyTime reads a time that version 2 never checked, or falls back.
func legacyTime(s string, fallback Time) Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return fallback
	}
	return Stamp(t)
}
