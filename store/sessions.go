package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"planmode/plan/tree"
)

const (
	sessionsName    = "sessions"
	logSuffix       = ".jsonl"
	lockSuffix      = ".lock"
	streamingSuffix = ".streaming"
	tornSuffix      = ".torn-"
	imageSuffix     = ".image-"
	logLimit        = 2 << 30
)

// checkSession keeps a session id a plain file name.
func checkSession(session string) error {
	ok := session != "" && len(session) <= 100 && session[0] != '.'
	for _, r := range session {
		ok = ok && (r == '-' || r == '_' || r == '.' || r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)))
	}
	if !ok {
		return fmt.Errorf("%q is not a session id", session)
	}
	return nil
}

// folderOf is the folder of the sessions of a working directory: readable by its
// base name, unique by its real path.
func folderOf(cwd string) string {
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	cwd = filepath.Clean(cwd)
	sum := sha256.Sum256([]byte(cwd))
	base := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, filepath.Base(cwd))
	for len(base) > 60 {
		base = base[:len(base)-1]
	}
	base = strings.TrimLeft(strings.ToValidUTF8(base, ""), ".-")
	return cmp.Or(base, "root") + "-" + hex.EncodeToString(sum[:4])
}

// CreateLog starts the log of a new session. An empty Session in the header gets
// a new id; the time and the version are filled in. With the header of a log that
// is still empty the call can be repeated.
func (s *Store) CreateLog(h tree.Header) (*Log, error) {
	if h.Session == "" {
		id, err := s.newSessionID()
		if err != nil {
			return nil, err
		}
		h.Session = id
	}
	if err := checkSession(h.Session); err != nil {
		return nil, err
	}
	if h.CreatedAt.IsZero() {
		h.CreatedAt = s.now()
	}
	h.Version = tree.LogVersion
	line, err := tree.AppendHeader(nil, h)
	if err != nil {
		return nil, fmt.Errorf("create session %s: %w", h.Session, err)
	}
	d, err := s.data.ensure(sessionsName, folderOf(h.Cwd))
	if err != nil {
		return nil, fmt.Errorf("create session %s: %w", h.Session, err)
	}
	l, err := s.openLog(d, h.Session, func() error { return d.createOrSame(h.Session+logSuffix, line) })
	if err != nil {
		d.close()
		return nil, fmt.Errorf("create session %s: %w", h.Session, err)
	}
	if err := s.syncFolders(); err != nil {
		return nil, fmt.Errorf("create session %s: %w", h.Session, errors.Join(err, l.Close()))
	}
	l.fresh = true
	return l, nil
}

// syncFolders makes the folder of a new session durable, and what leads to it.
func (s *Store) syncFolders() error {
	d, err := s.data.sub(sessionsName)
	if err != nil {
		return err
	}
	defer d.close()
	return errors.Join(d.sync(), s.data.sync())
}

// OpenLog opens the log of a session for writing. It takes an id, the beginning
// of one or of its random part, or the path of a log in this store. When another
// process has it, the error is a *HeldError, and ReadLog still works.
func (s *Store) OpenLog(session string) (*Log, error) {
	d, id, err := s.find(session)
	if err != nil {
		return nil, err
	}
	l, err := s.openLog(d, id, func() error { return nil })
	if err != nil {
		d.close()
		return nil, fmt.Errorf("open session %s: %w", id, err)
	}
	return l, nil
}

