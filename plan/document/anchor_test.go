package document

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"planmode/plan"
)

const first = `# Move to OAuth

## Goal

Users sign in with OAuth and keep their sessions.

## Execution steps

1. Add the OAuth client to the server.
2. Migrate the session table.
3. Remove the password form.

## Risks

- Sessions may be lost during the migration.
`

func TestAnchor(t *testing.T) {
	d := Parse([]byte(first))
	got := Anchor(d, plan.Annotation{Line: 10, Body: "how?", Label: "blocker"})
	want := plan.Annotation{
		Line: 10, Body: "how?", Label: "blocker",
		Quote:    "2. Migrate the session table.",
		Prefix:   "\n\n1. Add the OAuth client to the server.",
		Suffix:   "3. Remove the password form.\n\n## Risks\n\n",
		Headings: []string{"Move to OAuth", "Execution steps"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAnchorEdges(t *testing.T) {
	d := Parse([]byte(first))
	tests := []struct {
		name  string
		in    plan.Annotation
		quote string
	}{
		{"a range quotes all its lines", plan.Annotation{Line: 9, End: 10}, "1. Add the OAuth client to the server.\n2. Migrate the session table."},
		{"a range past the end is cut", plan.Annotation{Line: 15, End: 99}, "- Sessions may be lost during the migration."},
		{"a range that ends before it begins is one line", plan.Annotation{Line: 9, End: 3}, "1. Add the OAuth client to the server."},
		{"the whole plan quotes nothing", plan.Annotation{}, ""},
		{"a line that is not there quotes nothing", plan.Annotation{Line: 99}, ""},
		{"old anchors are replaced", plan.Annotation{Line: 1, Quote: "x", Prefix: "y", Headings: []string{"z"}}, "# Move to OAuth"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Anchor(d, tt.in); got.Quote != tt.quote {
				t.Errorf("quote %q, want %q", got.Quote, tt.quote)
			}
		})
	}
	long := Parse([]byte(strings.Repeat("字", 4000) + "\n"))
	if q := Anchor(long, plan.Annotation{Line: 1}).Quote; len(q) > maxQuoteBytes || !utf8.ValidString(q) || q == "" {
		t.Errorf("an endless line is quoted with %d bytes", len(q))
	}
}

func TestReanchor(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(first) }
	tests := []struct {
		name     string
		at, end  int
		next     string
		wantLine int
		want     AnchorStatus
	}{
		{"the same text is unchanged", 10, 0, first, 10, AnchorUnchanged},
		{"a passage that only moved down is unchanged", 10, 0, replace("## Goal\n", "## Goal\n\nMore.\n"), 12, AnchorUnchanged},
		{"a range that moved is unchanged", 9, 11, replace("# Move to OAuth\n", "# Move to OAuth\n\nIntro.\n"), 11, AnchorUnchanged},
		{"a new title does not matter", 10, 0, replace("# Move to OAuth", "# Use OAuth"), 10, AnchorUnchanged},
		{"a reworded passage has changed", 10, 0, replace("Migrate the session table.", "Migrate the session table in two batches."), 10, AnchorTextChanged},
		{"a reworded range has changed", 9, 10, replace("the OAuth client", "one OAuth client"), 9, AnchorTextChanged},
		{"a passage under another heading has changed", 10, 0, replace("2. Migrate the session table.\n", "", "- Sessions", "2. Migrate the session table.\n- Sessions"), 14, AnchorTextChanged},
		{"a passage whose heading was renamed has changed", 15, 0, replace("## Risks", "## Dangers"), 15, AnchorTextChanged},
		{"a removed passage is gone", 10, 0, replace("2. Migrate the session table.\n", ""), 0, AnchorGone},
		{"a passage replaced by something else is gone", 10, 0, replace("Migrate the session table.", "Ship it."), 0, AnchorGone},
		{"the heading itself is found again", 7, 0, replace("## Goal", "## Goal\n\nA\n"), 10, AnchorUnchanged},
		{"a passage that now occurs twice is told apart by its neighbours", 10, 0,
			first[:strings.Index(first, "## Risks")] + "2. Migrate the session table.\n\n" + first[strings.Index(first, "## Risks"):], 10, AnchorTextChanged},
		{"an empty text has nothing", 10, 0, "", 0, AnchorGone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			old := Anchor(Parse([]byte(first)), plan.Annotation{Line: tt.at, End: tt.end, Body: "x"})
			line, status := Reanchor(old, Parse([]byte(tt.next)))
			if line != tt.wantLine || status != tt.want {
				t.Errorf("got line %d, %s, want %d, %s", line, status, tt.wantLine, tt.want)
			}
		})
	}
}

func TestReanchorOfTheWholePlan(t *testing.T) {
	if line, status := Reanchor(plan.Annotation{Body: "x"}, Parse([]byte("# y\n"))); line != 0 || status != AnchorUnchanged {
		t.Errorf("got %d, %s", line, status)
	}
}

func TestReanchorTellsRepeatedLinesApart(t *testing.T) {
	const text = "## Execution steps\n\n1. alpha\n   run the tests\n2. beta\n   run the tests\n3. gamma\n"
	old := Anchor(Parse([]byte(text)), plan.Annotation{Line: 6})
	next := strings.Replace(text, "## Execution", "Intro.\n\n## Execution", 1)
	if line, status := Reanchor(old, Parse([]byte(next))); line != 8 || status != AnchorUnchanged {
		t.Errorf("got %d, %s, want 8, unchanged", line, status)
	}
}

