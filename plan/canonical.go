package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
)

// canonical writes v as RFC 8785 JSON without the members of the top object
// that are named in drop. What is hashed must not depend on the order or the
// spelling in which a file happened to be written.
func canonical(v any, drop ...string) ([]byte, error) {
	raw, err := encodeJSON(v)
	if err != nil {
		return nil, err
	}
	return canonicalBytes(raw, drop...)
}

// canonicalBytes is canonical for JSON text.
func canonicalBytes(raw []byte, drop ...string) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("text after the JSON value")
	}
	if object, ok := v.(map[string]any); ok {
		for _, name := range drop {
			delete(object, name)
		}
	}
	return appendCanonical(nil, v)
}

func appendCanonical(dst []byte, v any) ([]byte, error) {
	var err error
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendCanonicalString(dst, v), nil
	case json.Number:
		return appendCanonicalNumber(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendCanonical(dst, item); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		return appendCanonicalObject(dst, v)
	}
	return dst, fmt.Errorf("no JSON form for %T", v)
}

// appendCanonicalObject sorts the names by UTF-16 code units, as RFC 8785 asks;
// that differs from byte order only above U+FFFF.
func appendCanonicalObject(dst []byte, object map[string]any) ([]byte, error) {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendCanonicalString(dst, name), ':')
		var err error
		if dst, err = appendCanonical(dst, object[name]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

var shortEscapes = map[rune]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\'}

func appendCanonicalString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		if c, ok := shortEscapes[r]; ok {
			dst = append(dst, '\\', c)
		} else if r < 0x20 {
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		} else {
			dst = append(dst, string(r)...)
		}
	}
	return append(dst, '"')
}

// appendCanonicalNumber writes the number as ECMAScript does. Our own fields
// hold small integers; the rest is for fields of a later version.
func appendCanonicalNumber(dst []byte, n json.Number) ([]byte, error) {
	f, err := n.Float64()
	if err != nil {
		return dst, fmt.Errorf("number %s: %w", n, err)
	}
	if f == 0 {
		return append(dst, '0'), nil
	}
	format := byte('f')
	if abs := math.Abs(f); abs < 1e-6 || abs >= 1e21 {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if n := len(dst); format == 'e' && n-start >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-07 is written e-7
		dst = dst[:n-1]
	}
	return dst, nil
}

// encodeJSON is json.Marshal without the HTML escapes.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
