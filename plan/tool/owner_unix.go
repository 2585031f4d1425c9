//go:build unix

package tool

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives f the owner that info tells, as far as we may.
func keepOwner(f *os.File, info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}
