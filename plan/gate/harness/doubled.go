package harness

import (
	"bytes"
	"encoding/json"
	"slices"
)

// doubled says whether a name that matters is there twice: the hooks themselves, or
// any name inside them. The harness goes by the last of two, others by the first, so
// that an edit could be of the one that does not count. settings are valid JSON.
func doubled(settings []byte) bool {
	d := json.NewDecoder(bytes.NewReader(settings))
	d.UseNumber()
	_, err := d.Token() // the object itself
	hooks := 0
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err != nil {
			break
		}
		var value json.RawMessage
		err = d.Decode(&value)
		if name != "hooks" {
			continue
		}
		if hooks++; hooks > 1 || repeats(value) {
			return true
		}
	}
	return err != nil
}

// repeats says whether an object in a value has a name twice.
func repeats(value []byte) bool {
	type level struct {
		object bool
		names  []string // of an object, the last one with its value still to come
		named  bool
	}
	var open []level
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return false // the end
		}
		top := len(open) - 1
		if name, ok := token.(string); ok && top >= 0 && open[top].object && !open[top].named {
			if slices.Contains(open[top].names, name) {
				return true
			}
			open[top].names, open[top].named = append(open[top].names, name), true
			continue
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			open = append(open, level{object: token == json.Delim('{')})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
		}
		if top = len(open) - 1; top >= 0 {
			open[top].named = false
		}
	}
}
