package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// elementOf is the struct type of a list of objects, or nil for a list of
// strings and for everything else.
func elementOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		return t.Elem()
	}
	return nil
}

// setObjects reads a list of objects as strictly as the arguments themselves.
// An error names the place by its path, "options[1].label".
func (f field) setObjects(to reflect.Value, raw json.RawMessage) error {
	var items []json.RawMessage
	if string(raw) == "null" || json.Unmarshal(raw, &items) != nil {
		return fmt.Errorf("argument %q must be %s", f.name, f.kind())
	}
	if len(items) > f.max { // before anything is made for each of them
		return fmt.Errorf("argument %q must be at most %d items long; it is %d", f.name, f.max, len(items))
	}
	list := reflect.MakeSlice(f.typ, len(items), len(items))
	for i, item := range items {
		where := fmt.Sprintf("%s[%d]", f.name, i)
		if !strings.HasPrefix(string(item), "{") {
			return fmt.Errorf("argument %q must be an object", where)
		}
		given, err := object(item)
		if err != nil {
			return err
		}
		if err := assign(list.Index(i), given, where+"."); err != nil {
			return err
		}
	}
	to.Set(list)
	return f.bounded(to)
}
