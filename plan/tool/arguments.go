package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxArgs bounds the arguments of one call: the largest text that a tool takes,
// with every character escaped, still fits.
const maxArgs = 32 << 20

// decode reads the arguments of a call into T, a struct whose fields carry these
// tags: `json` with omitempty for what may be left out, and `min` and `max` for
// limits (characters of a string, value of a number, length of a list). Only one
// JSON object with known names, each once and of the right type, is accepted:
// what a person is asked about must be exactly what runs. Every error is one
// sentence that tells the agent what to change.
func decode[T any](raw json.RawMessage) (T, error) {
	var out T
	given, err := object(raw)
	if err != nil {
		return out, err
	}
	return out, assign(reflect.ValueOf(&out).Elem(), given, "")
}

// assign fills the fields of one object; where is the path to it, for messages.
func assign(v reflect.Value, given map[string]json.RawMessage, where string) error {
	known := make([]string, 0, v.NumField())
	for i := range v.NumField() {
		f := fieldOf(v.Type().Field(i))
		known = append(known, f.name)
		value, present := given[f.name]
		delete(given, f.name)
		f.name = where + f.name
		if present && f.optional && string(value) == "null" {
			present = false // some providers fill in null for what was left out
		}
		switch {
		case present:
			if err := f.set(v.Field(i), value); err != nil {
				return err
			}
		case !f.optional:
			return fmt.Errorf("argument %q is missing: it must be %s", f.name, f.kind())
		}
	}
	if len(given) > 0 {
		unknown := where + slices.Min(slices.Collect(maps.Keys(given)))
		return fmt.Errorf("unknown argument %s: the arguments are %s", clip(unknown), strings.Join(known, ", "))
	}
	return nil
}

// object splits one strict JSON object into its members.
func object(raw json.RawMessage) (map[string]json.RawMessage, error) {
	switch {
	case len(raw) > maxArgs:
		return nil, fmt.Errorf("the arguments are %d bytes; at most %d are accepted", len(raw), maxArgs)
	case !utf8.Valid(raw):
		return nil, fmt.Errorf("the arguments are not valid UTF-8")
	}
	if err := loneSurrogate(raw); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("the arguments must be one JSON object")
	}
	out := map[string]json.RawMessage{}
	for dec.More() {
		t, err := dec.Token()
		name, isName := t.(string)
		if err != nil || !isName {
			return nil, fmt.Errorf("the arguments are not valid JSON: %w", syntaxOf(err))
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("argument %s is given twice", clip(name))
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("the arguments are not valid JSON: %w", syntaxOf(err))
		}
		if err := unique(value, clip(name)); err != nil {
			return nil, err
		}
		out[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("the arguments are not valid JSON: %w", syntaxOf(err))
	}
	if rest := bytes.TrimLeft(raw[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, fmt.Errorf("something follows the JSON object of the arguments")
	}
	return out, nil
}

func syntaxOf(err error) error {
	if err == nil {
		return fmt.Errorf("a name was expected")
	}
	return err
}

// unique refuses an object anywhere inside value that has a name twice: readers
// of JSON differ in which one they take.
func unique(value json.RawMessage, where string) error {
	if !bytes.ContainsRune(value, '{') {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	type level struct {
		names map[string]bool // nil in a list
		value bool            // in an object: a value comes next
	}
	var stack []level
	for {
		t, err := dec.Token()
		if err != nil {
			return nil // the value was decoded before, so this is its end
		}
		top := len(stack) - 1
		if name, isName := t.(string); isName && top >= 0 && stack[top].names != nil && !stack[top].value {
			if stack[top].names[name] {
				return fmt.Errorf("argument %s has %s twice", where, clip(name))
			}
			stack[top].names[name], stack[top].value = true, true
			continue
		}
		if top >= 0 && t != json.Delim('}') && t != json.Delim(']') {
			stack[top].value = false
		}
		switch t {
		case json.Delim('{'):
			stack = append(stack, level{names: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, level{})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
		}
	}
}

// loneSurrogate refuses half of a surrogate pair, which the decoder would turn
// into another character without a word.
func loneSurrogate(raw []byte) error {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		high, ok := escaped(raw[i:])
		if !ok {
			i++
			continue
		}
		i += 5
		switch {
		case high >= 0xdc00 && high < 0xe000:
			return fmt.Errorf(`the arguments hold half a surrogate pair (\u%04x)`, high)
		case high >= 0xd800 && high < 0xdc00:
			low, ok := escaped(raw[i+1:])
			if !ok || low < 0xdc00 || low > 0xdfff {
				return fmt.Errorf(`the arguments hold half a surrogate pair (\u%04x)`, high)
			}
			i += 6
		}
	}
	return nil
}

func escaped(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	return rune(n), err == nil
}

// clip quotes a name that an agent made up, for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return strconv.Quote(s)
}
