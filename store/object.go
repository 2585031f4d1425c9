package store

import (
	"bytes"
	"encoding/json"
	"errors"
)

// object is a JSON object whose members keep their order and what is in them.
type object struct {
	names  []string
	values map[string]json.RawMessage
}

// readObject reads an object; nothing at all is an empty one. A name that is there
// twice is refused, since nobody knows which of them counts.
func readObject(raw []byte) (*object, error) {
	o := &object{values: map[string]json.RawMessage{}}
	if len(bytes.TrimSpace(raw)) == 0 && raw == nil {
		return o, nil
	}
	if !json.Valid(raw) {
		return nil, errors.New("it is not JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it does not begin with {")
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		if _, twice := o.values[name]; !ok || twice {
			return nil, errors.New("a name is there twice")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		o.names = append(o.names, name)
		o.values[name] = value
	}
	return o, nil
}

func (o *object) get(name string) json.RawMessage { return o.values[name] }

func (o *object) set(name string, value json.RawMessage) {
	if _, there := o.values[name]; !there {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

func (o *object) json() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encoded(name))
		b.WriteByte(':')
		b.Write(o.values[name])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// encoded writes texts as JSON as people write it, without HTML escapes.
func encoded(v any) json.RawMessage { return json.RawMessage(compact(v)) }
