package proposal

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

const (
	o = OpenTag
	c = CloseTag
)

func n(s string) Segment { return Segment{Text, s} }
func d(s string) Segment { return Segment{Delta, s} }

var (
	start = Segment{Kind: Start}
	end   = Segment{Kind: End}
)

// conformance are messages, cut where ¦ stands, and what they are cut into.
// Cases P06 to P09, P12 and P57 of the page they come from are of other tags and
// of citations, which there are none of here; P10 to P15 and P56 are of the
// session around it.
var conformance = []struct {
	name, in string
	want     []Segment
}{
	{"P01 a block between text, its tags cut apart", "Intro text\n<prop¦osed_plan>\n- step 1\n¦" + c + "\nOutro",
		[]Segment{n("Intro text\n"), start, d("- step 1\n"), end, n("Outro")}},
	{"P02 a tag with text behind it is text", "  " + o + " extra\n", []Segment{n("  " + o + " extra\n")}},
	{"P03 an open block ends with the message", o + "\n- step 1\n", []Segment{start, d("- step 1\n"), end}},
	{"P16 blanks around tags do not matter", " \t" + o + "  \t\nx\n  " + c + " \nafter", []Segment{start, d("x\n"), end, n("after")}},
	{"P17 CRLF is kept", o + "\r\nx\r\n" + c + "\r\nafter\r\n", []Segment{start, d("x\r\n"), end, n("after\r\n")}},
	{"P18 no-break spaces are blanks", "\u00a0" + o + "\u00a0\nx\n" + c + "\n", []Segment{start, d("x\n"), end}},
	{"P18 a no-break space cut apart is a blank", "\xc2¦\xa0" + o + "\xc2¦\xa0\nx\n" + c + "\n", []Segment{start, d("x\n"), end}},
	{"P19 VT, FF and NEL are blanks", "\v" + o + "\f\nx\n\u0085" + c + "\n", []Segment{start, d("x\n"), end}},
	{"P20 a byte order mark is no blank", "\ufeff" + o + "\nx\n", []Segment{n("\ufeff" + o + "\nx\n")}},
	{"P21 a zero width space is no blank", "\u200b" + o + "\nx\n", []Segment{n("\u200b" + o + "\nx\n")}},
	{"P22 other case is text", "<PROPOSED_PLAN>\n<Proposed_Plan>\n", []Segment{n("<PROPOSED_PLAN>\n<Proposed_Plan>\n")}},
	{"P23 a tag behind text is text", "text " + o + "\nx\n" + c + "\n", []Segment{n("text " + o + "\nx\n" + c + "\n")}},
	{"P24 text at the tag is text", o + "x\n" + c + "\n", []Segment{n(o + "x\n" + c + "\n")}},
	{"P25 both tags on a line are text", o + "x" + c + "\n", []Segment{n(o + "x" + c + "\n")}},
	{"P26 a closing tag with text behind it is part of the plan", o + "\nx\n" + c + " done\ny\n" + c + "\n", []Segment{start, d("x\n" + c + " done\ny\n"), end}},
	{"P27 a closing tag behind text is part of the plan", o + "\nx " + c + "\n", []Segment{start, d("x " + c + "\n"), end}},
	{"P28 there is no nesting", o + "\na\n" + o + "\nb\n" + c + "\nc\n" + c + "\n", []Segment{start, d("a\n" + o + "\nb\n"), end, n("c\n" + c + "\n")}},
	{"P29 a closing tag alone is text", "a\n" + c + "\nb\n", []Segment{n("a\n" + c + "\nb\n")}},
	{"P30 blocks may repeat", o + "\nA\n" + c + "\nmid\n" + o + "\nB\n" + c + "\nend\n",
		[]Segment{start, d("A\n"), end, n("mid\n"), start, d("B\n"), end, n("end\n")}},
	{"P31 an empty block", o + "\n" + c + "\n", []Segment{start, end}},
	{"P32 a tag as the last line", "hello\n" + o, []Segment{n("hello\n"), start, end}},
	{"P33 a closing tag as the last line", o + "\nx\n" + c, []Segment{start, d("x\n"), end}},
	{"P34 a closing tag and blanks as the last line", o + "\nx\n" + c + "  ", []Segment{start, d("x\n"), end}},
	{"P35 half a tag at the end is text", "hi\n<propo", []Segment{n("hi\n<propo")}},
	{"P36 half a closing tag at the end is part of the plan", o + "\nx\n</propo", []Segment{start, d("x\n</propo"), end}},
	{"P37 half a line at the end", o + "\nx\nhalf", []Segment{start, d("x\nhalf"), end}},
	{"P38 a second block that stays open", o + "\nA\n" + c + "\n" + o + "\nB", []Segment{start, d("A\n"), end, start, d("B"), end}},
	{"P40 a longer word is no tag", "<proposed_plan¦er>\nrest\n", []Segment{n("<proposed_planer>\nrest\n")}},
	{"P41 a blank within a tag", "<prop ¦osed_plan>\n", []Segment{n("<prop osed_plan>\n")}},
	{"P42 half a tag and blanks", "<prop   ¦\nnext\n", []Segment{n("<prop   \nnext\n")}},
	{"P43 blank lines are kept", "\n\n" + o + "\n\n- a\n\n" + c + "\n\n", []Segment{n("\n\n"), start, d("\n- a\n\n"), end, n("\n")}},
	{"P44 blanks are held and then released", "   ¦text\n", []Segment{n("   text\n")}},
	{"P45 blanks at the end", "a\n   ", []Segment{n("a\n   ")}},
	{"P46 a fence hides nothing", "```\n" + o + "\nx\n" + c + "\n```\n", []Segment{n("```\n"), start, d("x\n"), end, n("```\n")}},
	{"P47 a closing tag in a fence of the plan ends it", o + "\n```\n" + c + "\n```\nrest\n", []Segment{start, d("```\n"), end, n("```\nrest\n")}},
	{"P48 list and quotation marks are text", "- " + o + "\n> " + o + "\n", []Segment{n("- " + o + "\n> " + o + "\n")}},
	{"P49 attributes and self-closing tags are text", "<proposed_plan id=\"1\">\n<proposed_plan/>\n", []Segment{n("<proposed_plan id=\"1\">\n<proposed_plan/>\n")}},
	{"P50 a lone CR ends no line", o + "\rx\r" + c + "\n", []Segment{n(o + "\rx\r" + c + "\n")}},
	{"P51 nothing", "", nil},
	{"P51 empty pieces change nothing", "¦a¦¦\n¦", []Segment{n("a\n")}},
	{"P52 wide characters", "计¦划\n" + o + "\n步¦骤\n" + c + "\n", []Segment{n("计划\n"), start, d("步骤\n"), end}},
	{"P52 wide characters cut apart", "\xe8¦\xae¦\xa1\n" + o + "\n\xe6\xad¦\xa5\n", []Segment{n("计\n"), start, d("步\n"), end}},
	{"P53 a new piece is no new line", "done.¦" + o + "\nx\n" + c + "\n", []Segment{n("done." + o + "\nx\n" + c + "\n")}},
	{"P54 other tags", "<p>html</p>\n<¦/¦div>\n", []Segment{n("<p>html</p>\n</div>\n")}},
}

