package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/revdiff"
)

func TestChanges(t *testing.T) {
	cases := []struct{ name, old, now, want string }{
		{"a line more", "a\nb\n", "a\nx\nb\n", "r1 → r2: 1 line added, 0 removed"},
		{"a line less", "a\nb\n", "b\n", "r1 → r2: 0 lines added, 1 removed"},
		{"other lines", "a\nb\nc\n", "a\nx\ny\nc\n", "r1 → r2: 2 lines added, 1 removed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := changes(revdiff.Text{Revision: 1, Bytes: []byte(c.old)}, revdiff.Text{Revision: 2, Bytes: []byte(c.now)})
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The person waits for this before the reviewer opens, so a plan rewritten as a
// whole must not take a multiple of its square. The measure is the same work on
// texts that are equal, at the same time on the same machine.
func TestChangesOfAWholeRewriteAreCountedAtOnce(t *testing.T) {
	text := func(mark string) []byte {
		var b strings.Builder
		for i := 0; b.Len() < plan.MaxPlanBytes; i++ {
			fmt.Fprintf(&b, "%s%d\n", mark, i)
		}
		return []byte(b.String())
	}
	a, b := text("a"), text("b")
	took := func(old, now []byte) time.Duration {
		began := time.Now()
		changes(revdiff.Text{Revision: 1, Bytes: old}, revdiff.Text{Revision: 2, Bytes: now})
		return time.Since(began)
	}
	equal, rewritten := took(a, a), took(a, b)
	if rewritten > 200*equal {
		t.Errorf("it took %v, %v for equal texts", rewritten, equal)
	}
}
