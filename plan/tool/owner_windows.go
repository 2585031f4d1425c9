package tool

import (
	"io/fs"
	"os"
)

// keepOwner: a new file has the owner of its directory here, which is right.
func keepOwner(*os.File, fs.FileInfo) {}
