package brief

import (
	"encoding/json"
	"errors"
	"testing"

	"planmode/plan"
)

func TestAnOutcomeIsForOneReviewOfOneText(t *testing.T) {
	const hash = plan.Hash("sha256:0123456789abcdef")
	good := Outcome{Version: Version, Review: "r", Hash: hash, Verdict: json.RawMessage(`{"Row":"keep"}`), Marks: []Mark{{"a", true}}}
	cases := []struct {
		name   string
		change func(*Outcome)
		err    error
	}{
		{"one that fits", func(*Outcome) {}, nil},
		{"another version", func(o *Outcome) { o.Version = 9 }, errVersion},
		{"another review", func(o *Outcome) { o.Review = "x" }, errOther},
		{"other bytes", func(o *Outcome) { o.Hash = "sha256:ff" }, errOther},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := good
			c.change(&o)
			raw, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseOutcome(raw, "r", hash); !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
		})
	}
	if _, err := ParseOutcome([]byte("{"), "r", hash); err == nil {
		t.Error("half a file is an outcome")
	}
}

func FuzzFiles(f *testing.F) {
	f.Add([]byte(`{"version":1,"notes":[{"line":1,"type":" ","body":"x"},{"line":-1,"type":"","body":""}],"card":{"notes":"n"}}`))
	f.Add([]byte(`{"version":1,"review":"r","hash":"h","verdict":{"Row":"approve"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if d, err := ParseDraft(b); err == nil {
			for _, n := range append(d.Notes, d.Typed...) {
				if len(n.Type) != 1 || n.Line < 0 {
					t.Fatalf("note %+v", n)
				}
			}
		}
		if o, err := ParseOutcome(b, "r", "h"); err == nil && (o.Review != "r" || o.Hash != "h") {
			t.Fatalf("outcome %+v", o)
		}
		_, _ = Parse(b)
	})
}
