package record

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The samples were recorded from revdiff v1.12.0.
func TestSamplesComeBackByteForByte(t *testing.T) {
	files, err := filepath.Glob("testdata/*.out.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("samples: %d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			records, err := Parse(want)
			if err != nil {
				t.Fatal(err)
			}
			if len(records) == 0 {
				t.Fatal("no records")
			}
			for _, r := range records {
				if err := r.Check(); err != nil {
					t.Error(err)
				}
			}
			if got := Format(records); string(got) != string(want) {
				t.Errorf("written again:\n%q\nwant\n%q", got, want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, in string
		want     []Record
	}{
		{"nothing is no records", "", nil},
		{"blank lines are no records", "\n  \n\r\n", nil},
		{"a comment on a line", "## p.md:3 (+)\nbody\n", []Record{{"p.md", 3, 0, Added, "body"}}},
		{"a comment on a range", "## p.md:3-7 (-)\nbody\n", []Record{{"p.md", 3, 7, Removed, "body"}}},
		{"a comment on the file", "## p.md (file-level)\nbody\n", []Record{{Path: "p.md", Body: "body"}}},
		{"a number before file-level is part of the path", "## foo:12 (file-level)\nx\n", []Record{{Path: "foo:12", Body: "x"}}},
		{"the last number is the position", "## a:1-2:3 ( )\nx\n", []Record{{"a:1-2", 3, 0, Context, "x"}}},
		{"a missing last line feed is accepted", "## p:1 ( )\nx", []Record{{"p", 1, 0, Context, "x"}}},
		{"a missing separator is accepted", "## p:1 ( )\nx\n## p:2 ( )\ny\n", []Record{{"p", 1, 0, Context, "x"}, {"p", 2, 0, Context, "y"}}},
		{"only one empty line is the separator", "## p:1 ( )\nx\n\n\n## p:2 ( )\ny\n", []Record{{"p", 1, 0, Context, "x\n"}, {"p", 2, 0, Context, "y"}}},
		{"a CRLF file loses its carriage returns", "## p:1 ( )\r\nx\r\n\r\n## p:2 ( )\r\ny\r\n", []Record{{"p", 1, 0, Context, "x"}, {"p", 2, 0, Context, "y"}}},
		{"a CR in the body of an LF file stays", "## p:1 ( )\nx\r\ny\n", []Record{{"p", 1, 0, Context, "x\r\ny"}}},
		{"a byte order mark is skipped", bom + "## p:1 ( )\nx\n", []Record{{"p", 1, 0, Context, "x"}}},
		{"a mark that is no header is text", "## p:1 ( )\n## Heading\n## p:0 ( )\n", []Record{{"p", 1, 0, Context, "## Heading\n## p:0 ( )"}}},
		{"an escaped header loses one space", "## p:1 ( )\n  ## p:2 ( )\n", []Record{{"p", 1, 0, Context, " ## p:2 ( )"}}},
		{"a backward range is one line", "## p:7-3 ( )\nx\n", []Record{{"p", 7, 0, Context, "x"}}},
		{"a number too large is no header", "## p:1 ( )\n## p:99999999999999999999 ( )\n", []Record{{"p", 1, 0, Context, "## p:99999999999999999999 ( )"}}},
		{"a header without a body has an empty one", "## p:1 ( )\n## p:2 ( )\n", []Record{{"p", 1, 0, Context, ""}, {"p", 2, 0, Context, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestParseNamesTheLineOfTextBeforeTheFirstHeader(t *testing.T) {
	for _, in := range []string{"\n\nhello\n## p:1 ( )\nx\n", "\n\n## Heading\n", "\n\n ## p:1 ( )\n"} {
		if _, err := Parse([]byte(in)); err == nil || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%q: error %v, want line 3 named", in, err)
		}
	}
}

func TestFormatWritesOddRecordsInTheNearestLegalForm(t *testing.T) {
	got := string(Format([]Record{
		{Path: "a\nb", Line: 2, End: 1, Type: '?', Body: "x"},
		{Line: -4, End: 9, Type: Added, Body: "y"},
	}))
	if want := "## a b:2 ( )\nx\n\n## - (file-level)\ny\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		r    Record
		ok   bool
	}{
		{"a line", Record{Path: "p", Line: 1, Type: Added}, true},
		{"a range", Record{Path: "p", Line: 1, End: 2, Type: Removed}, true},
		{"a whole file", Record{Path: "p"}, true},
		{"an empty path", Record{Line: 1, Type: Added}, false},
		{"a line feed in the path", Record{Path: "a\nb"}, false},
		{"a negative line", Record{Path: "p", Line: -1, Type: Added}, false},
		{"a type on a whole file", Record{Path: "p", Type: Added}, false},
		{"a backward range", Record{Path: "p", Line: 2, End: 2, Type: Added}, false},
		{"an unknown type", Record{Path: "p", Line: 2, Type: '~'}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.r.Check()
			if (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrBadRecord) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSortPutsWholeFilesFirstAndKeepsEqualOnesInOrder(t *testing.T) {
	records := []Record{
		{"b", 1, 0, Added, "4"}, {"a", 9, 0, Removed, "2"}, {"a", 9, 0, Added, "3"}, {Path: "a", Body: "1"},
	}
	Sort(records)
	for i, r := range records {
		if r.Body != string(rune('1'+i)) {
			t.Errorf("place %d: %+v", i, r)
		}
	}
}

func FuzzParseIsStableUnderFormat(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.out.md")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("## p:1 ( )\r\nx\r\r\n\r\n\n## q (file-level)\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := Parse(b)
		if err != nil {
			return
		}
		for _, r := range first {
			if err := r.Check(); err != nil {
				t.Fatal(err)
			}
		}
		written := Format(first)
		second, err := Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(first, second) {
			t.Fatalf("read again:\n%+v\nfirst\n%+v", second, first)
		}
		if again := Format(second); string(again) != string(written) {
			t.Fatalf("written again %q, first %q", again, written)
		}
	})
}

func FuzzFormatIsReadBack(f *testing.F) {
	f.Add("plan.md", 3, 0, byte('+'), "body", "## p:1 ( )\n\n")
	f.Add("a:3 (file-level)", 1, 9, byte(' '), "", "\n")
	f.Fuzz(func(t *testing.T, path string, line, end int, kind byte, body, other string) {
		want := []Record{
			{Path: path, Line: line, End: end, Type: kind, Body: body},
			{Path: path, Line: 1, Type: Context, Body: other},
			{Path: path, Body: body},
		}
		if want[0].Check() != nil || want[1].Check() != nil {
			return
		}
		got, err := Parse(Format(want))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
	})
}
