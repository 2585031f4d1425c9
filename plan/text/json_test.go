package text

import (
	"encoding/json"
	"testing"
)

func TestEscapeJSON(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain text stays":             {"{\"a\": \"b 世界 é\"}\n", "{\"a\": \"b 世界 é\"}\n"},
		"one-character CSI":            {"\"\u009b31m\"", `"\u009b31m"`},
		"bidi override":                {"\"\u202e\"", `"\u202e"`},
		"delete":                       {"\"\x7f\"", `"\u007f"`},
		"a tag outside the first page": {"\"\U000e0041\"", `"\udb40\udc41"`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(EscapeJSON([]byte(c.in))); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzEscapeJSON(f *testing.F) {
	f.Add("a\x1b[31m\u009b\u202e\U000e0041\x7f\xff\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		escaped := EscapeJSON(b)
		if json.Unmarshal(b, &before) != nil || json.Unmarshal(escaped, &after) != nil || before != after {
			t.Fatalf("%q became %q", b, escaped)
		}
		for _, r := range string(escaped) {
			if Hidden(r) {
				t.Fatalf("%q holds %U", escaped, r)
			}
		}
	})
}
