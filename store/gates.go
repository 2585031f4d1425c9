package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"planmode/plan"
)

// Files of what gates keep. Each text that was reviewed has a folder, named after
// the hash of its key; the decisions of all of them lie in one.
const (
	gatesName       = "gates"
	gateRecordsName = "records"
	gateReviewsName = "reviews"
	gateSeenName    = "seen.json"
	gateDraftName   = "draft.json"
	gateVersion     = 1
	gateLimit       = 64 << 20
)

// gateDraftKept is how long notes that were not sent are kept after the person has
// closed the review.
const gateDraftKept = 30 * 24 * time.Hour

// GateSeen is the text that the person saw last under a key, and what they said.
type GateSeen struct {
	Version  int               `json:"version"`
	Key      string            `json:"key"`
	At       plan.Time         `json:"at"`
	Hash     plan.Hash         `json:"hash"`
	Markdown string            `json:"markdown"`
	Notes    []plan.Annotation `json:"notes,omitempty"`
}

// GateDraft is what the person wrote about a text and nobody was told.
type GateDraft struct {
	Version  int               `json:"version"`
	Key      string            `json:"key"`
	At       plan.Time         `json:"at"`
	Hash     plan.Hash         `json:"hash"` // of the text it is about
	Notes    []plan.Annotation `json:"notes,omitempty"`
	Reviewer json.RawMessage   `json:"reviewer,omitempty"` // as the built-in reviewer keeps it, half-typed notes included
	Closed   *plan.Time        `json:"closed,omitempty"`   // when the person closed the review without sending it
}

// GateRecord is one decision that a gate was told.
type GateRecord struct {
	Version  int               `json:"version"`
	ID       string            `json:"id"`
	At       plan.Time         `json:"at"`
	Key      string            `json:"key"`
	Path     string            `json:"path,omitempty"`
	Name     string            `json:"name"`
	Subject  string            `json:"subject"`
	Asker    string            `json:"asker,omitempty"`
	Cwd      string            `json:"cwd,omitempty"`
	Hash     plan.Hash         `json:"hash"`     // of the text that was shown
	Decision string            `json:"decision"` // approved, annotated or dismissed
	Feedback string            `json:"feedback,omitempty"`
	Notes    []plan.Annotation `json:"notes,omitempty"`
	Unsent   []plan.Annotation `json:"unsent,omitempty"` // written, and not told to the caller
	Output   string            `json:"output,omitempty"` // what went to standard output
}

// gateFolder opens the folder of a key, making it if it is missing.
func (s *Store) gateFolder(key string) (*dir, error) {
	sum := sha256.Sum256([]byte(key))
	return s.data.ensure(gatesName, hex.EncodeToString(sum[:16]))
}

// readGate reads a file of the folder of a key into v; false when there is none. A
// file of a newer version, or about another key, is none.
func (s *Store) readGate(key, name string, v any) (bool, error) {
	d, err := s.gateFolder(key)
	if err != nil {
		return false, err
	}
	defer d.close()
	b, err := d.readFile(name, gateLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var head struct {
		Version int    `json:"version"`
		Key     string `json:"key"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return false, fmt.Errorf("read %s: %w", d.join(name), err)
	}
	if head.Version != gateVersion || head.Key != key {
		return false, nil
	}
	if err := json.Unmarshal(b, v); err != nil {
		return false, fmt.Errorf("read %s: %w", d.join(name), err)
	}
	return true, nil
}

// GateSeen is what the person saw last under the key; false if they saw nothing.
func (s *Store) GateSeen(key string) (seen GateSeen, ok bool, err error) {
	ok, err = s.readGate(key, gateSeenName, &seen)
	return seen, ok, err
}

// GateDraft is what SaveGateDraft kept; false if there is nothing, or it was closed
// too long ago.
func (s *Store) GateDraft(key string) (draft GateDraft, ok bool, err error) {
	ok, err = s.readGate(key, gateDraftName, &draft)
	if ok && draft.Closed != nil && s.opt.Now().Sub(draft.Closed.Time) > gateDraftKept {
		return GateDraft{}, false, nil
	}
	return draft, ok, err
}

// SaveGateDraft keeps a draft, replacing what was kept before under its key. One
// without anything in it removes that.
func (s *Store) SaveGateDraft(draft GateDraft) error {
	draft.Version, draft.At = gateVersion, s.now()
	return s.inGate(draft.Key, func(d *dir) error {
		if len(draft.Notes) == 0 && len(draft.Reviewer) == 0 {
			return d.remove(gateDraftName)
		}
		return d.putGate(gateDraftName, draft)
	})
}

// putGate replaces a file of the folder of a key. The caller holds its lock.
func (d *dir) putGate(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", d.join(name), err)
	}
	return d.overwrite(name, append(b, '\n'), synced)
}

// inGate changes the folder of a key under its lock.
func (s *Store) inGate(key string, change func(*dir) error) error {
	d, err := s.gateFolder(key)
	if err != nil {
		return err
	}
	defer d.close()
	lock, err := d.lock(lockName, "what was reviewed at a gate", s.opt.Wait, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	if err := change(d); err != nil {
		return fmt.Errorf("keep what was reviewed at a gate: %w", err)
	}
	return nil
}
