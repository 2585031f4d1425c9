package process

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func fileBacked(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "RssFile:"); ok {
			n, err := strconv.Atoi(strings.Fields(v)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("the kernel does not say how much memory files back")
	return 0
}

func TestShrinkGivesBackWhatTheStartNeeded(t *testing.T) {
	before := fileBacked(t)
	if err := Shrink(); err != nil {
		t.Fatal(err)
	}
	if after := fileBacked(t); after >= before {
		t.Errorf("%d KB before, %d KB after", before, after)
	}
}

func TestOnlyPartsOfOurOwnFileThatNobodyWritesAreGivenBack(t *testing.T) {
	const self = "/usr/bin/planmode"
	for line, want := range map[string]bool{
		"00400000-01e76000 r-xp 00000000 fe:00 9994306                            " + self:                true,
		"01e76000-042cd000 r--p 01a76000 fe:00 9994306                            " + self:                true,
		"042cd000-044a5000 rw-p 03ecd000 fe:00 9994306                            " + self:                false,
		"01e76000-042cd000 r--s 01a76000 fe:00 9994306                            " + self:                false,
		"00400000-01e76000 r-xp 00000000 fe:00 9994306                            " + self + " (deleted)": false,
		"7f0000000000-7f0000001000 r-xp 00000000 fe:00 1                          /usr/lib/libc.so":       false,
		"c000000000-c000400000 rw-p 00000000 00:00 0":                                                     false,
		"nonsense": false,
	} {
		if _, _, got := ownMapping(line, self); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
