package tool

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// How many lines of a diff are kept: to decide on, and to look back at.
const (
	maxPreviewLines = 5000
	maxDetailLines  = 400
)

type diff struct {
	text           string
	added, removed int
	cut            bool
}

// diffOf compares two texts line by line. At most limit lines of the diff are
// kept; what is added and removed is counted in full.
func diffOf(name, old, new string, limit int) diff {
	before, after := "a/"+name, "b/"+name
	if filepath.IsAbs(name) { // outside the working directory: no prefix belongs there
		before, after = name, name
	}
	if old == "" {
		before = "/dev/null"
	}
	full := udiff.Unified(before, after, old, new)
	var d diff
	var kept strings.Builder
	n := 0
	for line := range strings.Lines(full) {
		if n++; n > 2 {
			switch line[0] {
			case '+':
				d.added++
			case '-':
				d.removed++
			}
		}
		if n <= limit {
			kept.WriteString(line)
		}
	}
	if d.text = kept.String(); n > limit {
		d.cut = true
		d.text += fmt.Sprintf(" [%d more lines]\n", n-limit)
	}
	return d
}
