package tool

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

type sample struct {
	Path  string   `json:"path" min:"1" max:"5"`
	Count int      `json:"count,omitempty" min:"0" max:"9"`
	Deep  bool     `json:"deep,omitempty"`
	Items []string `json:"items,omitempty" min:"1" max:"2"`
}

func TestDecodeAcceptsExactlyOneStrictObject(t *testing.T) {
	for _, c := range []struct{ name, raw, fault string }{
		{"all arguments", `{"path":"a","count":3,"deep":true,"items":["x","y"]}`, ""},
		{"only what is required", ` {"path":"é日本x"} `, ""},
		{"null for what may be left out", `{"path":"a","count":null}`, ""},
		{"a number at each end of its range", `{"path":"a","count":0}`, ""},
		{"nothing", ``, "one JSON object"},
		{"null", `null`, "one JSON object"},
		{"a list", `[]`, "one JSON object"},
		{"a string with an object in it", `"{\"path\":\"a\"}"`, "one JSON object"},
		{"an object that does not end", `{"path":"a"`, "not valid JSON"},
		{"a trailing comma", `{"path":"a",}`, "not valid JSON"},
		{"something after the object", `{"path":"a"}{}`, "follows"},
		{"garbage after the object", `{"path":"a"} x`, "follows"},
		{"a required argument missing", `{}`, `"path" is missing`},
		{"null for a required argument", `{"path":null}`, `"path" must be a string`},
		{"a wrong type", `{"path":7}`, `"path" must be a string`},
		{"a fraction", `{"path":"a","count":1.5}`, `"count" must be a whole number`},
		{"a number as text", `{"path":"a","count":"1"}`, `"count" must be a whole number`},
		{"a truth value as text", `{"path":"a","deep":"true"}`, `"deep" must be true or false`},
		{"a null in a list", `{"path":"a","items":["x",null]}`, `"items" must be a list of strings`},
		{"a number in a list", `{"path":"a","items":[1]}`, `"items" must be a list of strings`},
		{"an unknown argument", `{"path":"a","zoo":1,"mode":2}`, `unknown argument "mode"`},
		{"another case of a name", `{"Path":"a"}`, "missing"},
		{"both cases of a name", `{"path":"a","PATH":"b"}`, `unknown argument "PATH"`},
		{"an argument twice", `{"path":"a","path":"b"}`, `"path" is given twice`},
		{"an argument twice, once escaped", `{"path":"a","p\u0061th":"b"}`, `"path" is given twice`},
		{"a name twice deep inside", `{"path":"a","items":[{"k":1,"k":2}]}`, `"k" twice`},
		{"too short", `{"path":""}`, "must not be empty"},
		{"too long", `{"path":"abcdef"}`, "at most 5 characters long; it is 6"},
		{"too small", `{"path":"a","count":-1}`, "at least 0"},
		{"too large", `{"path":"a","count":10}`, "at most 9"},
		{"an empty list", `{"path":"a","items":[]}`, "must not be empty"},
		{"too many items", `{"path":"a","items":["a","b","c"]}`, "at most 2 items long; it is 3"},
		{"invalid UTF-8", "{\"path\":\"\xff\"}", "UTF-8"},
		{"half a surrogate pair", `{"path":"\ud800"}`, "surrogate"},
		{"the other half", `{"path":"\udc00"}`, "surrogate"},
		{"a whole surrogate pair", `{"path":"\ud83d\ude00"}`, ""},
		{"an escaped backslash before a u", `{"path":"\\ud8"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decode[sample](json.RawMessage(c.raw))
			switch {
			case c.fault == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
				t.Errorf("got %v, want %q", err, c.fault)
			}
		})
	}
}

func FuzzDecodeAcceptsOnlyWhatItCanWriteBack(f *testing.F) {
	for _, s := range []string{
		`{"path":"a","count":3,"deep":true,"items":["x"]}`, `{"path":"\ud83d\ude00"}`, `{"path":"a","path":"b"}`, `{"path":"a"} `, `{"items":[{"a":{"a":1,"b":[]}}],"path":"x"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := decode[sample](raw)
		if err != nil {
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == 0x1b }) {
				t.Errorf("the message is not one plain line: %q", err)
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("accepted %q, which is not JSON", raw)
		}
		if n := len([]rune(got.Path)); n < 1 || n > 5 || got.Count < 0 || got.Count > 9 || len(got.Items) > 2 {
			t.Fatalf("accepted %q beyond the limits", raw)
		}
		again, err := decode[sample](Marshal(got))
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Fatalf("%q gives %+v, which comes back as %+v, %v", raw, got, again, err)
		}
	})
}

