package reviewer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/revdiff/brief"
)

// briefed prepares a review of the last of some revisions, compared with base,
// with what was said about the earlier ones.
func briefed(t *testing.T, texts []string, base int, earlier []brief.Earlier, change func(*brief.Brief)) *Model {
	t.Helper()
	dir := t.TempDir()
	last := len(texts)
	b := brief.Brief{
		Version: brief.Version, Review: "rv1", Base: base, Earlier: earlier, Title: "A plan",
		Ref:     plan.Ref{Plan: "p", Revision: last, Hash: hashOf(texts[last-1])},
		Outcome: filepath.Join(dir, "outcome.json"), Edit: filepath.Join(dir, "edited.md"),
	}
	for i, s := range texts {
		name := fmt.Sprintf("r%d.md", i+1)
		b.Revisions = append(b.Revisions, brief.Revision{
			Revision: i + 1, Path: write(t, filepath.Join(dir, name), s), Hash: hashOf(s), Author: plan.ByAgent, Status: plan.StatusDraft,
			At: plan.Stamp(time.Date(2026, 3, 1, 9, i, 0, 0, time.UTC)), Looked: i+1 == base,
		})
	}
	if change != nil {
		change(&b)
	}
	raw, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, filepath.Join(dir, "brief.json"), string(raw))
	return reviewOf(t, "", func(o *Options) {
		shown := write(t, filepath.Join(dir, fmt.Sprintf("plan-r%d.md", last)), texts[last-1])
		if o.Only, o.Brief = shown, path; base > 0 {
			o.Only, o.New = "", shown
			o.Old = write(t, filepath.Join(dir, fmt.Sprintf("plan-r%d.md", base)), texts[base-1])
		}
	})
}

func hashOf(s string) plan.Hash {
	sum := sha256.Sum256([]byte(s))
	return plan.Hash("sha256:" + hex.EncodeToString(sum[:]))
}

// locate lets the search for earlier notes end.
func (d *desk) locate() {
	d.t.Helper()
	if cmd := d.m.locatePast(); cmd != nil {
		d.m.Update(cmd())
	}
}

// said is a note as it was made on a line of a text.
func said(text string, line int, body string) plan.Annotation {
	return document.Anchor(document.Parse([]byte(text)), plan.Annotation{Line: line, Body: body})
}

const (
	planOne = "# Plan\n\n## Goal\n\nSay it plainly.\n\n## Steps\n\n1. Do x\n2. Do y in small batches\n\n## Risks\n\nNone at all.\n"
	planTwo = "# Plan\n\n## Steps\n\n1. Do x\n2. Do y in batches\n3. Look\n\n## Goal\n\nSay it plainly.\n"
)

func TestEarlierNotesAreShownWhereTheirTextIsNow(t *testing.T) {
	earlier := []brief.Earlier{
		{ID: "a-0", Revision: 1, Sent: true, Note: said(planOne, 5, "to whom?"), Answer: "to the user"},
		{ID: "a-1", Revision: 1, Sent: true, Note: said(planOne, 10, "in batches?")},
		{ID: "a-2", Revision: 1, Sent: true, Note: said(planOne, 14, "really none?")},
		{ID: "a-3", Revision: 1, Note: plan.Annotation{Body: "shorter"}},
	}
	m := briefed(t, []string{planOne, planTwo}, 1, earlier, nil)
	d := sit(t, m, 90, 40)
	d.locate()
	for _, want := range []string{
		"r1 · text unchanged", "to whom?", "→ to the user", "r1 · text changed since", "in batches?",
		"r1 · text gone", "> None at all.", "r1 · on the whole plan · not sent", "4 earlier",
	} {
		d.shows(want)
	}
	d.golden("earlier")
	d.press("}")
	d.press("g }")
	rows := strings.Split(d.screen(), "\n")
	for i, row := range rows {
		if strings.Contains(row, "Do y in batches") && !strings.Contains(rows[i+1], "text changed since") {
			t.Errorf("below the changed step stands %q", rows[i+1])
		}
	}
}

