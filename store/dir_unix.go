//go:build unix

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// noFollow is the flag with which a lock file is opened.
const noFollow = unix.O_NOFOLLOW

// handle is a directory descriptor. All names are resolved against it, one
// component at a time and without following links, so that no swap of a
// directory between a check and its use can lead elsewhere.
type handle struct{ fd int }

// close also makes later use fail, rather than hit whatever gets the number next.
func (h *handle) close() {
	_ = unix.Close(h.fd)
	h.fd = -1
}

// again repeats a system call that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func openHandle(path string) (handle, error) {
	var h handle
	err := again(func() (err error) {
		h.fd, err = unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return h, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return h, nil
}

func (d *dir) openDir(name string) (handle, error) {
	var h handle
	err := again(func() (err error) {
		h.fd, err = unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		return err
	})
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENOTDIR) {
		return h, ErrSymlink
	}
	return h, err
}

// openFile opens a regular file. The open never waits, whatever lies there.
func (d *dir) openFile(name string, flag int) (*os.File, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	var fd int
	err := again(func() (err error) {
		fd, err = unix.Openat(d.fd, name, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, fileMode)
		return err
	})
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) || errors.Is(err, unix.ENXIO) {
		return nil, fmt.Errorf("open %s: %w", d.join(name), ErrSymlink)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.join(name), Err: err}
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("open %s: %w", d.join(name), ErrSymlink)
	}
	return os.NewFile(uintptr(fd), d.join(name)), nil
}

// readFile reads a regular file of at most limit bytes. It stays on plain
// descriptors because listing the plans reads ten thousand of them.
func (d *dir) readFile(name string, limit int64) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	var fd int
	err := again(func() (err error) {
		fd, err = unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		return err
	})
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) {
		return nil, fmt.Errorf("read %s: %w", d.join(name), ErrSymlink)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.join(name), Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, fmt.Errorf("read %s: %w", d.join(name), ErrSymlink)
	}
	if st.Size > limit {
		return nil, fmt.Errorf("read %s: %w: %d bytes, %d are allowed", d.join(name), ErrTooLarge, st.Size, limit)
	}
	buf := make([]byte, st.Size+1)
	n := 0
	for {
		got := 0
		err := again(func() (err error) { got, err = unix.Read(fd, buf[n:]); return err })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: d.join(name), Err: err}
		}
		if n += got; got == 0 {
			return buf[:n], nil
		}
		if n == len(buf) {
			if int64(n) > limit {
				return nil, fmt.Errorf("read %s: %w", d.join(name), ErrTooLarge)
			}
			buf = append(buf, make([]byte, len(buf))...)
		}
	}
}

// stat describes name itself, not what a link points to.
func (d *dir) stat(name string) (info, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return info{}, &fs.PathError{Op: "lstat", Path: d.join(name), Err: err}
	}
	i := info{size: st.Size, mod: time.Unix(st.Mtim.Unix())}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		i.mode = fs.ModeDir
	case unix.S_IFLNK:
		i.mode = fs.ModeSymlink
	default:
		i.mode = fs.ModeIrregular
	}
	return i, nil
}

// names lists the directory, unsorted.
func (d *dir) names() ([]fs.DirEntry, error) {
	var fd int
	err := again(func() (err error) {
		fd, err = unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path, Err: err}
	}
	f := os.NewFile(uintptr(fd), d.path)
	defer f.Close()
	return f.ReadDir(-1)
}

func (d *dir) mkdirAt(name string) error {
	return again(func() error { return unix.Mkdirat(d.fd, name, dirMode) })
}

func (d *dir) removeAt(name string) error {
	return again(func() error { return unix.Unlinkat(d.fd, name, 0) })
}

func (d *dir) renameAt(from, to string) error {
	return again(func() error { return unix.Renameat(d.fd, from, d.fd, to) })
}

func (d *dir) linkAt(from, to string) error {
	return again(func() error { return unix.Linkat(d.fd, from, d.fd, to, 0) })
}

// syncDir ignores file systems that cannot sync a directory: there is nothing
// more that could be done for the name there.
func (d *dir) syncDir() error {
	err := again(func() error { return unix.Fsync(d.fd) })
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}

// linkUnsupported says whether err means that the file system has no hard links.
func linkUnsupported(err error) bool {
	for _, no := range []syscall.Errno{unix.EPERM, unix.ENOTSUP, unix.EOPNOTSUPP, unix.ENOSYS, unix.EMLINK, unix.EXDEV} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

// ownedByUs says whether the user of this process owns the file.
func ownedByUs(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Getuid()
}

// privateModes says that the permission bits of a file mean something.
const privateModes = true

// freeBytes is how much this user can still write there.
func freeBytes(path string) uint64 {
	var st unix.Statfs_t
	if err := again(func() error { return unix.Statfs(path, &st) }); err != nil {
		return 0
	}
	return uint64(st.Bavail) * uint64(st.Bsize)
}

// writableDir says why nothing can be made in the directory at path.
func writableDir(path string) error {
	if err := again(func() error { return unix.Access(path, unix.W_OK|unix.X_OK) }); err != nil {
		return &fs.PathError{Op: "write to", Path: path, Err: err}
	}
	return nil
}
