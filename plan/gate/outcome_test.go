package gate

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEveryCellOfTheRecord(t *testing.T) {
	const f = "look at \"a\" <b> & c\n\n---\n"
	q := `"look at \"a\" <b> & c\n\n---\n"`
	approved, withNotes := Outcome{Approved: true}, Outcome{Approved: true, Feedback: f}
	closed, annotated, empty := Outcome{Exit: true}, Outcome{Feedback: f}, Outcome{}
	both, bothNotes := Outcome{Approved: true, Exit: true}, Outcome{Approved: true, Exit: true, Feedback: f}
	const nothing = "\x00"
	formats := []Format{
		{}, {Gate: true}, {JSON: true}, {Gate: true, JSON: true},
		{Hook: true}, {Hook: true, Gate: true}, {Hook: true, JSON: true}, {Hook: true, Gate: true, JSON: true},
	}
	plain, asJSON, hook := 0, 1, 2
	kind := []int{plain, plain, asJSON, asJSON, hook, hook, hook, hook}
	for _, c := range []struct {
		name    string
		outcome Outcome
		want    [3]string // plain, JSON, hook
	}{
		{"approved", approved, [3]string{"The user approved.", `{"decision":"approved"}`, nothing}},
		{"approved with notes", withNotes, [3]string{"The user approved.", `{"decision":"approved","feedback":` + q + `}`, nothing}},
		{"closed", closed, [3]string{nothing, `{"decision":"dismissed"}`, nothing}},
		{"closed with words on the way", Outcome{Exit: true, Feedback: f}, [3]string{nothing, `{"decision":"dismissed"}`, nothing}},
		{"annotated", annotated, [3]string{f, `{"decision":"annotated","feedback":` + q + `}`, `{"decision":"block","reason":` + q + `}`}},
		{"annotated with nothing", empty, [3]string{nothing, `{"decision":"annotated","feedback":""}`, nothing}},
		{"notes of blanks are notes", Outcome{Approved: true, Feedback: " "}, [3]string{"The user approved.", `{"decision":"approved","feedback":" "}`, nothing}},
		{"approved and left", both, [3]string{nothing, `{"decision":"approved"}`, nothing}},
		{"approved and left with notes", bothNotes, [3]string{nothing, `{"decision":"approved","feedback":` + q + `}`, nothing}},
	} {
		for i, format := range formats {
			line, ok := Record(c.outcome, format)
			if !ok {
				line = nothing
			}
			if want := c.want[kind[i]]; line != want {
				t.Errorf("%s as %+v: %q, want %q", c.name, format, line, want)
			}
		}
	}
}

func TestWhatAFormatAllows(t *testing.T) {
	for _, c := range []struct {
		f                         Format
		notes, approvable, leased bool
	}{
		{Format{}, false, false, false},
		{Format{Gate: true}, false, true, false},
		{Format{JSON: true}, false, false, false},
		{Format{Gate: true, JSON: true}, true, true, true},
		{Format{Hook: true}, false, true, false},
		{Format{Hook: true, Gate: true}, false, true, false},
		{Format{Hook: true, JSON: true}, false, true, false},
		{Format{Hook: true, Gate: true, JSON: true}, false, true, false},
	} {
		if c.f.CarriesNotes() != c.notes || c.f.CanApprove() != c.approvable || c.f.Leased() != c.leased {
			t.Errorf("%+v: notes %v, approvable %v, leased %v", c.f, c.f.CarriesNotes(), c.f.CanApprove(), c.f.Leased())
		}
	}
}

func TestQuoteEscapesWhatJavaScriptEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"":                   `""`,
		"\b\f\n\r\t\"\\/":    `"\b\f\n\r\t\"\\/"`,
		"\x00\x01\x1f\x7f":   "\"\\u0000\\u0001\\u001f\x7f\"",
		"<script>&</script>": `"<script>&</script>"`,
		"\u2028\u2029":       "\"\u2028\u2029\"",
		`a\u2028b`:           `"a\\u2028b"`,
		"计划 👍🏽":              `"计划 👍🏽"`,
		"a\xffb":             "\"a\ufffdb\"",
		"\xed\xa0\x80":       "\"\ufffd\"",
		"end with a \\":      `"end with a \\"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func FuzzQuoteIsOneLineAndReadsBack(f *testing.F) {
	f.Add("a\nb\u2028\xff\x1b[0m")
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s)
		var back string
		if err := json.Unmarshal([]byte(q), &back); err != nil {
			t.Fatalf("%q is no JSON: %v", q, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); back != want {
			t.Fatalf("%q came back as %q", want, back)
		}
		if strings.ContainsAny(q, "\n\r") || !utf8.ValidString(q) {
			t.Fatalf("%q is not one line of UTF-8", q)
		}
	})
}

func TestExitCodes(t *testing.T) {
	approved, annotated, dismissed := Outcome{Approved: true}, Outcome{Feedback: "x"}, Outcome{Exit: true}
	for _, c := range []struct {
		name   string
		strict Strict
		want   [3]int // approved, annotated, dismissed
		failed int
	}{
		{"plain", Strict{}, [3]int{0, 0, 0}, 1},
		{"a result file alone", Strict{ResultFile: "r"}, [3]int{0, 0, 0}, 2},
		{"approval required", Strict{RequireApproval: true}, [3]int{0, 1, 1}, 2},
		{"both", Strict{RequireApproval: true, ResultFile: "r"}, [3]int{0, 1, 1}, 2},
	} {
		got := [3]int{c.strict.Code(approved), c.strict.Code(annotated), c.strict.Code(dismissed)}
		if got != c.want || c.strict.Failure() != c.failed {
			t.Errorf("%s: %v and %d, want %v and %d", c.name, got, c.strict.Failure(), c.want, c.failed)
		}
	}
	if (Strict{RequireApproval: true}).Code(Outcome{Approved: true, Exit: true}) != ExitNo {
		t.Error("an outcome that contradicts itself passed a strict gate")
	}
}
