package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field is an argument as the tags of a struct describe it.
type field struct {
	name     string
	doc      string
	optional bool
	min, max int      // unlimited when the tags are absent
	words    []string // the only values of a string; nil for any
	typ      reflect.Type
}

func fieldOf(f reflect.StructField) field {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return field{
		name: name, doc: f.Tag.Get("doc"), optional: options == "omitempty",
		min: limit(f, "min", unlimitedMin), max: limit(f, "max", unlimitedMax), typ: f.Type,
		words: strings.FieldsFunc(f.Tag.Get("enum"), func(r rune) bool { return r == '|' }),
	}
}

const (
	unlimitedMin = math.MinInt
	unlimitedMax = math.MaxInt
)

func limit(f reflect.StructField, tag string, absent int) int {
	s, ok := f.Tag.Lookup(tag)
	if !ok {
		return absent
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("tag " + tag + " of " + f.Name + " is not a number")
	}
	return n
}

func (f field) kind() string {
	switch f.typ.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		if elementOf(f.typ) != nil {
			return "a list of objects"
		}
		return "a list of strings"
	}
	panic("argument " + f.name + " has a type that no schema describes")
}

func (f field) set(to reflect.Value, raw json.RawMessage) error {
	if elementOf(f.typ) != nil {
		return f.setObjects(to, raw)
	}
	if string(raw) == "null" || json.Unmarshal(raw, to.Addr().Interface()) != nil || f.typ.Kind() == reflect.Slice && hasNull(raw) {
		return fmt.Errorf("argument %q must be %s", f.name, f.kind())
	}
	return f.bounded(to)
}

// bounded holds a value against the limits of its tags.
func (f field) bounded(to reflect.Value) error {
	var size int
	var unit string
	switch f.typ.Kind() {
	case reflect.String:
		if len(f.words) > 0 && !slices.Contains(f.words, to.String()) {
			return fmt.Errorf("argument %q must be one of %s", f.name, strings.Join(f.words, ", "))
		}
		size, unit = utf8.RuneCountInString(to.String()), " characters long"
	case reflect.Int:
		size = int(to.Int())
	case reflect.Slice:
		size, unit = to.Len(), " items long"
	default:
		return nil
	}
	switch {
	case size < f.min && size == 0 && unit != "":
		return fmt.Errorf("argument %q must not be empty", f.name)
	case size < f.min:
		return fmt.Errorf("argument %q must be at least %d%s; it is %d", f.name, f.min, unit, size)
	case size > f.max:
		return fmt.Errorf("argument %q must be at most %d%s; it is %d", f.name, f.max, unit, size)
	}
	return nil
}

// hasNull finds a null among strings, which the decoder would take for "".
func hasNull(raw json.RawMessage) bool {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return true
	}
	for _, item := range items {
		if bytes.Equal(item, []byte("null")) {
			return true
		}
	}
	return false
}

// property is the JSON schema of one argument, or of the object that holds them.
type property struct {
	Type        string              `json:"type"`
	Description string              `json:"description,omitempty"`
	Enum        []string            `json:"enum,omitempty"`
	Items       *property           `json:"items,omitempty"`
	Minimum     *int                `json:"minimum,omitempty"`
	Maximum     *int                `json:"maximum,omitempty"`
	MinLength   *int                `json:"minLength,omitempty"`
	MaxLength   *int                `json:"maxLength,omitempty"`
	MinItems    *int                `json:"minItems,omitempty"`
	MaxItems    *int                `json:"maxItems,omitempty"`
	Properties  map[string]property `json:"properties,omitempty"`
	Required    []string            `json:"required,omitempty"`
	Additional  *bool               `json:"additionalProperties,omitempty"`
}

// schema is the JSON schema of the arguments object T, from the same tags that
// decode enforces.
func schema[T any]() json.RawMessage {
	of := objectSchema(reflect.TypeFor[T]())
	return Marshal(struct {
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
		Additional bool                `json:"additionalProperties"`
	}{"object", of.Properties, of.Required, false})
}

func objectSchema(t reflect.Type) property {
	closed := false
	out := property{Type: "object", Properties: map[string]property{}, Required: []string{}, Additional: &closed}
	for i := range t.NumField() {
		f := fieldOf(t.Field(i))
		out.Properties[f.name] = f.schema()
		if !f.optional {
			out.Required = append(out.Required, f.name)
		}
	}
	return out
}

func (f field) schema() property {
	some := func(n int) *int {
		if n == unlimitedMin || n == unlimitedMax {
			return nil
		}
		return &n
	}
	p := property{Description: f.doc, Enum: f.words}
	switch f.typ.Kind() {
	case reflect.String:
		p.Type, p.MinLength, p.MaxLength = "string", some(f.min), some(f.max)
	case reflect.Int:
		p.Type, p.Minimum, p.Maximum = "integer", some(f.min), some(f.max)
	case reflect.Bool:
		p.Type = "boolean"
	case reflect.Slice:
		p.Type, p.MinItems, p.MaxItems = "array", some(f.min), some(f.max)
		p.Items = &property{Type: "string"}
		if of := elementOf(f.typ); of != nil {
			inner := objectSchema(of)
			p.Items = &inner
		}
	}
	return p
}
