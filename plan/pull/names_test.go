package pull

import (
	"slices"
	"testing"
)

// index knows some files and words, and nothing about those that begin with x.
type index struct{ files, words []string }

func (n index) HasFile(name string) (bool, bool) {
	return slices.Contains(n.files, name), name[0] != 'x'
}
func (n index) HasWord(word string) (bool, bool) {
	return slices.Contains(n.words, word), word[0] != 'x'
}

func TestWhatAReviewNamesAndNobodyKnowsIsAWarning(t *testing.T) {
	n := index{files: []string{"api/export.go"}, words: []string{"writeAll", "Close", "errors", "max_rows"}}
	for span, want := range map[string]bool{
		"api/export.go": false, "./api/export.go:72": false, "api/import.go": true, "writeAll()": false, "readAll()": true, "w.Close": false,
		"w.Closed()": true, "errors.Join": false, "maxRows": true, "max_rows": false, "min_rows": true, "true": false, "go vet": false, "a.b/c": false,
		"x > 3": false, "xReadAll": false, "xapi/y.go": false, "if": false, "": false,
	} {
		got := Warnings(n, Author{Summary: "a `" + span + "` b\n```\nnope()\n```\n"})
		if (len(got) > 0) != want {
			t.Errorf("%q: %q", span, got)
		}
	}
	a := Author{Summary: "`readAll()`", Comments: []Comment{{FindingID: "a-1", Body: "`readAll()` and `gone()`"}}}
	if got := Warnings(n, a); len(got) != 2 || got[1] != "the comment of a-1 names the name `gone()`, which is in neither commit" {
		t.Errorf("%q", got)
	}
}