func TestAnEarlierNoteIsSettledAndSaidAgain(t *testing.T) {
	earlier := []brief.Earlier{{ID: "a-0", Revision: 1, Sent: true, Note: said(planOne, 5, "to whom?")}}
	m := briefed(t, []string{planOne, planTwo}, 1, earlier, nil)
	d := sit(t, m, 90, 40)
	d.locate()
	d.press("x")
	d.shows("no note of an earlier round here")
	d.press("}")
	d.press("x")
	d.shows("1 earlier note settled")
	d.shows("text unchanged · settled: to whom?")
	d.settle()
	if again := reopen(t, m); len(again.marks()) != 1 {
		t.Errorf("marks after a crash: %v", again.marks())
	}
	d.press("o")
	if got := d.notes(); !strings.HasSuffix(got, "\nto whom?\n") {
		t.Errorf("said again: %q", got)
	}
	if len(m.marks()) != 0 {
		t.Errorf("said again, it is still settled: %v", m.marks())
	}
	d.press("P x")
	if marks := m.marks(); len(marks) != 1 || marks[0] != (brief.Mark{ID: "a-0", Settled: true}) {
		t.Errorf("marks %v", marks)
	}
}

func TestSuggestionsThatWereTakenOver(t *testing.T) {
	a, b := said(planOne, 10, ""), said(planOne, 14, "")
	a.Replacement, b.Delete = "2. Do y in batches", true
	c := said(planOne, 9, "")
	c.Replacement = "1. Do z"
	m := briefed(t, []string{planOne, planTwo}, 1, []brief.Earlier{{ID: "1", Note: a}, {ID: "2", Note: b}, {ID: "3", Note: c}}, nil)
	d := sit(t, m, 90, 40)
	d.locate()
	for _, want := range []string{"the text that you suggested is there now", "you suggested to delete this; it is gone", "you suggested: 1. Do z"} {
		d.shows(want)
	}
}

func TestAnyTwoRevisionsAreCompared(t *testing.T) {
	three := planTwo + "\nAnd more.\n"
	m := briefed(t, []string{planOne, planTwo, three}, 1, nil, nil)
	d := sit(t, m, 90, 40)
	m.toLine(11)
	d.note("a", "mine")
	want := string(m.output())
	if !strings.Contains(want, ":11 (+)") {
		t.Fatalf("the note is %q", want)
	}
	cmd := d.press("R")
	d.m.Update(cmd())
	for _, w := range []string{"Compare r3 with", "r2 20", "+2 -0", "under review", "you looked at it last", "not reviewed"} {
		d.shows(w)
	}
	d.press("j enter")
	d.shows("r2 → r3")
	d.shows("mine")
	if got := string(m.output()); got != want {
		t.Errorf("in another comparison the output is %q, want %q", got, want)
	}
	d.press("R")
	d.press("j j m g enter") // mark r3's place: r2? see below
	d.press("R")
	d.press("j m k enter")
	d.shows("r1 → r2")
	d.press("a")
	d.shows("notes are written on r3")
	if m.box != nil || strings.Contains(d.screen(), "mine") {
		t.Error("a note of r3 is on the screen of r2")
	}
	d.settleNow()
	if again := reopen(t, m); string(again.output()) != want {
		t.Errorf("saved meanwhile: %q", again.output())
	}
	d.press("R")
	d.press("g enter")
	d.shows("mine")
	if m.away != nil {
		t.Error("still away")
	}
	d.press("R")
	d.press("G w")
	d.shows("all of r3")
	if got := string(m.output()); got != want {
		t.Errorf("the output is %q, want %q", got, want)
	}
}

