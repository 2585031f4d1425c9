package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Difference is one value of a manifest that does not follow from its content.
type Difference struct {
	What     string // "sum", "chain of r2", "digest of decision 1 (approved r2)"
	Revision int    // the revision it is about; 0 for the whole manifest
	Expected string // what is recorded
	Found    string // what the content gives
}

// Differences recomputes the sum, every chain value and every digest, each from
// what is recorded before it, so that one wrong value does not make all later
// ones look wrong.
func (m Manifest) Differences() []Difference {
	var out []Difference
	differ := func(what string, revision int, recorded, found Hash) {
		if recorded != found {
			out = append(out, Difference{what, revision, string(recorded), string(found)})
		}
	}
	differ("sum", 0, m.Sum, Sum(m))
	var prev Hash
	for i, r := range m.Revisions {
		differ(fmt.Sprintf("chain of r%d", i+1), i+1, r.Chain, Chain(prev, r))
		prev = r.Chain
	}
	for i, d := range m.Decisions {
		if r := m.Find(d.Revision); r != nil {
			differ(fmt.Sprintf("digest of decision %d (%s r%d)", i+1, d.Kind, d.Revision), d.Revision, d.Digest, Digest(r.Chain, d))
		}
	}
	return out
}

// Examine reads a manifest as far as it can be read and lists everything that is
// wrong with it; the manifest is good for looking, not for writing, unless the
// list is empty. Text in another form than the one that is written counts as
// wrong: there would be bits whose change nobody notices.
func Examine(id ID, b []byte) (Manifest, []Difference) {
	wrong := func(what, found string) []Difference { return []Difference{{What: what, Found: found}} }
	m, err := ParseManifestFor(id, b)
	if err == nil {
		if legacy(b) {
			return m, nil // it never had checksums
		}
		if again, err := m.Encode(); err != nil || !bytes.Equal(again, b) {
			return m, wrong("form", fmt.Sprintf("byte %d is not what is written for this content", firstDifference(again, b)))
		}
		return m, nil
	}
	if errors.Is(err, ErrNewerVersion) {
		return Manifest{}, wrong("version", err.Error())
	}
	var loose Manifest
	if legacy(b) || json.Unmarshal(b, &loose) != nil {
		return Manifest{}, wrong("manifest", err.Error())
	}
	found := loose.Differences()
	if loose.PlanID != id {
		found = append(found, Difference{What: "plan id", Expected: string(id), Found: string(loose.PlanID)})
	}
	if cerr := loose.Check(); cerr != nil {
		found = append(found, Difference{What: "rule", Found: cerr.Error()})
	}
	if len(found) == 0 {
		found = wrong("form", err.Error())
	}
	return loose, found
}

// legacy says whether b says that it is of the version without checksums.
func legacy(b []byte) bool {
	var v struct {
		Version int `json:"version"`
	}
	return json.Unmarshal(b, &v) == nil && v.Version == legacyVersion
}

func firstDifference(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}
