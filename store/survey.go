package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"planmode/plan"
)

// surveyFaults is how many faulty names a survey lists; the rest is counted.
const surveyFaults = 20

// Area is what one part of the directories holds.
type Area struct {
	Name  string // "plans", "sessions", "drafts", "other", "log"
	Count int    // of plans, sessions, drafts or log files; of files for other data
	Bytes int64
}

// Fault is a name in the store that does not belong there.
type Fault struct {
	Path string
	Why  string
}

// Lock is a lock that somebody holds at this moment.
type Lock struct {
	Holder
	What string // "session …", "plan …"
}

// Survey is a look at a whole store. It changes nothing.
type Survey struct {
	Areas  []Area
	Faults []Fault
	More   int // faults that are not listed
	Locks  []Lock
}

// Look surveys the store in dirs, which need not exist.
func Look(dirs Dirs) (Survey, error) {
	var s Survey
	err := errors.Join(s.walk(dirs.Data), s.logs(dirs.State), s.locks(dirs.Data))
	if err != nil {
		return s, fmt.Errorf("look through the store: %w", err)
	}
	return s, nil
}

// walk adds up the files below the data directory and finds what is no regular
// file or open to others. A name that goes away meanwhile is no error.
func (s *Survey) walk(data string) error {
	areas := map[string]*Area{}
	for _, name := range []string{plansName, sessionsName, draftsName, "other"} {
		areas[name] = &Area{Name: name}
	}
	defer func() {
		for _, name := range []string{plansName, sessionsName, draftsName, "other"} {
			s.Areas = append(s.Areas, *areas[name])
		}
	}()
	root, err := filepath.EvalSymlinks(data) // to the root, links are the user's own business
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || path == root && err == nil {
			return nil
		}
		if err != nil {
			s.fault(path, "cannot be read: "+plainCause(err))
			return nil
		}
		st, err := e.Info()
		if err != nil {
			return nil // gone
		}
		if why := irregular(st); why != "" {
			s.fault(path, why)
		}
		parts := strings.Split(strings.TrimPrefix(path, root+string(filepath.Separator)), string(filepath.Separator))
		area := areas[parts[0]]
		if area == nil {
			area = areas["other"]
		}
		if !e.IsDir() && !isLock(e.Name()) {
			area.Bytes += st.Size()
		}
		if counts(area.Name, parts, e) {
			area.Count++
		}
		return nil
	})
}

// counts says whether a name is one of the things that its area holds.
func counts(area string, parts []string, e fs.DirEntry) bool {
	switch area {
	case plansName:
		_, err := plan.ParseID(e.Name())
		return len(parts) == 2 && e.IsDir() && err == nil
	case sessionsName:
		return len(parts) == 3 && strings.HasSuffix(e.Name(), logSuffix)
	case draftsName:
		return len(parts) == 2 && strings.HasSuffix(e.Name(), ".txt")
	}
	return !e.IsDir() && !isLock(e.Name())
}

// isLock says whether a name is that of a lock file, which holds nothing.
func isLock(name string) bool { return strings.HasSuffix(name, lockSuffix) }

func (s *Survey) fault(path, why string) {
	if len(s.Faults) >= surveyFaults {
		s.More++
		return
	}
	s.Faults = append(s.Faults, Fault{path, why})
}

func irregular(st fs.FileInfo) string {
	switch {
	case st.Mode()&fs.ModeSymlink != 0:
		return "is a symbolic link; planmode does not follow it"
	case !st.IsDir() && !st.Mode().IsRegular():
		return "is no regular file or directory; planmode does not open it"
	case privateModes && st.Mode().Perm()&0o077 != 0:
		return fmt.Sprintf("can be used by others (mode %04o)", st.Mode().Perm())
	case !ownedByUs(st):
		return "belongs to another user"
	}
	return ""
}

func (s *Survey) logs(state string) error {
	area := Area{Name: "log"}
	for _, name := range []string{logFileName, logFileOld} {
		st, err := os.Lstat(filepath.Join(state, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		area.Count++
		area.Bytes += st.Size()
		if why := irregular(st); why != "" {
			s.fault(filepath.Join(state, name), why)
		}
	}
	s.Areas = append(s.Areas, area)
	return nil
}

// locks finds out who holds what.
func (s *Survey) locks(data string) error {
	h, err := openHandle(data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	root := &dir{h, data, nil}
	defer root.close()
	held := func(d *dir, lock, what string) {
		if holder, yes := d.peek(lock); yes {
			s.Locks = append(s.Locks, Lock{holder, what})
		}
	}
	if top, err := root.sub(sessionsName); err == nil {
		err = eachLog(top, "", func(d *dir, id string) { held(d, id+lockSuffix, "session "+id) })
		top.close()
		if err != nil {
			return err
		}
	}
	top, err := root.sub(plansName)
	if err != nil {
		return nil // none yet, or a link, which the walk has named
	}
	defer top.close()
	names, err := top.names()
	if err != nil {
		return err
	}
	for _, e := range names {
		if _, err := plan.ParseID(e.Name()); err != nil {
			continue
		}
		if d, err := top.sub(e.Name()); err == nil {
			held(d, lockName, "plan "+e.Name())
			d.close()
		}
	}
	return nil
}

func plainCause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
