package plan

import (
	"testing"

	"github.com/gowebpki/jcs"
)

func TestCanonicalAgreesWithJCS(t *testing.T) {
	for name, text := range map[string]string{
		"the golden manifest":             string(golden(t)),
		"empty values":                    `{"a":{},"b":[],"c":"","d":null,"e":false}`,
		"names sort by UTF-16 units":      `{"\uFB33":1,"\uD83D\uDE02":2,"é":3,"a":4,"\r":5,"1":6,"":7}`,
		"escapes are the shortest":        `{"s":"\u0000\u0001\b\t\n\u000b\f\r\u001f \"\\\/\u007f\u0080\u2028\u2029<>&"}`,
		"numbers are those of ECMAScript": `[0,-0,1,-1,1.5,1e21,1e20,123456789012345680000,1e-6,1e-7,5e-324,1.7976931348623157e308,333333333.33333329]`,
		"nesting":                         `[[{"b":[{"z":1,"a":2}]}]]`,
	} {
		t.Run(name, func(t *testing.T) {
			want, err := jcs.Transform([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := canonicalBytes([]byte(text))
			if err != nil || string(got) != string(want) {
				t.Errorf("got  %s\nwant %s (%v)", got, want, err)
			}
		})
	}
	t.Run("a number beyond all floats is an error", func(t *testing.T) {
		if _, err := canonicalBytes([]byte(`[1e999]`)); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("dropped members are gone", func(t *testing.T) {
		got, err := canonicalBytes([]byte(`{"sum":1,"a":{"sum":2}}`), "sum")
		if err != nil || string(got) != `{"a":{"sum":2}}` {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

func FuzzCanonical(f *testing.F) {
	f.Add("a\x00\x1f\"\\é🙂")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := canonical([]string{s})
		if err != nil {
			t.Fatal(err)
		}
		again, err := canonicalBytes(got)
		if err != nil || string(again) != string(got) {
			t.Fatalf("canonical text is not its own canonical form: %q, %q, %v", got, again, err)
		}
		raw, _ := encodeJSON([]string{s})
		want, err := jcs.Transform(raw)
		if err != nil || string(want) != string(got) {
			t.Fatalf("got %q, jcs %q, %v", got, want, err)
		}
	})
}
