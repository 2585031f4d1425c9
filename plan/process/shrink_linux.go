package process

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Shrink gives back the memory of the program's own file that only its start needed:
// the initialisation of all packages touches most of it once. What is needed later
// comes back from the system's cache by itself. A failure costs nothing but memory.
func Shrink() error {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("find the program's own file: %w", err)
	}
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return fmt.Errorf("read the map of memory: %w", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		begin, end, ok := ownMapping(lines.Text(), self)
		if !ok {
			continue
		}
		if err := giveBack(begin, end-begin); err != nil {
			return fmt.Errorf("give back memory of %s: %w", self, err)
		}
	}
	return nil
}

// ownMapping reads a line of the map: is it a part of the file that is never written?
func ownMapping(line, self string) (begin, end uintptr, ok bool) {
	var mode string
	if n, err := fmt.Sscanf(line, "%x-%x %4s", &begin, &end, &mode); n != 3 || err != nil {
		return 0, 0, false
	}
	return begin, end, strings.HasSuffix(line, " "+self) && mode[0] == 'r' && mode[1] == '-' && mode[3] == 'p' && end > begin
}

// giveBack tells the kernel that the pages are not needed now. They are those of a
// file and unchanged, so reading them again gives the same bytes.
func giveBack(begin, length uintptr) error {
	_, _, errno := unix.Syscall(unix.SYS_MADVISE, begin, length, unix.MADV_DONTNEED)
	if errno != 0 {
		return errno
	}
	return nil
}
