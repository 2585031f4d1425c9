package target

import (
	"reflect"
	"testing"

	"planmode/plan"
)

func TestShareGivesEachNoteItsFile(t *testing.T) {
	text := Text{Parts: []Part{{"a.md", 3, 2}, {"b.md", 8, 4}}}
	byPart, rest := text.Share([]plan.Annotation{
		{Line: 3, Body: "first"}, {Line: 4, End: 8, Body: "into the next"}, {Line: 11, Body: "last"}, {Line: 1, Body: "on a heading"}, {Body: "on all"}, {Line: 9, Side: "old", Body: "gone"},
	})
	want := [][]plan.Annotation{{{Line: 1, Body: "first"}, {Line: 2, End: 2, Body: "into the next"}}, {{Line: 4, Body: "last"}}}
	if !reflect.DeepEqual(byPart, want) {
		t.Errorf("%+v", byPart)
	}
	if len(rest) != 3 || rest[0].Line != 0 {
		t.Errorf("rest %+v", rest)
	}
}
