package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"planmode/revdiff/record"
)

func split(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// drawn writes what a reader would see of a comparison, one line for each edit:
// blank for the same, » for moved to here, « for moved from here, ≈ for wrapped
// anew, else the sign.
func drawn(c *Comparison, old, new []string) string {
	var out []string
	for _, e := range c.Edits {
		sign, line := string(e.Op), ""
		if e.Op == record.Removed {
			line = old[e.Old-1]
		} else {
			line = new[e.New-1]
		}
		switch {
		case e.Twin > 0 && e.Op == record.Added:
			sign = "»"
		case e.Twin > 0:
			sign = "«"
		case e.Rewrapped:
			sign = "≈" + sign
		}
		out = append(out, sign+line)
	}
	return strings.Join(out, "\n")
}

func TestText(t *testing.T) {
	const alpha, beta = "The first paragraph of the plan", "Another paragraph, about something else"
	cases := []struct{ name, old, new, want string }{
		{"a paragraph wrapped anew is not a change",
			"one two three\nfour five\n", "one two\nthree four five\n",
			"≈-one two three\n≈-four five\n≈+one two\n≈+three four five"},
		{"two paragraphs made one are a change",
			"one two\n\nthree four\n", "one two three four\n",
			"-one two\n-\n-three four\n+one two three four"},
		{"code that is wrapped anew is a change",
			"```\na b\nc\n```\n", "```\na\nb c\n```\n",
			" ```\n-a b\n-c\n+a\n+b c\n ```"},
		{"a list item that is nested deeper is a change",
			"- one\n- two\n", "- one\n  - two\n",
			" - one\n-- two\n+  - two"},
		{"Chinese text is wrapped without blanks",
			"运行全部测试，\n并且观察\n", "运行全部\n测试，并且观察\n",
			"≈-运行全部测试，\n≈-并且观察\n≈+运行全部\n≈+测试，并且观察"},
		{"a moved paragraph is moved",
			alpha + "\n\n" + beta + "\n\nend of it all\nlast\n", "end of it all\nlast\n\n" + alpha + "\n\n" + beta + "\n",
			"«" + alpha + "\n«\n«" + beta + "\n«\n end of it all\n last\n»\n»" + alpha + "\n»\n»" + beta},
		{"a section moves with its short title",
			"# A\n\n" + alpha + "\n\n# B\n\n" + beta + "\nx\ny\nz\n", "# B\n\n" + beta + "\nx\ny\nz\n\n# A\n\n" + alpha + "\n",
			"«# A\n«\n«" + alpha + "\n«\n # B\n \n " + beta + "\n x\n y\n z\n»\n»# A\n»\n»" + alpha},
		{"a short line that recurs is not a move",
			"a\nyes\nb\nc\nd\n", "a\nb\nc\nd\nyes\n",
			" a\n-yes\n b\n c\n d\n+yes"},
		{"a line that occurs twice is not a move",
			alpha + "\nb\nc\nd\n", "b\nc\nd\n" + alpha + "\n" + alpha + "\n",
			"-" + alpha + "\n b\n c\n d\n+" + alpha + "\n+" + alpha},
		{"a list put in another order",
			"1. write the interface\n2. implement the store\n3. switch the handlers\n",
			"3. switch the handlers\n1. write the interface\n2. implement the store\n",
			"»3. switch the handlers\n 1. write the interface\n 2. implement the store\n«3. switch the handlers"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			old, new := split(c.old), split(c.new)
			got := Text(old, new)
			checkEdits(t, got.Edits, old, new)
			checkMoves(t, got, old, new)
			if s := drawn(got, old, new); s != c.want {
				t.Errorf("got\n%s\nwant\n%s", s, c.want)
			}
		})
	}
}

// checkMoves holds that moved lines are pairs of equal lines, one removed and one
// added, each naming the other, and that moves hold twins at both ends.
func checkMoves(t *testing.T, c *Comparison, old, new []string) {
	t.Helper()
	gone, fresh := map[int]int{}, map[int]int{}
	for i, e := range c.Edits {
		switch {
		case e.Twin == 0:
		case e.Op == record.Removed:
			gone[e.Old] = e.Twin
		case e.Op == record.Added:
			fresh[e.New] = e.Twin
		default:
			t.Fatalf("edit %d is in both texts and moved", i)
		}
		if e.Rewrapped && (e.Twin > 0 || e.Op == record.Context) {
			t.Fatalf("edit %d %+v is rewrapped", i, e)
		}
	}
	if len(gone) != len(fresh) {
		t.Fatalf("%d lines moved away, %d came", len(gone), len(fresh))
	}
	for a, b := range gone {
		if fresh[b] != a || old[a-1] != new[b-1] {
			t.Fatalf("old line %d moved to %d, which came from %d", a, b, fresh[b])
		}
	}
	last := 0
	for _, v := range c.Moves {
		if gone[v.Old] != v.New || gone[v.OldEnd] != v.NewEnd || v.Old <= last || v.OldEnd < v.Old || v.NewEnd < v.New {
			t.Fatalf("move %+v", v)
		}
		last = v.OldEnd
	}
	size := c.Size
	if added, removed := size.Added+size.Moved+size.Rewrapped, len(new); added > removed {
		t.Fatalf("size %+v of %d lines", size, len(new))
	}
}

// TestTextKeepsItsPromises compares texts made by random edits: lines changed,
// dropped, moved as blocks and wrapped anew.
func TestTextKeepsItsPromises(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		var old []string
		for i := range 10 + r.IntN(60) {
			switch r.IntN(6) {
			case 0:
				old = append(old, "")
			case 1:
				old = append(old, fmt.Sprintf("## Section %d", i))
			default:
				old = append(old, fmt.Sprintf("line %d says something about part %d of it", i, r.IntN(9)))
			}
		}
		new := append([]string(nil), old...)
		for range 1 + r.IntN(5) {
			a := r.IntN(len(new))
			b := min(a+1+r.IntN(12), len(new))
			block := append([]string(nil), new[a:b]...)
			switch r.IntN(4) {
			case 0:
				new = append(new[:a:a], new[b:]...)
			case 1:
				new[a] += " changed"
			case 2:
				new[a] = strings.Join(block, " ")
			default:
				rest := append(new[:a:a], new[b:]...)
				at := r.IntN(len(rest) + 1)
				new = append(append(append([]string(nil), rest[:at]...), block...), rest[at:]...)
			}
			if len(new) == 0 {
				new = []string{""}
			}
		}
		c := Text(old, new)
		checkEdits(t, c.Edits, old, new)
		checkMoves(t, c, old, new)
	}
}

func FuzzText(f *testing.F) {
	f.Add("# A\n\none two\nthree\n\n# B\nfour", "# B\nfour\n\n# A\n\none\ntwo three")
	f.Fuzz(func(t *testing.T, a, b string) {
		old, new := strings.Split(a, "\n"), strings.Split(b, "\n")
		c := Text(old, new)
		checkEdits(t, c.Edits, old, new)
		checkMoves(t, c, old, new)
		if a == b && c.Size != (Size{}) {
			t.Fatalf("a text differs from itself: %+v", c.Size)
		}
	})
}
