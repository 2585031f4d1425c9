package pull

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

const noon = "2026-01-02T12:00:00Z"

func TestReceiptsComeBackAsTheyWereWritten(t *testing.T) {
	r := NewReceipts(goldenApproval(), noon)
	r.Actions[0].State, r.Actions[0].ID, r.Actions[0].Comments = ActionDone, ptr(int64(7)), &[]CommentReceipt{{0, 8, "https://github.com/x"}}
	got, err := ReadReceipts(r.Encode())
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Fatalf("%v\n%+v\n%+v", err, got, r)
	}
	if len(r.Actions) != 2 || *r.Actions[1].RootID != 40 || r.Approval != goldenApproval().Hash() || r.Complete {
		t.Errorf("%+v", r)
	}
}

func TestReceiptsThatDoNotFitAreRefused(t *testing.T) {
	good := string(NewReceipts(goldenApproval(), noon).Encode())
	for name, bad := range map[string]string{
		"complete with actions to come": strings.Replace(good, `"complete":false`, `"complete":true`, 1),
		"an unknown state":              strings.Replace(good, "pending", "perhaps", 1),
		"an order that is not one":      strings.Replace(good, `"seq":1`, `"seq":2`, 1),
		"a second review":               strings.Replace(good, `"reply"`, `"review"`, 1),
		"half a file":                   good[:len(good)/2],
		"a key twice":                   strings.Replace(good, `{"schema"`, `{"actor":"x","schema"`, 1),
	} {
		if bad == good {
			t.Fatal(name)
		}
		if r, err := ReadReceipts([]byte(bad)); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestPostingIsNeverSurerThanItsActions(t *testing.T) {
	for states, want := range map[string]string{
		"pending pending": "skipped", "sending pending": "uncertain", "done sending": "uncertain", "done uncertain": "uncertain",
		"done rejected": "partial", "done pending": "partial", "rejected pending": "failed", "done done": "posted", "": "skipped",
	} {
		var r Receipts
		for _, s := range strings.Fields(states) {
			r.Actions = append(r.Actions, Action{State: ActionState(s)})
		}
		if got := r.Posting(); got != want {
			t.Errorf("%s: %s", states, got)
		}
	}
}

func FuzzReadReceipts(f *testing.F) {
	f.Add(NewReceipts(goldenApproval(), noon).Encode())
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := ReadReceipts(raw)
		if err != nil {
			return
		}
		again, err := ReadReceipts(r.Encode())
		if err != nil || !bytes.Equal(again.Encode(), r.Encode()) {
			t.Fatal(err)
		}
	})
}
