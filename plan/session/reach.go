package session

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"
	"time"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tool"
)

// Limits of what is recorded of files.
const (
	maxNamed      = 64
	maxNamedBytes = 1 << 20 // of one file
	maxNamedTotal = 4 << 20
	maxTouched    = 200
	reachTime     = 3 * time.Second
)

// namedFiles are the files that a plan names and what they hold now. One that does
// not exist counts if its name says that it will be made; directories do not.
func namedFiles(dir string, body []byte) []plan.NamedFile {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	var out []plan.NamedFile
	room := int64(maxNamedTotal)
	for _, name := range document.Parse(body).Files() {
		if len(out) == maxNamed {
			break
		}
		f := plan.NamedFile{Path: name}
		st, err := root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && path.Ext(name) == "":
			continue
		case err == nil && st.IsDir():
			continue
		case err == nil && st.Mode().IsRegular() && st.Size() <= min(room, maxNamedBytes):
			f.Hash = hashOf(root, name)
			room -= st.Size()
		}
		out = append(out, f)
	}
	return out
}

// hashOf is the hash of a small file; empty if it cannot be read.
func hashOf(root *os.Root, name string) plan.Hash {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxNamedBytes+1))
	if err != nil || len(b) > maxNamedBytes {
		return ""
	}
	return plan.HashOf(b)
}

// keepBaseline keeps what the work tree looked like when the plan was approved: the
// last look while planning. An approval must not wait for it, so what is large, or
// not there yet, is written in the background; Close waits for that.
func (s *Session) keepBaseline(id plan.ID, entry plan.EntryID) {
	s.mu.Lock()
	w := s.watch
	s.mu.Unlock()
	if w == nil {
		return
	}
	w.kept.Store(true)
	select {
	case <-w.ready:
		if w.first.Len() <= smallTree {
			s.writeBaseline(w, id, entry)
			return
		}
	default:
	}
	s.spawn("baseline", func() { // within the turn that approved, so Close has not begun to wait
		<-w.ready
		s.writeBaseline(w, id, entry)
	})
}

// smallTree is how many files can be written down at once without being felt.
const smallTree = 1000

// writeBaseline writes what can be missed: a failure is for the log.
func (s *Session) writeBaseline(w *watch, id plan.ID, entry plan.EntryID) {
	if w.err != nil {
		return
	}
	b, err := w.first.Encode(s.opt.Dir)
	if err == nil {
		err = s.opt.Store.SaveBaseline(id, entry, b)
	}
	if err != nil {
		slog.Warn("the work tree at the approval could not be kept", "session", s.opt.Session, "error", err)
	}
}

// touched says which files changed since a revision was approved: by the
// fingerprint of then if there is one, else by what git says. It is nil when
// neither can tell.
func (s *Session) touched(a plan.Decision, id plan.ID) *plan.Touched {
	ctx, cancel := context.WithTimeout(context.Background(), reachTime)
	defer cancel()
	files, how := s.changedSince(ctx, a, id)
	if how == "" {
		return nil
	}
	t := &plan.Touched{How: how}
	for _, f := range files {
		if len(t.Files) == maxTouched {
			t.More++
			continue
		}
		t.Files = append(t.Files, strings.ToValidUTF8(f, "\uFFFD"))
	}
	return t
}

// changedSince lists the changed files and how they were found: "files", "git", or
// empty when nothing can tell.
func (s *Session) changedSince(ctx context.Context, a plan.Decision, id plan.ID) (files []string, how string) {
	if was, ok := s.baseline(a, id); ok {
		now, err := tool.Fingerprint(ctx, s.opt.Dir, s.opt.Private...)
		if err == nil {
			return s.opt.Repo.Unignored(ctx, was.Diff(now)), "files"
		}
	}
	if a.Head == "" {
		return nil, ""
	}
	files, err := s.opt.Repo.Changed(ctx, a.Head)
	if err != nil {
		return nil, ""
	}
	return files, "git"
}

// baseline reads the fingerprint that was kept with an approval, if it is of this
// directory.
func (s *Session) baseline(a plan.Decision, id plan.ID) (tool.Print, bool) {
	if a.Entry == "" {
		return tool.Print{}, false
	}
	b, err := s.opt.Store.Baseline(id, a.Entry)
	if err != nil || b == nil {
		return tool.Print{}, false
	}
	p, dir, err := tool.DecodePrint(b)
	return p, err == nil && dir == s.opt.Dir
}

// approvalOf is the record of the approval of a revision.
func (s *Session) approvalOf(ref plan.Ref) (plan.Decision, bool) {
	m, err := s.opt.Store.Manifest(ref.Plan)
	if err != nil {
		return plan.Decision{}, false
	}
	a := m.Approval(ref.Revision)
	if a == nil {
		return plan.Decision{}, false
	}
	return *a, true
}
