package revdiff

import (
	"path/filepath"

	"planmode/plan"
	"planmode/revdiff/record"
)

// preload writes the notes that were not sent in the form the reviewer reads
// back. An external one takes them only where nothing is compared; there they
// are part of the description instead, and stay in the session either way.
func (r Request) preload(j *Job) (string, error) {
	if len(r.Pending) == 0 || !r.Reviewer.probed("annotations") && !r.Reviewer.Builtin {
		return "", nil
	}
	compares := j.shown.oldCopy != ""
	if compares && !r.Reviewer.Builtin {
		return "", nil
	}
	name := j.Copy
	if compares {
		name = filepath.Base(j.Copy)
	}
	var records []record.Record
	for _, n := range r.Pending {
		if rec, ok := recordOf(name, n, compares); ok {
			records = append(records, rec)
		}
	}
	record.Sort(records)
	path := filepath.Join(r.Dir, preloadName)
	return path, create(path, record.Format(records))
}

// recordOf turns a note back into the record it came from.
func recordOf(name string, n plan.Annotation, compares bool) (record.Record, bool) {
	rec := record.Record{Path: name, Line: n.Line, End: n.End, Body: body(n)}
	if n.Line > 0 {
		rec.Type = record.Context
	}
	if n.Line > 0 && n.Side == "old" {
		rec.Type = record.Removed
		if !compares {
			return rec, false
		}
	}
	return rec, rec.Check() == nil
}

// body is what a note says, as the grammar writes it.
func body(n plan.Annotation) string {
	r := record.Remark{Label: n.Label, Text: n.Body, Suggests: n.Suggests(), Replacement: n.Replacement}
	return r.Body()
}
