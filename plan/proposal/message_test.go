package proposal

import (
	"errors"
	"slices"
	"testing"
)

func TestVisibleAndExtract(t *testing.T) {
	for _, tc := range []struct {
		name, in, visible, plan string
		found                   bool
	}{
		{"P04, P05: the text around a block and the block", "before\n" + o + "\n- step\n" + c + "\nafter", "before\nafter", "- step\n", true},
		{"P01: text before and after", "Intro text\n" + o + "\n- step 1\n" + c + "\nOutro", "Intro text\nOutro", "- step 1\n", true},
		{"P14: no block", "just text\n", "just text\n", "", false},
		{"P20: a byte order mark spoils the tag", "\ufeff" + o + "\nx\n", "\ufeff" + o + "\nx\n", "", false},
		{"P30: the last block counts", o + "\nA\n" + c + "\nmid\n" + o + "\nB\n" + c + "\nend\n", "mid\nend\n", "B\n", true},
		{"P31: an empty block is found", o + "\n" + c + "\n", "", "", true},
		{"P32: so is one that the message ends in", "hello\n" + o, "hello\n", "", true},
		{"P38: and a last one that stays open", o + "\nA\n" + c + "\n" + o + "\nB", "", "B", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Visible(tc.in); got != tc.visible {
				t.Errorf("visible: got %+v, want %q", got, tc.visible)
			}
			if got, found := Extract(tc.in); got != tc.plan || found != tc.found {
				t.Errorf("plan: got %+v, %v; want %q, %v", got, found, tc.plan, tc.found)
			}
		})
	}
}

func TestParts(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []Part
	}{
		{"nothing", "", nil},
		{"text alone", "a\n", []Part{{Text: "a\n"}}},
		{"a block in a fence is marked", "```md\n" + o + "\nx\n" + c + "\n```\nz\n", []Part{{Text: "```md\n"}, {Plan: true, Text: "x\n", Fenced: true}, {Text: "```\nz\n"}}},
		{"a closed fence before a block is none", "```\na\n```\n" + o + "\nx\n" + c + "\n", []Part{{Text: "```\na\n```\n"}, {Plan: true, Text: "x\n"}}},
		{"a plan that ends in its own fence is marked", o + "\n~~~\n" + c + "\n~~~\n" + o + "\ny\n" + c + "\n",
			[]Part{{Plan: true, Text: "~~~\n", Torn: true}, {Text: "~~~\n"}, {Plan: true, Text: "y\n"}}},
		{"an open block is marked", "a\n" + o + "\nx", []Part{{Text: "a\n"}, {Plan: true, Text: "x", Open: true}}},
		{"a block closed by the last line is not", o + "\nx\n" + c, []Part{{Plan: true, Text: "x\n"}}},
		{"inline code of three ticks is no fence", "```a```\n" + o + "\n" + c + "\n", []Part{{Text: "```a```\n"}, {Plan: true}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Parts(tc.in); !slices.Equal(got, tc.want) {
				t.Errorf("got  %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

func TestUntagged(t *testing.T) {
	if got, want := Untagged("a\n"+o+"\nplan\n"+c+"\nb"), "a\nplan\nb"; got != want {
		t.Errorf("got %+v, want %q", got, want)
	}
}

func TestBytes(t *testing.T) {
	t.Run("P58: a character that is cut apart is joined", func(t *testing.T) {
		var b Bytes
		var out []Segment
		for _, p := range []string{"\xe8", "\xae", "\xa1\n" + o + "\n\xe6\xad", "\xa5"} {
			got, err := b.Push([]byte(p))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, got...)
		}
		rest, err := b.Finish()
		if out = Join(append(out, rest...)); err != nil || !slices.Equal(out, []Segment{n("计\n"), start, d("步"), end}) {
			t.Errorf("got %+v, %v", out, err)
		}
	})
	t.Run("P58: a piece with an invalid byte changes nothing", func(t *testing.T) {
		var b Bytes
		if _, err := b.Push([]byte("a\xe8")); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"valid\xff", "\xae\xff", "\xff"} {
			if got, err := b.Push([]byte(bad)); !errors.Is(err, ErrNotUTF8) || len(got) > 0 {
				t.Errorf("%q: got %+v, %v", bad, got, err)
			}
		}
		got, err := b.Push([]byte("\xae\xa1"))
		if err != nil || !slices.Equal(got, []Segment{n("计")}) {
			t.Errorf("the next piece: got %+v, %v", got, err)
		}
	})
	t.Run("P58: a message must not end within a character", func(t *testing.T) {
		var b Bytes
		if _, err := b.Push([]byte("a\n<\xe8\xae")); err != nil {
			t.Fatal(err)
		}
		got, err := b.Finish()
		if !errors.Is(err, ErrNotUTF8) || !slices.Equal(got, []Segment{n("<")}) {
			t.Errorf("got %+v, %v", got, err)
		}
		if got, err := b.Finish(); err != nil || len(got) > 0 {
			t.Errorf("again: %+v, %v", got, err)
		}
	})
}
