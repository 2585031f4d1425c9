package tool

import (
	"os"

	"golang.org/x/sys/unix"
)

// kernelFile says whether an open file belongs to procfs or sysfs, whatever path
// led to it: a mount point can be anywhere.
func kernelFile(f *os.File) bool {
	var st unix.Statfs_t
	if unix.Fstatfs(int(f.Fd()), &st) != nil {
		return false
	}
	return st.Type == unix.PROC_SUPER_MAGIC || st.Type == unix.SYSFS_MAGIC
}