// ReadLog opens the log of a session for reading, whoever has it.
func (s *Store) ReadLog(session string) (*Log, error) {
	d, id, err := s.find(session)
	if err != nil {
		return nil, err
	}
	l, _, err := s.loadLog(d, id)
	if err != nil {
		d.close()
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	if l.readOnly == nil {
		l.readOnly = errors.New("it was opened for reading")
		if h, held := d.peek(id + lockSuffix); held {
			l.readOnly = &HeldError{Holder: h, What: "session " + id}
		}
	}
	return l, nil
}

// openLog locks the session, prepares the file, and reads it. The log owns d
// when there is no error.
func (s *Store) openLog(d *dir, id string, prepare func() error) (*Log, error) {
	lock, err := d.lock(id+lockSuffix, "session "+id, peekGrace, s.opt.Now())
	if err != nil {
		return nil, err
	}
	l, r, err := s.prepareLog(d, id, prepare)
	if err == nil && r.err == nil {
		l.file, err = d.openAppender(l.name, r.end, len(r.torn) > 0)
	}
	if err != nil {
		lock.release()
		return nil, err
	}
	l.lock = lock
	return l, nil
}

func (s *Store) prepareLog(d *dir, id string, prepare func() error) (*Log, *reading, error) {
	if err := prepare(); err != nil {
		return nil, nil, err
	}
	return s.loadLog(d, id)
}

func (s *Store) loadLog(d *dir, id string) (*Log, *reading, error) {
	name := id + logSuffix
	b, err := d.readFile(name, logLimit)
	if err != nil {
		return nil, nil, err
	}
	r := readLog(b)
	if r.err == nil && r.header.Session != id {
		r.problem("the header names session %q, the file %q", r.header.Session, id)
	}
	r.header.Session = id
	torn := slices.Clone(r.torn) // so that the bytes of the file can be freed
	return &Log{
		store: s, dir: d, name: name, header: r.header, tree: &r.tree,
		problems: r.problems, lost: r.lost, readOnly: r.err, damage: r.err, torn: torn,
	}, r, nil
}

// find opens the folder of the one session that the text names and returns its
// id.
func (s *Store) find(session string) (*dir, string, error) {
	fail := func(err error) (*dir, string, error) {
		return nil, "", fmt.Errorf("find session %q: %w", session, err)
	}
	if strings.ContainsRune(session, filepath.Separator) {
		return s.findPath(session)
	}
	if session = strings.TrimSuffix(session, logSuffix); session == "" {
		return fail(ErrNoSession)
	}
	top, err := s.data.sub(sessionsName)
	if errors.Is(err, fs.ErrNotExist) {
		return fail(ErrNoSession)
	} else if err != nil {
		return fail(err)
	}
	defer top.close()
	var folder, id string
	found := 0
	err = eachLog(top, "", func(d *dir, name string) {
		_, random, _ := strings.Cut(name, "-")
		if name != session && (id == session || !strings.HasPrefix(name, session) && !strings.HasPrefix(random, session)) {
			return
		}
		if found++; name == session {
			found = 1
		}
		folder, id = filepath.Base(d.path), name
	})
	switch {
	case err != nil:
		return fail(err)
	case found == 0:
		return fail(ErrNoSession)
	case found > 1:
		return fail(ErrAmbiguous)
	}
	d, err := top.sub(folder)
	return d, id, err
}

// findPath takes the path of a log apart. It must be in this store: elsewhere
// its locks and folders would not be ours.
func (s *Store) findPath(path string) (*dir, string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, "", err
	}
	folder, name := filepath.Split(abs)
	id, ok := strings.CutSuffix(name, logSuffix)
	folder = filepath.Clean(folder)
	if !ok || filepath.Dir(folder) != filepath.Join(s.data.path, sessionsName) || checkSession(id) != nil {
		return nil, "", fmt.Errorf("find session %q: %w", path, ErrNoSession)
	}
	d, err := s.data.sub(sessionsName, filepath.Base(folder))
	if err == nil {
		if there, _ := d.exists(name); !there {
			d.close()
			err = fs.ErrNotExist
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoSession
	}
	if err != nil {
		return nil, "", fmt.Errorf("find session %q: %w", path, err)
	}
	return d, id, nil
}

// eachLog visits the logs of one folder, or of all when folder is empty.
func eachLog(top *dir, folder string, visit func(d *dir, id string)) error {
	folders := []string{folder}
	if folder == "" {
		names, err := top.names()
		if err != nil {
			return err
		}
		folders = folders[:0]
		for _, e := range names {
			if e.IsDir() {
				folders = append(folders, e.Name())
			}
		}
	}
	for _, folder := range folders {
		d, err := top.sub(folder)
		if err != nil {
			continue // it went away, or is a link: no session of ours
		}
		names, err := d.names()
		if err == nil {
			for _, e := range names {
				id, ok := strings.CutSuffix(e.Name(), logSuffix)
				if ok && e.Type().IsRegular() && checkSession(id) == nil {
					visit(d, id)
				}
			}
		}
		d.close()
	}
	return nil
}
