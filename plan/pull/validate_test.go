package pull

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestValidateSeesWhatContradictsItself(t *testing.T) {
	w := goodWorld()
	v := w.verify
	v.Schema, v.AuthorSHA256 = "review.verify/1", strings.Repeat("a", 64)
	v.Observations, v.Limitations, v.Issues = []string{}, []string{}, []Issue{}
	if got := Validate(RoleVerify, []byte(Encode(RoleVerify, Pass, v))); len(got) != 0 {
		t.Fatal(got)
	}
	if got := Validate(RoleVerify, []byte(Encode(RoleVerify, Fail, v))); len(got) != 1 || got[0].Path != "issues" {
		t.Error(got)
	}
	if got := Validate(RoleAuthor, []byte(Encode(RoleVerify, Pass, v))); len(got) != 1 || got[0].Path != "line 1" {
		t.Error(got)
	}
}

func TestValidateIsQuickForWhatIsMeantToBeSlow(t *testing.T) {
	var keys strings.Builder
	for i := range 100_000 {
		keys.WriteString(`,"` + strconv.FormatInt(int64(i), 36) + `_":1`)
	}
	for name, raw := range map[string]string{
		"ten MiB":       "AUTHOR: PASS\n" + strings.Repeat("x", 10<<20),
		"very deep":     "AUTHOR: PASS\n" + strings.Repeat("[", 10_000),
		"100,000 keys":  "AUTHOR: PASS\n{\"a\":1" + keys.String() + "}",
		"many problems": "AUTHOR: PASS\n{\"findings\":[" + strings.TrimSuffix(strings.Repeat("1,", 400_000), ",") + "]}",
	} {
		began := time.Now()
		if got := Validate(RoleAuthor, []byte(raw)); len(got) == 0 || len(got) > MaxProblems {
			t.Errorf("%s: %d problems", name, len(got))
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