func pushAll(pieces ...string) []Segment {
	var s Splitter
	var out []Segment
	for _, p := range pieces {
		out = append(out, s.Push(p)...)
	}
	return append(out, s.Finish()...)
}

func TestSplitter(t *testing.T) {
	for _, tc := range conformance {
		t.Run(tc.name, func(t *testing.T) {
			whole := strings.ReplaceAll(tc.in, "¦", "")
			for how, got := range map[string][]Segment{
				"as cut": pushAll(strings.Split(tc.in, "¦")...), "whole": pushAll(whole), "byte by byte": pushAll(bytesOf(whole)...),
			} {
				if got = Join(got); !slices.Equal(got, tc.want) {
					t.Errorf("%s:\n got %+v\nwant %+v", how, got, tc.want)
				}
			}
		})
	}
}

func bytesOf(s string) []string {
	out := make([]string, len(s))
	for i := range out {
		out[i] = s[i : i+1]
	}
	return out
}

func TestSplitterHoldsBackOnlyWhatMayBeATag(t *testing.T) {
	var s Splitter
	var seen strings.Builder
	for _, step := range []struct{ push, want string }{
		{" ", ""}, {"<", ""}, {"p", ""}, {"r", ""}, {"x", " <prx"}, {"y", " <prxy"}, {" ", " <prxy "},
		{"\n", " <prxy \n"}, {"  ", " <prxy \n"}, {"a", " <prxy \n  a"},
	} {
		for _, seg := range s.Push(step.push) {
			seen.WriteString(seg.Text)
		}
		if seen.String() != step.want {
			t.Fatalf("after %+v: got %+v, want %+v", step.push, seen.String(), step.want)
		}
	}
}

func TestSplitterCanBeUsedAgain(t *testing.T) {
	var s Splitter
	s.Push("a\n" + o + "\nb")
	if got := s.Finish(); !slices.Equal(got, []Segment{end}) {
		t.Errorf("first finish: %+v", got)
	}
	if got := s.Finish(); len(got) != 0 {
		t.Errorf("second finish: %+v", got)
	}
	if got := Join(append(s.Push(c+"\nx"), s.Finish()...)); !slices.Equal(got, []Segment{n(c + "\nx")}) {
		t.Errorf("used again: %+v", got)
	}
}

