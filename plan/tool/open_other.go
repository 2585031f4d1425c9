//go:build !linux

package tool

import "os"

// kernelFile: no other supported platform shows processes as files.
func kernelFile(*os.File) bool { return false }