func TestSchemaSaysWhatDecodeEnforces(t *testing.T) {
	want := `{"type":"object","properties":{"count":{"type":"integer","minimum":0,"maximum":9},"deep":{"type":"boolean"},` +
		`"items":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2},"path":{"type":"string","minLength":1,"maxLength":5}},` +
		`"required":["path"],"additionalProperties":false}`
	if got := string(schema[sample]()); got != want {
		t.Errorf("got %s", got)
	}
}

type listing struct {
	Rows []rowArgs `json:"rows" min:"1" max:"2"`
}

type rowArgs struct {
	Label string `json:"label" min:"1" max:"3"`
	State string `json:"state,omitempty" enum:"on|off"`
}

func TestDecodeReadsListsOfObjectsAsStrictly(t *testing.T) {
	for _, c := range []struct{ name, raw, fault string }{
		{"one object", `{"rows":[{"label":"a"}]}`, ""},
		{"two objects with all of it", `{"rows":[ {"label":"a","state":"on"} , {"label":"b"}]}`, ""},
		{"null for what may be left out", `{"rows":[{"label":"a","state":null}]}`, ""},
		{"no list", `{"rows":{"label":"a"}}`, `"rows" must be a list of objects`},
		{"null", `{"rows":null}`, `"rows" must be a list of objects`},
		{"an empty list", `{"rows":[]}`, `"rows" must not be empty`},
		{"too many", `{"rows":[{"label":"a"},{"label":"b"},{"label":"c"}]}`, `"rows" must be at most 2 items long; it is 3`},
		{"a string in the list", `{"rows":["a"]}`, `"rows[0]" must be an object`},
		{"a null in the list", `{"rows":[{"label":"a"},null]}`, `"rows[1]" must be an object`},
		{"a missing field", `{"rows":[{"label":"a"},{}]}`, `"rows[1].label" is missing`},
		{"a field too long", `{"rows":[{"label":"abcd"}]}`, `"rows[0].label" must be at most 3`},
		{"a word that is none", `{"rows":[{"label":"a","state":"ON"}]}`, `"rows[0].state" must be one of on, off`},
		{"an unknown field", `{"rows":[{"label":"a","zoo":1}]}`, `unknown argument "rows[0].zoo"`},
		{"a field twice", `{"rows":[{"label":"a","label":"b"}]}`, `"label" twice`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decode[listing](json.RawMessage(c.raw))
			switch {
			case c.fault == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
				t.Errorf("got %v, want %q", err, c.fault)
			}
		})
	}
}

func TestSchemaOfAListOfObjects(t *testing.T) {
	const want = `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{` +
		`"label":{"type":"string","minLength":1,"maxLength":3},"state":{"type":"string","enum":["on","off"]}},` +
		`"required":["label"],"additionalProperties":false},"minItems":1,"maxItems":2}},"required":["rows"],"additionalProperties":false}`
	if got := string(schema[listing]()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzDecodeAcceptsOnlyListsThatItCanWriteBack(f *testing.F) {
	for _, s := range []string{`{"rows":[{"label":"a","state":"on"},{"label":"b"}]}`, `{"rows":[]}`, `{"rows":[{"label":"a","label":"b"}]}`, `{"rows":[null]}`, `{"rows":[{"label":"\ud800"}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := decode[listing](raw)
		if err != nil {
			return
		}
		if len(got.Rows) < 1 || len(got.Rows) > 2 {
			t.Fatalf("%d rows pass", len(got.Rows))
		}
		again, err := decode[listing](Marshal(got))
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%+v, then %+v", got, again)
		}
	})
}