func TestANoteOnARemovedLineStaysWithItsComparison(t *testing.T) {
	m := briefed(t, []string{planOne, planTwo, planTwo + "x\n"}, 1, nil, nil)
	d := sit(t, m, 90, 40)
	d.press("]")
	d.note("a", "why gone?")
	if !strings.Contains(string(m.output()), "(-)\nwhy gone?") {
		t.Fatalf("the note is %q", m.output())
	}
	want := string(m.output())
	d.press("R")
	d.press("j enter")
	if strings.Contains(d.screen(), "why gone?") {
		t.Error("a note on a line of r1 is shown among the lines of r2")
	}
	if got := string(m.output()); got != want {
		t.Errorf("the output is %q, want %q", got, want)
	}
	d.press("R")
	d.press("g enter")
	d.shows("why gone?")
}

func TestARevisionThatIsNotWhatTheRecordSaysIsNotCompared(t *testing.T) {
	m := briefed(t, []string{planOne, planTwo, planTwo + "x\n"}, 1, nil, func(b *brief.Brief) { b.Revisions[1].Hash = hashOf("other") })
	d := sit(t, m, 90, 40)
	d.press("R")
	d.press("j enter")
	d.shows("not compared")
	if m.away != nil {
		t.Error("compared all the same")
	}
}

// TestNotesStayOnTheirTextThroughThreeRevisions moves, splits, renames and
// rewrites the sections of an annotated plan three times, and holds that every
// note whose line is still there is shown on that line.
func TestNotesStayOnTheirTextThroughThreeRevisions(t *testing.T) {
	for seed := range uint64(40) {
		chance := rand.New(rand.NewPCG(seed, 7))
		sections := make([]string, 5)
		for i := range sections {
			sections[i] = fmt.Sprintf("## Section %c\n\nParagraph of %d with words %d.\n\n- item %d one\n- item %d two\n", 'A'+i, i, i*7, i, i)
		}
		first := "# Plan\n\n" + strings.Join(sections, "\n")
		texts := []string{first}
		var earlier []brief.Earlier
		for n, line := range strings.Split(strings.TrimSuffix(first, "\n"), "\n") {
			if strings.TrimSpace(line) != "" && chance.IntN(2) == 0 {
				earlier = append(earlier, brief.Earlier{ID: fmt.Sprint(n), Revision: 1, Sent: true, Note: said(first, n+1, "on "+line)})
			}
		}
		for range 3 {
			sections = revise(chance, sections)
			texts = append(texts, "# Plan\n\n"+strings.Join(sections, "\n"))
		}
		now := texts[len(texts)-1]
		m := briefed(t, texts, 3, earlier, nil)
		d := sit(t, m, 80, 30)
		d.locate()
		lines := strings.Split(now, "\n")
		for _, n := range m.past.notes {
			was := n.Note.Quote
			times := strings.Count("\n"+now, "\n"+was+"\n")
			if times == 1 && (n.line == 0 || lines[n.line-1] != was) {
				t.Errorf("seed %d: the note on %q is on line %d of\n%s", seed, was, n.line, now)
			}
		}
	}
}

// revise is one round of edits of a plan by sections.
func revise(chance *rand.Rand, sections []string) []string {
	out := append([]string(nil), sections...)
	i, k := chance.IntN(len(out)), chance.IntN(len(out))
	switch chance.IntN(4) {
	case 0: // moved
		out[i], out[k] = out[k], out[i]
	case 1: // split
		head, tail, _ := strings.Cut(out[i], "\n- ")
		out[i] = head + "\n"
		out = append(out[:i+1], append([]string{fmt.Sprintf("## Split %d\n\n- ", chance.IntN(99)) + tail}, out[i+1:]...)...)
	case 2: // renamed
		_, rest, _ := strings.Cut(out[i], "\n")
		out[i] = fmt.Sprintf("## Renamed %d\n", chance.IntN(99)) + rest
	default: // written anew in one place
		out[i] += fmt.Sprintf("\nNew words %d.\n", chance.IntN(99))
	}
	return out
}
