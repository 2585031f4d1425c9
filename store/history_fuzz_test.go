package store

import (
	"encoding/json"
	"slices"
	"testing"
)

func FuzzHistory(f *testing.F) {
	f.Add([]byte("{\"cwd\":\"/a\",\"text\":\"kept\"}\nnot json\n"))
	f.Add([]byte("{\"text\":\"\\u0000\"}\n{\"text\":7}\n{\"text\""))
	f.Fuzz(func(t *testing.T, b []byte) {
		all := decodeHistory(b)
		var again []byte
		for _, m := range all {
			if m.Text == "" {
				t.Fatal("a message of nothing")
			}
			line, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			again = append(append(again, line...), '\n')
		}
		if got := decodeHistory(again); !slices.EqualFunc(got, all, func(a, b said) bool { return a.Text == b.Text && a.Cwd == b.Cwd }) {
			t.Errorf("%q is read back as %q", all, got)
		}
	})
}
