package result

import (
	"fmt"
	"strings"
	"testing"

	"planmode/revdiff/compare"
	"planmode/revdiff/record"
)

func numbered(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func files() []File {
	old := numbered(40)
	return []File{
		{Path: "a.go", Old: []byte(old), New: []byte(strings.Replace(old, "line 20\n", "line twenty\nand more\n", 1))},
		{Path: "新/b.md", New: []byte("```\nfence\n```\n\x1b[2Jx\n")},
		{Path: "gone.txt", Old: []byte("was\n")},
		{Path: "image.png", Old: []byte{0, 1}, New: []byte{0, 2}},
		{Path: "huge", New: []byte(strings.Repeat("x", MaxFile+1))},
		{Path: "link", Unknown: "no regular file"},
	}
}

func TestTheTextsCompareLikeTheFiles(t *testing.T) {
	c := Of("# Head\n", files())
	if c.Shown != 3 || len(c.Left) != 3 {
		t.Errorf("%d shown, left %q", c.Shown, c.Left)
	}
	if n := compare.Count(compare.Lines(split(c.Old), split(c.New))); n.Added != 2+4 || n.Removed != 1+1 {
		t.Errorf("%+v:\n%s", n, c.New)
	}
	for _, want := range []string{"## a.go\n", "## 新/b.md (new)\n", "## gone.txt (deleted)\n", "… 13 unchanged lines\n", "- image.png: no text\n", "````md\n"} {
		if !strings.Contains(string(c.New), want) {
			t.Errorf("no %q in\n%s", want, c.New)
		}
	}
	if strings.Contains(string(c.New), "\x1b") {
		t.Error("not clean")
	}
}

func TestEveryChangedLineLeadsBackToItsFile(t *testing.T) {
	c := Of("# Head\n", files())
	content := map[string][2][]string{}
	for _, f := range files() {
		content[f.Path] = [2][]string{split(f.Old), split(f.New)}
	}
	for side, b := range [][]byte{c.Old, c.New} {
		for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
			p, ok := c.At(i+1, side == 0)
			if !ok || p.Line == 0 {
				continue
			}
			if got := content[p.Path][side][p.Line-1]; got != line || p.Old != (side == 0) {
				t.Errorf("line %d of side %d is %q, and %+v holds %q", i+1, side, line, p, got)
			}
		}
	}
	for _, e := range compare.Lines(split(c.Old), split(c.New)) {
		if e.Op == record.Added {
			if p, ok := c.At(e.New, false); !ok || p.Line == 0 {
				t.Errorf("the added line %d leads nowhere", e.New)
			}
		}
	}
	for _, line := range []int{-1, 0, 1, 1 << 20} {
		if p, ok := c.At(line, false); ok {
			t.Errorf("line %d leads to %+v", line, p)
		}
	}
}

func TestThereIsALimit(t *testing.T) {
	var many []File
	for i := range 20 {
		many = append(many, File{Path: fmt.Sprint(i, ".txt"), New: []byte(numbered(5000))})
	}
	c := Of("x", many)
	if c.Shown == 0 || len(c.Left) == 0 || c.Shown+len(c.Left) != 20 || len(c.New) > MaxBytes+16<<10 {
		t.Errorf("%d shown, %d left, %d bytes", c.Shown, len(c.Left), len(c.New))
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n", "x.go")
	f.Add("", "```\n", "\x1b.md")
	f.Fuzz(func(t *testing.T, old, fresh, path string) {
		c := Of("head", []File{{Path: path, Old: []byte(old), New: []byte(fresh)}})
		for side, b := range [][]byte{c.Old, c.New} {
			lines := strings.Count(string(b), "\n")
			if p, ok := c.At(lines+1, side == 0); ok {
				t.Fatalf("past the end: %+v", p)
			}
		}
	})
}
