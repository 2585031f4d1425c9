package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"planmode/plan"
	"planmode/plan/tree"
)

// reading is what the bytes of a session log say.
type reading struct {
	header   tree.Header
	err      error // why nothing may be written behind them
	tree     tree.Tree
	problems []string
	lost     int    // whole lines that could not be read
	end      int64  // end of the last whole line
	torn     []byte // what lies behind it
}

// readLog reads a session log of any content. A damaged line is named and left
// out; an entry whose parent went with it is attached to the last good entry
// before, so that nothing that can be read is out of reach. The same bytes give
// the same tree every time.
func readLog(b []byte) *reading {
	r := &reading{}
	for number := 1; ; number++ {
		i := bytes.IndexByte(b[r.end:], '\n')
		if i < 0 {
			break
		}
		line := b[r.end : r.end+int64(i)]
		r.end += int64(i) + 1
		if number == 1 {
			r.readHeader(line)
		} else if err := r.readLine(number, line); err != nil {
			r.problem("line %d: %v; it is left out", number, err)
			r.lost++
		}
	}
	if r.end == 0 {
		r.err = fmt.Errorf("session log has no header: %w", tree.ErrBadLine)
	}
	if r.torn = b[r.end:]; len(r.torn) > 0 {
		r.problem("the last line is incomplete (%d bytes after byte %d); it is left out", len(r.torn), r.end)
	}
	return r
}

func (r *reading) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

func (r *reading) readHeader(line []byte) {
	h, err := tree.ParseHeader(line)
	switch {
	case err != nil:
		r.err = fmt.Errorf("session log has a damaged header: %w", err)
	case h.Version > tree.LogVersion:
		r.header = h
		r.err = fmt.Errorf("session log has version %d, this program knows %d", h.Version, tree.LogVersion)
	default:
		r.header = h
	}
}

func (r *reading) readLine(number int, line []byte) error {
	e, err := tree.ParseLine(line)
	if err != nil {
		return err
	}
	last := plan.EntryID("")
	if all := r.tree.All(); len(all) > 0 {
		last = all[len(all)-1].ID
	}
	if _, ok := r.tree.Entry(e.Parent); e.Parent != "" && !ok {
		r.problem("line %d: its parent %s is missing; it is attached to %s", number, e.Parent, orRoot(last))
		e.Parent = last
	}
	err = r.tree.Add(e)
	if e.Kind != tree.KindLeaf || !errors.Is(err, tree.ErrNoEntry) {
		return err
	}
	r.problem("line %d: it moves the branch to an entry that is missing; it goes to %s", number, orRoot(last))
	if e.Body, err = json.Marshal(tree.Leaf{To: last}); err != nil {
		return err
	}
	return r.tree.Add(e)
}

func orRoot(id plan.EntryID) string {
	if id == "" {
		return "the root"
	}
	return string(id)
}
