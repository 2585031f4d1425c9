//go:build unix

package tool

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestNoToolWaitsForASpecialFile(t *testing.T) {
	dir := files(t, map[string]string{"a": "needle\n", "zero": "-> /dev/zero", "proc": "-> /proc"})
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if short, err := os.MkdirTemp("", "s"); err == nil {
		t.Cleanup(func() { os.RemoveAll(short) })
		if l, err := net.Listen("unix", filepath.Join(short, "sock")); err == nil {
			defer l.Close()
			put(t, filepath.Join(dir, "sock"), "-> "+filepath.Join(short, "sock"), false)
		}
	}
	set := New(Options{Dir: dir})
	for _, path := range []string{"fifo", "zero", "sock", "/dev/tty", "/dev/stdin"} {
		if r := do(t, set, "read", args{"path": path}); !r.Error {
			t.Errorf("read %s: %q", path, r.Text)
		}
		if r := do(t, set, "grep", args{"path": path, "pattern": "x"}); !r.Error {
			t.Errorf("grep %s: %q", path, r.Text)
		}
		if r := do(t, set, "write", args{"path": path, "content": "x"}); !r.Error {
			t.Errorf("write %s: %q", path, r.Text)
		}
	}
	if r := do(t, set, "grep", args{"pattern": "needle"}); r.Text != "a:1:needle\n" {
		t.Errorf("grep beside a FIFO: %q", r.Text)
	}
	if r := do(t, set, "ls", args{}); r.Text != "a\nfifo=\nproc@\nsock@\nzero@\n" {
		t.Errorf("ls: %q", r.Text)
	}
}

func TestTheEnvironmentOfThisProcessIsNotReadable(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only this platform shows it as a file")
	}
	if f, err := os.Open("/proc/self/status"); err != nil || !kernelFile(f) || !special("/proc/1") || special("/process") {
		t.Errorf("files of the kernel are not told from others: %v", err)
	} else {
		f.Close()
	}
	dir := files(t, map[string]string{"proc": "-> /proc", "env": "-> /proc/self/environ", "self": "-> /proc/self"})
	set := New(Options{Dir: dir})
	for _, path := range []string{"/proc/self/environ", "proc/self/environ", "env", "self/environ", "/proc/1/cmdline", "/../proc/self/environ", "/proc/kcore"} {
		for name, a := range map[string]args{"read": {"path": path}, "grep": {"path": path, "pattern": "PATH"}} {
			if r := do(t, set, name, a); !r.Error || strings.Contains(r.Text, "PATH=") {
				t.Errorf("%s %s: %.200q", name, path, r.Text)
			}
		}
	}
	for _, path := range []string{"proc", "/proc", "self"} {
		if r := do(t, set, "grep", args{"path": path, "pattern": "PATH="}); !r.Error {
			t.Errorf("grep below %s: %.200q", path, r.Text)
		}
	}
}
