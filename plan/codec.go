package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// ErrManifest reports a manifest that breaks the rules of its format. An error
// that wraps ErrSum wraps it too.
var ErrManifest = errors.New("manifest is damaged")

// ErrNewerVersion reports a manifest of a later version of the format. It must
// not be written by this program.
var ErrNewerVersion = errors.New("manifest was written by a newer version")

// ParseManifestFor reads the manifest of the plan that its directory is named
// after; a manifest of another plan is damaged.
func ParseManifestFor(id ID, b []byte) (Manifest, error) {
	m, err := ParseManifest(b)
	if err == nil && m.PlanID != id {
		err = fmt.Errorf("%w: it describes plan %q, not %q", ErrManifest, m.PlanID, id)
	}
	if err != nil {
		return Manifest{}, err
	}
	return m, nil
}

// ParseManifest reads a manifest, checks every rule of the format and verifies
// the checksums. A manifest of version 2 is converted. The error wraps
// ErrManifest or ErrNewerVersion, and ErrSum when only the checksums are wrong.
func ParseManifest(b []byte) (Manifest, error) {
	var v struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	switch {
	case v.Version == nil:
		return Manifest{}, fmt.Errorf("%w: it has no version", ErrManifest)
	case *v.Version > ManifestVersion:
		return Manifest{}, fmt.Errorf("%w: version %d, this program knows %d", ErrNewerVersion, *v.Version, ManifestVersion)
	case *v.Version == legacyVersion:
		return parseLegacy(b)
	case *v.Version != ManifestVersion:
		return Manifest{}, fmt.Errorf("%w: version %d was never written", ErrManifest, *v.Version)
	}
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if err := m.validate(); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	sum, err := sameContent(b, m)
	if err != nil {
		return Manifest{}, err
	}
	if err := m.verify(sum); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	return m, nil
}

// sameContent refuses text that says more, or otherwise, than m: names that
// occur twice or in another case, unknown fields of an option, times in another
// form. Were they let through, the next write would change them silently. It
// returns the sum of the content.
func sameContent(b []byte, m Manifest) (Hash, error) {
	text, err := canonicalBytes(b, "sum")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrManifest, err)
	}
	value, err := canonical(m, "sum")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if !bytes.Equal(text, value) {
		i := 0
		for i < len(text) && i < len(value) && text[i] == value[i] {
			i++
		}
		return "", fmt.Errorf("%w: a field is not in the form it is written in, near %q", ErrManifest, around(text, i))
	}
	return HashOf(text), nil
}

func around(b []byte, i int) string {
	return strings.ToValidUTF8(string(b[max(0, i-24):min(len(b), i+24)]), "")
}

// Encode writes m as the file holds it: two-space JSON, a final newline, and the
// sum that its content has now, whatever Sum says.
func (m Manifest) Encode() ([]byte, error) {
	_, b, err := m.Seal()
	return b, err
}

// Seal is Encode for a caller that goes on with what a reader of the bytes will
// see: the current version, empty lists for absent ones, and the new sum.
func (m Manifest) Seal() (Manifest, []byte, error) {
	m = m.filled()
	m.Version = ManifestVersion
	m.Sum = Sum(m)
	raw, err := encodeJSON(m)
	if err != nil {
		return m, nil, fmt.Errorf("encode manifest of %s: %w", m.PlanID, err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return m, nil, fmt.Errorf("encode manifest of %s: %w", m.PlanID, err)
	}
	b.WriteByte('\n')
	return m, b.Bytes(), nil
}

// filled replaces the nil slices, which JSON would write as null.
func (m Manifest) filled() Manifest {
	if m.Sessions == nil {
		m.Sessions = []string{}
	}
	if m.Decisions == nil {
		m.Decisions = []Decision{}
	}
	m.Revisions = append([]Revision{}, m.Revisions...)
	for i := range m.Revisions {
		if m.Revisions[i].Steps == nil {
			m.Revisions[i].Steps = []string{}
		}
	}
	return m
}

// The plain types have the fields but not the methods, so that the methods can
// use the ordinary encoding for what is known.
type (
	plainManifest Manifest
	plainRevision Revision
	plainDecision Decision
)

// MarshalJSON implements json.Marshaler.
func (m Manifest) MarshalJSON() ([]byte, error) { return encodeWith(plainManifest(m), m.Extra) }

// MarshalJSON implements json.Marshaler.
func (r Revision) MarshalJSON() ([]byte, error) { return encodeWith(plainRevision(r), r.Extra) }

// MarshalJSON implements json.Marshaler.
func (d Decision) MarshalJSON() ([]byte, error) { return encodeWith(plainDecision(d), d.Extra) }

// UnmarshalJSON implements json.Unmarshaler.
func (m *Manifest) UnmarshalJSON(b []byte) error {
	*m = Manifest{}
	return decodeWith(b, (*plainManifest)(m), &m.Extra)
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Revision) UnmarshalJSON(b []byte) error {
	*r = Revision{}
	return decodeWith(b, (*plainRevision)(r), &r.Extra)
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Decision) UnmarshalJSON(b []byte) error {
	*d = Decision{}
	return decodeWith(b, (*plainDecision)(d), &d.Extra)
}

// encodeWith encodes known and adds the extra fields, by name, at the end.
func encodeWith(known any, extra Extra) ([]byte, error) {
	b, err := encodeJSON(known)
	if err != nil || len(extra) == 0 {
		return b, err
	}
	b = b[:len(b)-1]
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		key, err := encodeJSON(name)
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, key...), ':'), extra[name]...)
	}
	return append(b, '}'), nil
}

// decodeWith decodes b into known and collects the other fields into extra.
func decodeWith(b []byte, known any, extra *Extra) error {
	if err := json.Unmarshal(b, known); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	for _, name := range fieldNames(reflect.TypeOf(known).Elem()) {
		delete(all, name)
	}
	if len(all) > 0 {
		*extra = all
	}
	return nil
}

func fieldNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
