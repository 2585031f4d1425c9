//go:build linux || darwin

package process

import (
	"os"
	"slices"
	"testing"
)

func TestAncestorsBeginWithTheParent(t *testing.T) {
	got := Ancestors(t.Context(), 3)
	if os.Getppid() > 1 && (len(got) == 0 || got[0] != os.Getppid()) || len(got) > 3 || slices.Contains(got, os.Getpid()) {
		t.Errorf("%v, the parent is %d", got, os.Getppid())
	}
	listed := parentFromPS(t.Context())(os.Getpid())
	if _, err := os.Stat("/bin/ps"); err == nil && listed != os.Getppid() {
		t.Errorf("ps says %d, the parent is %d", listed, os.Getppid())
	}
}
