package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// peekBytes is how much of each end of a log is read for a list.
const peekBytes = 32 << 10

// SessionInfo is a session in a list.
type SessionInfo struct {
	ID       string
	Path     string
	Cwd      string
	Parent   string // the session it was forked from
	Created  plan.Time
	Modified plan.Time
	First    string // the first message of the person, on one line
	Title    string
	Entries  int    // exact for short sessions, else an estimate
	Problem  string // why the header cannot be read
	Branch   string // of git, when the session began; cleaned
	Size     int64
	Standing Standing

	moved bool // the branch moved in the part that was read
}

// Sessions lists the sessions of a working directory, or all when cwd is empty,
// the one written to last first. Only the two ends of each log are read. The
// texts are clean and on one line.
func (s *Store) Sessions(cwd string) ([]SessionInfo, error) {
	top, err := s.data.sub(sessionsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer top.close()
	folder := ""
	if cwd != "" {
		folder = folderOf(cwd)
	}
	var all []SessionInfo
	err = eachLog(top, folder, func(d *dir, id string) {
		info, err := d.sessionInfo(id)
		if err == nil {
			all = append(all, info)
		} else if !errors.Is(err, fs.ErrNotExist) {
			all = append(all, SessionInfo{ID: id, Path: d.join(id + logSuffix), Problem: err.Error()})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	slices.SortFunc(all, func(a, b SessionInfo) int {
		if c := b.Modified.Compare(a.Modified.Time); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return all, nil
}

func (d *dir) sessionInfo(id string) (SessionInfo, error) {
	name := id + logSuffix
	f, err := d.openFile(name, os.O_RDONLY)
	if err != nil {
		return SessionInfo{}, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return SessionInfo{}, err
	}
	info := SessionInfo{ID: id, Path: d.join(name), Modified: plan.Stamp(st.ModTime()), Size: st.Size()}
	head := make([]byte, min(st.Size(), peekBytes))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return SessionInfo{}, err
	}
	info.scanHead(head, st.Size())
	if rest := st.Size() - int64(len(head)); rest > 0 {
		tail := make([]byte, min(rest, peekBytes))
		if _, err := f.ReadAt(tail, st.Size()-int64(len(tail))); err != nil && err != io.EOF {
			return SessionInfo{}, err
		}
		info.Standing.Unsure = true // until an event of the rest says more
		for line := range bytes.Lines(tail) {
			info.scanTitle(line)
			info.scanStanding(line)
		}
	}
	return info, nil
}

// scanHead reads the header and the entries of the beginning of a log of the
// given size.
func (i *SessionInfo) scanHead(head []byte, size int64) {
	first := true
	for line := range bytes.Lines(head) {
		if !first {
			i.Entries++
			i.scan(line)
			continue
		}
		first = false
		h, err := tree.ParseHeader(line)
		if err != nil {
			i.Problem = err.Error()
			continue
		}
		i.Cwd, i.Parent, i.Created, i.Branch = h.Cwd, h.Parent, h.CreatedAt, oneLine(h.Branch)
	}
	if size > int64(len(head)) {
		i.Entries = int(int64(i.Entries) * size / int64(len(head)))
	}
}

// scan looks for what the list shows, decoding only the lines that hold it.
func (i *SessionInfo) scan(line []byte) {
	i.scanTitle(line)
	i.scanStanding(line)
	if i.First != "" || !bytes.Contains(line, []byte(`,"kind":"user",`)) {
		return
	}
	if e, err := tree.ParseLine(line); err == nil && e.Kind == tree.KindUser {
		if u, err := tree.Decode[tree.User](e); err == nil {
			i.First = oneLine(u.Text)
		}
	}
}

func (i *SessionInfo) scanTitle(line []byte) {
	if !bytes.Contains(line, []byte(`,"kind":"title",`)) {
		return
	}
	if e, err := tree.ParseLine(line); err == nil && e.Kind == tree.KindTitle {
		if t, err := tree.Decode[tree.Title](e); err == nil {
			i.Title = oneLine(t.Text)
		}
	}
}

// oneLine cleans the beginning of a text and puts it on one line.
func oneLine(s string) string {
	const most = 200
	if len(s) > 8*most {
		s = s[:8*most]
	}
	r := []rune(text.Line(s))
	return string(r[:min(len(r), most)])
}
