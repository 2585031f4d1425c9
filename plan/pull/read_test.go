package pull

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

const failure = `{"schema":"review.author/1","reason":"no","next_step":"try","missing":[]}`

func TestAPayloadIsReadStrictlyOrNotAtAll(t *testing.T) {
	change := func(old, new string) string { return "AUTHOR: ERROR\n" + strings.Replace(failure, old, new, 1) }
	tests := []struct{ name, raw, want string }{
		{"as it should be", "AUTHOR: ERROR\n" + failure, ""},
		{"one final line end", "AUTHOR: ERROR\n" + failure + "\n", ""},
		{"two final line ends", "AUTHOR: ERROR\n" + failure + "\n\n", "something follows"},
		{"prose after it", "AUTHOR: ERROR\n" + failure + " done", "something follows"},
		{"two objects", "AUTHOR: ERROR\n" + failure + failure, "something follows"},
		{"a code fence round it", "AUTHOR: ERROR\n```json\n" + failure + "\n```", "no JSON value"},
		{"a byte order mark", "\ufeffAUTHOR: ERROR\n" + failure, "no status line"},
		{"carriage returns", "AUTHOR: ERROR\r\n" + failure, "no status line"},
		{"the token of another role", "CHUNK: ERROR\n" + failure, "no status line"},
		{"a status in small letters", "AUTHOR: error\n" + failure, "no status line"},
		{"a space too many", "AUTHOR:  ERROR\n" + failure, "no status line"},
		{"a status that only a verifier has", "AUTHOR: FAIL\n" + failure, "no status line"},
		{"no object", "AUTHOR: ERROR", "status line"},
		{"a key twice", change(`"missing":[]`, `"missing":[],"reason":"x"`), "stands there twice"},
		{"a key in other letters", change(`"reason"`, `"Reason"`), "reason: is missing"},
		{"a key that is not known", change(`"missing":[]`, `"missing":[],"more":1`), `"more": is no key`},
		{"a missing key", change(`,"missing":[]`, ``), "missing: is missing"},
		{"null", change(`"no"`, `null`), "reason: is null"},
		{"a blank", change(`"no"`, `" "`), "reason: is blank"},
		{"two lines", change(`"no"`, `"a\nb"`), "more than one line"},
		{"NaN", change(`"no"`, `NaN`), "no JSON value"},
		{"half a pair", change(`no`, `\ud800`), "half a surrogate pair"},
		{"a wrong pair", change(`no`, `\ud800A`), "half a surrogate pair"},
		{"a zero character", change(`no`, `\u0000`), "no such escape"},
		{"invalid UTF-8", change(`no`, "\xff"), "not UTF-8"},
		{"a raw tab in a string", change(`no`, "\t"), "control character"},
		{"a comma at the end", change(`[]}`, `[],}`), "key is missing"},
		{"missing evidence without the status for it", change(`[]`, `["x"]`), "exactly with NEEDS_CONTEXT"},
		{"another schema", change(`review.author/1`, `review.chunk/1`), "schema"},
		{"very deep", "AUTHOR: ERROR\n" + strings.Repeat("[", 10000), "deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Read(RoleAuthor, []byte(tt.raw))
			got := ""
			for _, p := range problems {
				got += p.String() + "\n"
			}
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNumbersHaveOneForm(t *testing.T) {
	for word, ok := range map[string]bool{"0": true, "1": true, "-7": true, "-0": false, "01": false, "1.0": false, "1e3": false, "+1": false, "9223372036854775808": false, "Infinity": false} {
		if _, err := parse("[" + word + "]"); (err == nil) != ok {
			t.Errorf("%s: %v", word, err)
		}
	}
}

func TestAHugeDocumentIsRefusedQuickly(t *testing.T) {
	began := time.Now()
	for _, raw := range []string{
		"AUTHOR: PASS\n" + strings.Repeat("x", 10<<20),
		"AUTHOR: PASS\n{" + strings.Repeat(`"k":1,`, 100_000) + `"k":1}`,
		"AUTHOR: PASS\n[" + strings.Repeat("1,", 400_000) + "1]",
	} {
		if _, problems := Read(RoleAuthor, []byte(raw)); len(problems) == 0 || len(problems) > MaxProblems {
			t.Errorf("%d problems", len(problems))
		}
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("AUTHOR", "ERROR", failure)
	f.Add("VERIFY", "PASS", `{"schema":"review.verify/1"}`)
	f.Fuzz(func(t *testing.T, token, status, object string) {
		for _, role := range []Role{RoleContext, RoleChunk, RoleAuthor, RoleVerify} {
			p, problems := Read(role, []byte(token+": "+status+"\n"+object))
			if len(problems) > 0 {
				continue
			}
			v := p.held()
			again, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			q, problems := Read(role, []byte(token+": "+status+"\n"+string(again)))
			if len(problems) > 0 || !reflect.DeepEqual(q.held(), v) {
				t.Fatalf("written again it reads otherwise: %v\n%s", problems, again)
			}
		}
	})
}

// held is the struct that the payload holds.
func (p Payload) held() any {
	for _, v := range []any{p.Context, p.Chunk, p.Author, p.Verify, p.Failure} {
		if !reflect.ValueOf(v).IsNil() {
			return v
		}
	}
	return nil
}
