package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"planmode/plan"
)

// SettleGate makes a decision durable, and only then forgets what it settles: the
// draft, unless the person closed the review, which keeps it for a while. The text
// that was shown becomes the one seen last. A keyless text leaves the record alone.
func (s *Store) SettleGate(r GateRecord, shown []byte) error {
	if r.At.IsZero() {
		r.At = s.now()
	}
	r.Version = gateVersion
	if err := s.writeGateRecord(r); err != nil {
		return err
	}
	if r.Key == "" {
		return nil
	}
	return s.inGate(r.Key, func(d *dir) error {
		seen := GateSeen{Version: gateVersion, Key: r.Key, At: r.At, Hash: r.Hash, Markdown: string(shown)}
		if seen.Notes = append(slices.Clip(r.Notes), r.Unsent...); r.Decision == gateDismissed {
			seen.Notes = d.seenNotes() // what was said before still waits for an answer
		}
		if err := d.putGate(gateSeenName, seen); err != nil {
			return err
		}
		if r.Decision != gateDismissed {
			return d.remove(gateDraftName)
		}
		return d.closeDraft(r)
	})
}

// gateDismissed is the decision that sends nothing.
const gateDismissed = "dismissed"

// seenNotes are the notes on what was seen before; what cannot be read has none.
func (d *dir) seenNotes() []plan.Annotation {
	var before GateSeen
	if b, err := d.readFile(gateSeenName, gateLimit); err != nil || json.Unmarshal(b, &before) != nil {
		return nil
	}
	return before.Notes
}

// closeDraft dates a draft that the person left unsent.
func (d *dir) closeDraft(r GateRecord) error {
	b, err := d.readFile(gateDraftName, gateLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var draft GateDraft
	if err != nil || json.Unmarshal(b, &draft) != nil {
		return err // what cannot be read is left as it is
	}
	draft.Closed = &r.At
	return d.putGate(gateDraftName, draft)
}

// writeGateRecord adds a file whose name sorts by time. One that could not be written
// whole is taken away again; readers pass over what a crash leaves of it.
func (s *Store) writeGateRecord(r GateRecord) error {
	d, err := s.data.ensure(gatesName, gateRecordsName)
	if err != nil {
		return err
	}
	defer d.close()
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode the decision of a gate: %w", err)
	}
	for {
		again, err := s.randomName()
		if err != nil {
			return err
		}
		name := r.At.UTC().Format(gateStamp) + "-" + again + recordSuffix
		err = d.writeNew(name, append(b, '\n'), synced)
		if errors.Is(err, fs.ErrExist) {
			continue // of the same millisecond, and by chance of the same name
		}
		if err != nil {
			_ = d.remove(name)
			return fmt.Errorf("record the decision of a gate in %s: %w", d.join(name), err)
		}
		return d.sync()
	}
}

const (
	gateStamp    = "20060102T150405.000000000"
	recordSuffix = ".json"
)

// LastGate is the newest decision that match accepts; nil accepts all.
func (s *Store) LastGate(match func(GateRecord) bool) (GateRecord, bool, error) {
	d, err := s.data.sub(gatesName, gateRecordsName)
	if errors.Is(err, fs.ErrNotExist) {
		return GateRecord{}, false, nil
	}
	if err != nil {
		return GateRecord{}, false, err
	}
	defer d.close()
	entries, err := d.names()
	if err != nil {
		return GateRecord{}, false, fmt.Errorf("list %s: %w", d.path, err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), recordSuffix) && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	for _, name := range slices.Backward(names) {
		b, err := d.readFile(name, gateLimit)
		var r GateRecord
		if err != nil || json.Unmarshal(b, &r) != nil || r.Version != gateVersion {
			continue // torn by a crash, or of a newer version: not one that can be told again
		}
		if match == nil || match(r) {
			return r, true, nil
		}
	}
	return GateRecord{}, false, nil
}

// GateReview is the private directory of one review at a gate, held by this process.
type GateReview struct {
	Dir  string
	Left []string // directories of reviews of the same text whose process is gone

	top  *dir
	name string
	lock *heldLock
}

// OpenGateReview makes a fresh directory for a review of the text with the key.
func (s *Store) OpenGateReview(key string) (*GateReview, error) {
	d, err := s.gateFolder(key)
	if err != nil {
		return nil, err
	}
	defer d.close()
	top, err := d.ensure(gateReviewsName)
	if err != nil {
		return nil, err
	}
	r := &GateReview{top: top}
	if err := r.open(s); err != nil {
		top.close()
		return nil, fmt.Errorf("make the directory of a review: %w", err)
	}
	return r, nil
}

func (r *GateReview) open(s *Store) (err error) {
	if r.Left, err = r.top.abandoned(); err != nil {
		return err
	}
	if r.name, err = s.randomName(); err != nil {
		return err
	}
	if r.lock, err = r.top.lock(r.name+lockName, "a review at a gate", 0, s.opt.Now()); err != nil {
		return err
	}
	if err = r.top.mkdir(r.name); err != nil {
		r.lock.release()
		return err
	}
	r.Dir = r.top.join(r.name)
	return nil
}

// abandoned are the directories of reviews that nobody holds any more.
func (d *dir) abandoned() ([]string, error) {
	entries, err := d.names()
	if err != nil {
		return nil, err
	}
	var left []string
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if _, held := d.peek(e.Name() + lockName); !held {
			left = append(left, d.join(e.Name()))
		}
	}
	return left, nil
}

// Forget removes the directories that Left names, once what they hold is kept
// elsewhere.
func (r *GateReview) Forget() error {
	var errs []error
	for _, path := range r.Left {
		name := path[len(r.top.path)+1:]
		errs = append(errs, r.top.removeTree(name), r.top.remove(name+lockName))
	}
	r.Left = nil
	return errors.Join(errs...)
}

// Close removes the directory with all that is in it.
func (r *GateReview) Close() error {
	err := errors.Join(r.top.removeTree(r.name), r.top.remove(r.name+lockName))
	r.lock.release()
	r.top.close()
	return err
}

// GateKey is the key of a text that has no name of its own: its bytes.
func GateKey(text []byte) string { return "text:" + string(plan.HashOf(text)) }