func TestSplitterMergesWithinAPieceOnly(t *testing.T) {
	var s Splitter
	if got := s.Push("a\nb\nc"); !slices.Equal(got, []Segment{n("a\nb\nc")}) {
		t.Errorf("one piece: %+v", got)
	}
	if got := s.Push("d\n  "); !slices.Equal(got, []Segment{n("d\n")}) {
		t.Errorf("the next: %+v", got)
	}
	if got := s.Push(" e\nf\n"); !slices.Equal(got, []Segment{n("   e\nf\n")}) {
		t.Errorf("what was held joins: %+v", got)
	}
}

// oracle splits a whole message line by line, as the grammar says it.
func oracle(message string) []Segment {
	var out []Segment
	inside := false
	for line := range strings.Lines(message) {
		switch mark := strings.TrimFunc(line, unicode.IsSpace); {
		case !inside && mark == OpenTag:
			out, inside = append(out, start), true
		case inside && mark == CloseTag:
			out, inside = append(out, end), false
		case inside:
			out = append(out, d(line))
		default:
			out = append(out, n(line))
		}
	}
	if inside {
		out = append(out, end)
	}
	return Join(out)
}

// scraps are what random messages are made of.
var scraps = []string{
	o, c, "\n", "\n", "\n", " ", "\t", "\r", "<", "</", "<prop", "osed_plan>", "x", "计划", "\u00a0", "\u0085", "\u2028", "\ufeff",
	"```", "> ", "- ", "\xc2", "\xa0", "\xe2\x80", "\xff", "text", ">",
}

func TestSplitterEqualsTheOracle(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 60))
	for range 20000 {
		var b strings.Builder
		for range chance.IntN(14) {
			b.WriteString(scraps[chance.IntN(len(scraps))])
		}
		compare(t, b.String(), chance)
	}
}

func compare(t *testing.T, message string, chance *rand.Rand) {
	t.Helper()
	var pieces []string
	for rest := message; rest != ""; {
		at := min(len(rest), 1+chance.IntN(9))
		pieces, rest = append(pieces, rest[:at]), rest[at:]
	}
	if got, want := Join(pushAll(pieces...)), oracle(message); !slices.Equal(got, want) {
		t.Fatalf("%+v cut as %+v:\n got %+v\nwant %+v", message, pieces, got, want)
	}
}

func FuzzSplitter(f *testing.F) {
	for i, tc := range conformance {
		f.Add(tc.in, uint64(i))
	}
	f.Fuzz(func(t *testing.T, message string, seed uint64) {
		compare(t, message, rand.New(rand.NewPCG(seed, 1)))
		var all strings.Builder
		for _, p := range Parts(message) {
			all.WriteString(p.Text)
		}
		if all.String() != Untagged(message) {
			t.Fatalf("the parts of %+v are not its text", message)
		}
	})
}

// Held text is looked at once however it arrives: rescanning it would take
// minutes here. The bounds only tell that from a machine that is busy; what it
// takes is for the benchmark to say.
func TestSplitterIsLinear(t *testing.T) {
	spaces := strings.Repeat(" ", 1<<20)
	whole := time.Now()
	if got := pushAll(spaces, o+"\n"); !slices.Equal(got, []Segment{start, end}) {
		t.Errorf("blanks and a tag: %d segments", len(got))
	}
	if took := time.Since(whole); took > 2*time.Second {
		t.Errorf("a megabyte of blanks took %v", took)
	}
	begun := time.Now()
	if got := Join(pushAll(bytesOf(spaces + o + "\nx\n")...)); !slices.Equal(got, []Segment{start, d("x\n"), end}) {
		t.Errorf("blanks before a tag: %d segments", len(got))
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("byte by byte it took %v", took)
	}
}

func BenchmarkSplitter(b *testing.B) {
	plan := "Intro\n" + o + "\n" + strings.Repeat("## A heading of the plan\n\n- A line of a plan as they are, with some `code` in it.\n\n", 12000) + c + "\nOutro\n"
	for _, bm := range []struct {
		name, text string
		piece      int
	}{
		{"plan", plan, len(plan)},
		{"plan in pieces", plan, 64},
		{"blank lines", strings.Repeat("\n", 1<<20), 4096},
		{"blanks", strings.Repeat(" ", 1<<20), 4096},
		{"half tags", strings.Repeat("<proposed\n", 1<<17), 4096},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.text)))
			for b.Loop() {
				var s Splitter
				for rest := bm.text; rest != ""; {
					at := min(len(rest), bm.piece)
					s.Push(rest[:at])
					rest = rest[at:]
				}
				s.Finish()
			}
		})
	}
}
