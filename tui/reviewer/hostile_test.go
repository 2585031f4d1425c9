package reviewer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/revdiff/record"
)

// hostileTexts are texts that a parser or a terminal could stumble over. None of
// them may stop a key for long, which a test that hangs would show.
func hostileTexts() map[string]string {
	rep := strings.Repeat
	var nested strings.Builder
	for i := range 300 {
		nested.WriteString(rep(" ", 2*i) + "- x\n")
	}
	return map[string]string{
		"brackets":        rep("[", 10_000),
		"bracket lines":   rep(rep("![", 40)+"\n", 200),
		"emphasis":        rep("*a **b _c ~~d ", 5_000),
		"emphasis lines":  rep(rep("*a_", 26)+"\n", 300),
		"backticks":       rep("`a``b```c ", 5_000),
		"open HTML":       rep("<!-- <a <b\n", 300),
		"nested lists":    nested.String(),
		"nested quotes":   rep(rep("> ", 60)+"a\n", 300),
		"quote marks":     rep(">", 4_000) + "a\n",
		"a wide table":    "|" + rep("a|", 3_000) + "\n|" + rep("-|", 3_000) + "\n|" + rep("b|", 3_000) + "\n",
		"a long table":    "|a|b|\n|-|-|\n" + rep("|cell one|cell two|\n", 50_000),
		"headings":        rep("# heading\n", 100_000),
		"definitions":     rep("[a]: b\n", 20_000) + rep("[a] ", 100),
		"fences":          rep("```go\n", 10_000),
		"entities":        rep("&amp;&#27;&#155;&#x202e;", 3_000),
		"escapes":         rep("\u202eabc\u202c\x1b[2J\x1b]0;x\a\x9b1m\n| \x1b[31m | b |\n|--|--|\n", 5_000),
		"invalid UTF-8":   rep("a\xff\xfe\xc3b **c\xff** \xed\xa0\x80\n", 5_000),
		"carriage return": rep("a\rb\r\n", 5_000),
		"one long line":   rep("word ", 1<<20),
		"twenty megabyte": rep("A line of text that is long enough to be wrapped, with **bold** text in it.\n", 20<<20/76),
		"line ends":       rep("\n", 200_000),
	}
}

func TestHostileDocuments(t *testing.T) {
	for name, content := range hostileTexts() {
		t.Run(name, func(t *testing.T) {
			d := sit(t, reviewOf(t, content, nil), 100, 30)
			for _, key := range strings.Fields("j j G k g ) ) ] } r r w w L ? esc t t n") {
				d.press(key)
				d.harmless()
			}
			for _, width := range []int{300, 20, 3} {
				d.size(width, 20)
				d.harmless()
			}
		})
	}
}

func TestHostileComparisons(t *testing.T) {
	for name, content := range hostileTexts() {
		if len(content) > 5<<20 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			lines := strings.SplitAfter(content, "\n")
			changed := strings.Join(lines[len(lines)/2:], "") + "\nnew\n" + strings.ReplaceAll(strings.Join(lines[:len(lines)/2], ""), "a", "e")
			d := sit(t, compareOf(t, content, changed, nil), 140, 30)
			for _, key := range strings.Fields("j ] ] [ G k g ) r ] r | j G [ | C v w L") {
				d.press(key)
				d.harmless()
			}
		})
	}
}

// harmless holds that only our own sequences are on the screen, and that they fit.
func (d *desk) harmless() {
	d.t.Helper()
	content := d.checked()
	for i := range len(content) {
		if c := content[i]; c < ' ' && c != '\n' && c != 0x1b || c == 0x7f {
			d.t.Fatalf("control %#x is on the screen", c)
		}
	}
	for _, part := range strings.Split(content, "\x1b")[1:] {
		if end := strings.IndexFunc(part, func(r rune) bool { return r != '[' && r != ';' && (r < '0' || r > '9') }); end < 1 || part[end] != 'm' {
			d.t.Fatalf("the sequence %q is on the screen", part[:min(len(part), 12)])
		}
	}
	for _, bad := range []string{"\u202e", "\u202c", "\u009b", "\ufeff"} {
		if strings.Contains(content, bad) {
			d.t.Fatalf("%q is on the screen", bad)
		}
	}
}

func TestTooManyLinesAreRefused(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "a.md"), strings.Repeat("\n", maxLines+1))
	if _, err := load(path); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("got %v", err)
	}
}

// TestTenThousandNotes loads them, moves among them, lists them, and hands them
// over as they were.
func TestTenThousandNotes(t *testing.T) {
	var lines, notes strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&lines, "line %d\n", i)
	}
	dir := t.TempDir()
	plan := write(t, filepath.Join(dir, "plan.md"), lines.String())
	for i := range 10_000 {
		fmt.Fprintf(&notes, "## %s:%d ( )\nnote %d\nwith a second line\n", plan, i+1, i)
		if i < 9_999 {
			notes.WriteString("\n")
		}
	}
	m, warnings, err := prepare(Options{Only: plan, Annotations: write(t, filepath.Join(dir, "notes.md"), notes.String()), HistoryDir: dir}, nil)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, len(warnings))
	}
	d := sit(t, m, 80, 24)
	for _, key := range strings.Fields("} } G { @ G enter r d u") {
		d.press(key)
		d.harmless()
	}
	if got := string(m.notes.format(m.subject.key)); got != notes.String() {
		t.Error("the notes are not what they were")
	}
}

// TestNotesSurviveTheGrammar writes what every sample holds and reads it again.
func TestNotesSurviveTheGrammar(t *testing.T) {
	samples, err := filepath.Glob("../../revdiff/record/testdata/*")
	if err != nil || len(samples) == 0 {
		t.Fatal(err, len(samples))
	}
	for _, path := range samples {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		records, err := record.Parse(raw)
		if err != nil || len(records) == 0 {
			continue
		}
		book := newNotebook()
		for _, r := range records {
			n := note{place: place{r.Line, r.Type}, end: r.End, body: r.Body}
			if r.FileLevel() {
				n.place = wholeFile
			}
			book.set(n)
		}
		again, err := record.Parse(book.format(records[0].Path))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if len(again) != len(book.notes) {
			t.Errorf("%s: %d notes became %d", path, len(book.notes), len(again))
		}
		for _, r := range again {
			at := place{r.Line, r.Type}
			if r.FileLevel() {
				at = wholeFile
			}
			if book.notes[at].body != r.Body || book.notes[at].end != r.End {
				t.Errorf("%s: %+v was %+v", path, r, book.notes[at])
			}
		}
	}
}