func TestReanchorComparesChinese(t *testing.T) {
	old := Anchor(Parse([]byte("## 风险\n\n- 迁移期间会话可能丢失\n")), plan.Annotation{Line: 3})
	line, status := Reanchor(old, Parse([]byte("## 风险\n\n- 别的\n- 迁移期间部分会话可能会丢失\n")))
	if line != 4 || status != AnchorTextChanged {
		t.Errorf("got %d, %s, want 4, text changed", line, status)
	}
}

func FuzzReanchor(f *testing.F) {
	f.Add(first, strings.ToUpper(first), 10, 0)
	f.Add("a\n\nb\n", "\n\n\n", 2, 3)
	f.Add("## x\n---\n", "---\n## x\n", 2, 0)
	f.Fuzz(func(t *testing.T, from, to string, line, end int) {
		d, next := Parse([]byte(from)), Parse([]byte(to))
		a := Anchor(d, plan.Annotation{Line: line, End: end})
		if utf8.ValidString(from) && line >= 1 && line <= d.lineCount() && strings.TrimSpace(a.Quote) != "" {
			at, status := Reanchor(a, d)
			if len(a.Quote) < maxQuoteBytes/2 && (status == AnchorGone && hasLetter(a.Quote)) {
				t.Fatalf("line %d of %q is gone from its own text", line, from)
			}
			if status == AnchorUnchanged && d.lines(at, min(d.lineCount(), at+strings.Count(a.Quote, "\n"))) != a.Quote {
				t.Fatalf("line %d is not %q", at, a.Quote)
			}
		}
		at, status := Reanchor(a, next)
		if again, s := Reanchor(a, next); again != at || s != status {
			t.Fatalf("got %d, %s and then %d, %s", at, status, again, s)
		}
		if at < 0 || at > next.lineCount() || (at == 0) != (status == AnchorGone || a.Line < 1) {
			t.Fatalf("got line %d of %d, %s", at, next.lineCount(), status)
		}
	})
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, letterOrDigit) }

func BenchmarkReanchor256KiB(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 255<<10; i++ {
		fmt.Fprintf(&text, "%d. change file number %d and run the tests again\n", i, i*7)
	}
	d := Parse([]byte(text.String()))
	old := Anchor(d, plan.Annotation{Line: 2000})
	old.Quote = strings.Replace(old.Quote, "file", "the file", 1)
	for b.Loop() {
		Reanchor(old, d)
	}
}

func TestASectionThatGrewStillBeginsWithItsHeading(t *testing.T) {
	was := "# P\n\n## Goal\n\nSay it plainly to all.\n\nAnd say it twice.\n\n## Steps\n\n1. x\n"
	note := Anchor(Parse([]byte(was)), plan.Annotation{Line: 3, End: 7, Body: "short"})
	now := Parse([]byte("# P\n\nIntro.\n\n## Goal\n\nAfter your note: short\n\nSay it plainly to all.\n\nAnd say it twice.\n\n## Steps\n\n1. x\n"))
	if line, status := Reanchor(note, now); line != 5 || status != AnchorTextChanged {
		t.Errorf("it is on line %d, %s", line, status)
	}
}

func TestAPassageThatGrewOrShrankALotHasChanged(t *testing.T) {
	const doc = "# P\n\n## Steps\n\n1. Ship it.\n2. Test the import with an old file.\n\n## Risks\n\n- 会话可能丢失\n- Nobody reads the log, neither at night nor at the weekend, so a failure stays unseen until Monday.\n"
	long := " behind a flag that is off at first, then for one customer in ten, and for all when a week went by without a complaint"
	tests := []struct {
		name     string
		at, end  int
		from, to string
		line     int
		want     AnchorStatus
	}{
		{"a short line with a long end", 5, 0, "1. Ship it.", "1. Ship it" + long + ".", 5, AnchorTextChanged},
		{"the same with another number", 5, 0, "1. Ship it.", "1. Announce.\n2. Ship it" + long + ".", 6, AnchorTextChanged},
		{"words put in between", 6, 0, "Test the import", "Test, on staging and in a copy of the database of the largest customer, and twice, the import", 6, AnchorTextChanged},
		{"Chinese that grew", 10, 0, "会话可能丢失", "迁移期间会话可能丢失，因此先在预发布环境完整演练一次，再分批进行，并保留旧表一周以便回滚", 10, AnchorTextChanged},
		{"a long line cut to its beginning", 11, 0, ", neither at night nor at the weekend, so a failure stays unseen until Monday", "", 11, AnchorTextChanged},
		{"a section that grew fivefold", 3, 6, "\n1. Ship it.\n2. Test the import with an old file.\n", "\nWe go slowly.\n\n1. Announce the date.\n   Twice.\n2. Freeze the code for a day.\n3. Run the whole suite, also the slow part.\n4. Ask whoever is on call.\n5. Roll out to one in ten.\n", 3, AnchorTextChanged},
		{"a short line among others that share a word", 5, 0, "1. Ship it.", "1. It is a long way to go before a ship can sail, and nobody knows it.", 0, AnchorGone},
		{"a line replaced by another of the same form", 6, 0, "Test the import with an old file.", "Write the manual and have it read by somebody who knows nothing of it.", 0, AnchorGone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(doc, tt.from) {
				t.Fatal("nothing is replaced")
			}
			old := Anchor(Parse([]byte(doc)), plan.Annotation{Line: tt.at, End: tt.end, Body: "x"})
			line, status := Reanchor(old, Parse([]byte(strings.Replace(doc, tt.from, tt.to, 1))))
			if line != tt.line || status != tt.want {
				t.Errorf("got line %d, %s, want %d, %s", line, status, tt.line, tt.want)
			}
		})
	}
}
