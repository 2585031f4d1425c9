package compare

import (
	"fmt"
	"strings"
	"testing"

	"planmode/revdiff/record"
)

// sketch writes edits as one word a line: sign and text.
func sketch(edits []Edit, old, new []string) string {
	var out []string
	for _, e := range edits {
		if e.Op == record.Removed {
			out = append(out, "-"+old[e.Old-1])
		} else {
			out = append(out, strings.TrimSpace(string(e.Op))+new[e.New-1])
		}
	}
	return strings.Join(out, " ")
}

func TestLines(t *testing.T) {
	cases := []struct{ name, old, new, want string }{
		{"equal texts have no change", "a b c", "a b c", "a b c"},
		{"an empty text is all added", "", "a b", "+a +b"},
		{"everything can go", "a b", "", "-a -b"},
		{"a change lists what went first", "a b c", "a x c", "a -b +x c"},
		{"an addition in the middle", "a c", "a b c", "a +b c"},
		{"repeated lines are matched in order", "x a x", "x a x a x", "x a x +a +x"},
		{"a moved block is kept whole on one side", "h1 a h2 b c", "h2 b c h1 a", "-h1 -a h2 b c +h1 +a"},
		{"removed lines come before added ones across a run", "a b c d", "w x y z", "-a -b -c -d +w +x +y +z"},
		{"no unique line in common", "x x y y", "y y x x", "-x -x y y +x +x"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			old, new := strings.Fields(c.old), strings.Fields(c.new)
			got := Lines(old, new)
			checkEdits(t, got, old, new)
			if s := sketch(got, old, new); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

// checkEdits holds what every comparison must keep to: each line of each text
// once and in order, equal lines equal, removed before added.
func checkEdits(t *testing.T, edits []Edit, old, new []string) {
	t.Helper()
	nextOld, nextNew := 1, 1
	for i, e := range edits {
		if e.Op != record.Added {
			if e.Old != nextOld {
				t.Fatalf("edit %d has old line %d, want %d", i, e.Old, nextOld)
			}
			nextOld++
		}
		if e.Op != record.Removed {
			if e.New != nextNew {
				t.Fatalf("edit %d has new line %d, want %d", i, e.New, nextNew)
			}
			nextNew++
		}
		if e.Op == record.Context && old[e.Old-1] != new[e.New-1] {
			t.Fatalf("edit %d pairs %q with %q", i, old[e.Old-1], new[e.New-1])
		}
		if i > 0 && e.Op == record.Removed && edits[i-1].Op == record.Added {
			t.Fatalf("edit %d: removed after added", i)
		}
	}
	if nextOld != len(old)+1 || nextNew != len(new)+1 {
		t.Fatalf("%d and %d lines listed, want %d and %d", nextOld-1, nextNew-1, len(old), len(new))
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nb")
	f.Add("", "x")
	f.Add("a\na\na", "a\na")
	f.Fuzz(func(t *testing.T, a, b string) {
		old, new := strings.Split(a, "\n"), strings.Split(b, "\n")
		checkEdits(t, Lines(old, new), old, new)
	})
}

func TestUnrelatedTextsAreReplacedInOneGo(t *testing.T) {
	lines := func(mark string) []string {
		out := make([]string, 20_000)
		for i := range out {
			out[i] = fmt.Sprint(mark, i%700) // no line occurs once
		}
		return out
	}
	old, new := lines("a"), lines("b")
	edits := Lines(old, new)
	checkEdits(t, edits, old, new)
	if edits[0].Op != record.Removed || edits[len(edits)-1].Op != record.Added {
		t.Error("unrelated texts should be all removed, all added")
	}
}
