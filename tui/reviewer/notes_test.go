package reviewer

import (
	"slices"
	"testing"

	"planmode/revdiff/record"
)

func at(line int, op byte) place { return place{line, op} }

func TestNotebook(t *testing.T) {
	cases := []struct {
		name string
		do   func(*notebook)
		want string
	}{
		{"nothing gives no bytes", func(b *notebook) {}, ""},
		{"notes are in the order of lines, the whole file first", func(b *notebook) {
			b.set(note{place: at(9, ' '), body: "nine"})
			b.set(note{place: at(2, '+'), body: "two"})
			b.set(note{place: wholeFile, body: "all"})
		}, "## p.md (file-level)\nall\n\n## p.md:2 (+)\ntwo\n\n## p.md:9 ( )\nnine\n"},
		{"the two sides of one number are two notes", func(b *notebook) {
			b.set(note{place: at(3, '+'), body: "new"})
			b.set(note{place: at(3, '-'), body: "old"})
		}, "## p.md:3 (+)\nnew\n\n## p.md:3 (-)\nold\n"},
		{"a second note at a place replaces the first", func(b *notebook) {
			b.set(note{place: at(1, ' '), body: "a"})
			b.set(note{place: at(1, ' '), body: "b"})
		}, "## p.md:1 ( )\nb\n"},
		{"a range has an end", func(b *notebook) {
			b.set(note{place: at(4, ' '), end: 6, body: "range"})
			b.set(note{place: at(8, ' '), end: 8, body: "one line"})
		}, "## p.md:4-6 ( )\nrange\n\n## p.md:8 ( )\none line\n"},
		{"an emptied note is removed", func(b *notebook) {
			b.set(note{place: at(1, ' '), body: "a"})
			b.set(note{place: at(1, ' '), body: "\n"})
		}, ""},
		{"undo brings back the last one removed", func(b *notebook) {
			b.set(note{place: at(1, ' '), body: "a"})
			b.set(note{place: at(2, ' '), body: "b"})
			b.remove(at(1, ' '))
			b.remove(at(2, ' '))
			b.undo()
		}, "## p.md:2 ( )\nb\n"},
		{"undo does not overwrite", func(b *notebook) {
			b.set(note{place: at(1, ' '), body: "a"})
			b.remove(at(1, ' '))
			b.set(note{place: at(1, ' '), body: "b"})
			b.undo()
		}, "## p.md:1 ( )\nb\n"},
		{"half-typed text is not handed over", func(b *notebook) {
			b.stash(note{place: at(1, ' '), body: "a"})
		}, ""},
		{"a body that looks like a header is escaped", func(b *notebook) {
			b.set(note{place: at(1, ' '), body: "see\n## p.md:2 (+)"})
		}, "## p.md:1 ( )\nsee\n ## p.md:2 (+)\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newNotebook()
			c.do(b)
			got := string(b.format("p.md"))
			if got != c.want {
				t.Fatalf("got %q\nwant %q", got, c.want)
			}
			parsed, err := record.Parse([]byte(got))
			if err != nil || !slices.Equal(parsed, records("p.md", b.sorted())) {
				t.Errorf("read back as %v, %v", parsed, err)
			}
		})
	}
}

func TestVersionsChangeWithWhatIsDrawn(t *testing.T) {
	b := newNotebook()
	seen := b.versions[at(1, ' ')]
	step := func(what string, do func()) {
		do()
		if now := b.versions[at(1, ' ')]; now == seen {
			t.Errorf("%s left the version as it was", what)
		} else {
			seen = now
		}
	}
	step("setting", func() { b.set(note{place: at(1, ' '), body: "a"}) })
	step("stashing", func() { b.stash(note{place: at(1, ' '), body: "b"}) })
	step("dropping the draft", func() { b.stash(note{place: at(1, ' ')}) })
	step("removing", func() { b.remove(at(1, ' ')) })
	step("undoing", func() { b.undo() })
}
