package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/revdiff"
	"planmode/revdiff/record"
)

// kept is the directory of the kept notes of a plan.
func kept(r *rig, id plan.ID) string {
	return filepath.Join(r.dirs.Data, "plans", string(id), "reviews")
}

// annotating is a reviewer that writes one note. Meanwhile a file turns up where
// the notes have to be kept, so that this fails as on a full disk.
func annotating(t *testing.T, body, blocked string) func(context.Context, *revdiff.Job) (revdiff.Exit, error) {
	return func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
		raw := record.Format([]record.Record{{Path: j.Copy, Line: 5, Type: record.Context, Body: body}})
		if err := os.WriteFile(j.Output, raw, 0o600); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(blocked, nil, 0o600); err != nil {
			t.Error(err)
		}
		return revdiff.Exit{Started: true, Code: 10}, nil
	}
}

func TestNotesThatCannotBeRecordedAreOfferedAgain(t *testing.T) {
	r, ref := submitted(t)
	r.desk.set(func(d *scriptDesk) { d.review = annotating(t, "precious", kept(r, ref.Plan)) })
	r.plan("review")
	settle(t, r.Session)
	if r.View().State.Review == nil {
		t.Fatalf("the review was closed over notes that nobody has\n%s", r.notices())
	}
	if !strings.Contains(r.notices(), "They are still where the reviewer left them") {
		t.Errorf("said:\n%s", r.notices())
	}
	if err := os.Remove(kept(r, ref.Plan)); err != nil {
		t.Fatal(err)
	}
	shown := ""
	r.desk.set(func(d *scriptDesk) {
		d.review = func(_ context.Context, j *revdiff.Job) (revdiff.Exit, error) {
			for _, a := range j.Args {
				if path, ok := strings.CutPrefix(a, "--annotations="); ok {
					b, err := os.ReadFile(path)
					if err != nil {
						t.Error(err)
					}
					shown = string(b)
				}
			}
			return revdiff.Exit{Started: true}, nil
		}
	})
	r.plan("review")
	settle(t, r.Session)
	if !strings.Contains(shown, "precious") {
		t.Errorf("the reviewer was given %q\n%s", shown, r.notices())
	}
}

func TestWhatWasTypedIntoACardIsGivenBackWhenItCannotBeRecorded(t *testing.T) {
	for _, answer := range []Row{RowRequestChanges, RowApprove} {
		t.Run(string(answer), func(t *testing.T) {
			r, ref := submitted(t)
			r.desk.set(func(d *scriptDesk) {
				d.decide = func(_ context.Context, c Card) (Verdict, error) {
					manifest := filepath.Join(r.dirs.Data, "plans", string(ref.Plan), "manifest.json")
					if err := os.WriteFile(manifest, []byte("{"), 0o600); err != nil {
						t.Error(err)
					}
					return Verdict{Review: c.Review, Hash: c.Ref.Hash, Row: answer, Text: "use the other library"}, nil
				}
			})
			r.plan("review")
			settle(t, r.Session)
			if st := r.View().State; !st.IsPlanning() || st.Work != nil {
				t.Errorf("state %+v", st)
			}
			if !strings.Contains(r.notices(), "to be copied:\nuse the other library") {
				t.Errorf("said:\n%s", r.notices())
			}
		})
	}
}
