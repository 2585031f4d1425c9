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

// The person waits for this before the reviewer opens, so the largest plan,
// rewritten as a whole, must not take it longer than a moment.
func TestChangesOfAWholeRewriteAreCountedAtOnce(t *testing.T) {
	text := func(mark string) []byte {
		var b strings.Builder
		for i := 0; b.Len() < plan.MaxPlanBytes; i++ {
			fmt.Fprintf(&b, "%s%d\n", mark, i)
		}
		return []byte(b.String())
	}
	began := time.Now()
	got := changes(revdiff.Text{Revision: 1, Bytes: text("a")}, revdiff.Text{Revision: 2, Bytes: text("b")})
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %v: %s", took, got)
	}
}
