package store

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

const (
	logFileName  = "planmode.log"
	logFileOld   = "planmode.log.1"
	logFileLock  = ".planmode.log.lock"
	logFileLimit = 4 << 20
)

// LogFile is the program's own log in the state directory, open for appending
// by any number of processes. It never grows far beyond its limit: what is older
// becomes planmode.log.1, and what that held is gone. It is not made durable, and
// a log that cannot be written never stops anybody.
type LogFile struct {
	mu    sync.Mutex
	d     *dir
	f     *os.File
	limit int64
	now   func() time.Time
}

// OpenLogFile opens the log in the state directory of dirs, which it makes if it
// is missing.
func OpenLogFile(dirs Dirs) (*LogFile, error) { return openLogFile(dirs, logFileLimit) }

func openLogFile(dirs Dirs, limit int64) (*LogFile, error) {
	if err := PrivateDir(dirs.State); err != nil {
		return nil, err
	}
	h, err := openHandle(dirs.State)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	l := &LogFile{d: &dir{h, dirs.State, nil}, limit: limit, now: time.Now}
	if err := l.open(); err != nil {
		l.d.close()
		return nil, fmt.Errorf("open the log: %w", err)
	}
	return l, nil
}

func (l *LogFile) open() (err error) {
	l.f, err = l.d.openFile(logFileName, os.O_APPEND|os.O_CREATE|os.O_WRONLY)
	return err
}

// Path is where the log is.
func (l *LogFile) Path() string { return l.d.join(logFileName) }

// Write appends one record. It implements io.Writer.
func (l *LogFile) Write(record []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		return 0, fs.ErrClosed
	}
	if st, err := l.f.Stat(); err == nil && st.Size() > 0 && st.Size()+int64(len(record)) > l.limit {
		l.rotate(st)
	}
	return l.f.Write(record)
}

// rotate starts a new file. Another process may have done so already: then its
// file is the one to go on with. Whatever fails, the present file stays in use.
func (l *LogFile) rotate(ours os.FileInfo) {
	lock, err := l.d.lock(logFileLock, "the log", 0, l.now())
	if err != nil {
		return // somebody else rotates it right now; the next record will see that
	}
	defer lock.release()
	if now, err := os.Lstat(l.Path()); err == nil && os.SameFile(now, ours) {
		if l.d.rename(logFileName, logFileOld) != nil {
			return
		}
	}
	old := l.f
	if l.open() != nil {
		l.f = old
		return
	}
	_ = old.Close()
}

// Close closes the log.
func (l *LogFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		return nil
	}
	err := l.f.Close()
	l.f = nil
	l.d.close()
	return err
}
