package tree

import (
	"bytes"
	"encoding/json"
	"strings"

	"planmode/plan"
)

// parsePlain reads an unsealed line in the form that this program writes nearly
// always: a head without escapes, and fields of other names behind it. A long
// session opens much faster by it. It takes nothing that the general
// reader refuses, and leaves to that one whatever it is not sure of.
func parsePlain(raw []byte) (Entry, bool) {
	var fields [4]string
	rest := raw
	for i, before := range []string{`{"id":"`, `","parent":"`, `","kind":"`, `","at":"`} {
		var ok bool
		if rest, ok = bytes.CutPrefix(rest, []byte(before)); !ok {
			return Entry{}, false
		}
		end := bytes.IndexByte(rest, '"')
		if end < 0 || !plain(rest[:end]) {
			return Entry{}, false
		}
		fields[i], rest = string(rest[:end]), rest[end:]
	}
	rest = rest[1:]
	var at plan.Time
	if at.UnmarshalText([]byte(fields[3])) != nil || fields[0] == "" || fields[2] == "" {
		return Entry{}, false
	}
	if again, err := at.MarshalText(); err != nil || string(again) != fields[3] {
		return Entry{}, false
	}
	body, ok := plainBody(rest)
	if !ok {
		return Entry{}, false
	}
	return Entry{ID: plan.EntryID(fields[0]), Parent: plan.EntryID(fields[1]), Kind: plan.Kind(fields[2]), At: at, Body: body}, true
}

// plain says whether a string stands for itself in JSON and in this program's
// way of writing it.
func plain(s []byte) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' && c != '-' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

// plainBody makes the body of what follows the head, if that is whole and none
// of its fields could be taken for one of the head.
func plainBody(rest []byte) (json.RawMessage, bool) {
	body := make(json.RawMessage, 0, len(rest)+1)
	if string(rest) == "}" {
		return append(body, "{}"...), true
	}
	if len(rest) < 2 || rest[0] != ',' {
		return nil, false
	}
	body = append(append(body, '{'), rest[1:]...)
	inside := body[1 : len(body)-1]
	if len(inside) == 0 || !json.Valid(body) || !bytes.Equal(inside, bytes.TrimSpace(inside)) || !headFree(inside) {
		return nil, false
	}
	return body, true
}

// headFree walks the fields of a valid object and says whether every name is
// plain and none is one of the head, in any case.
func headFree(fields []byte) bool {
	depth, name := 0, true // name: the next string of this depth is a name
	for i := 0; i < len(fields); i++ {
		switch fields[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			name = name || depth == 0
		case '"':
			end := stringEnd(fields, i+1)
			if depth == 0 && name {
				if !plain(fields[i+1:end]) || ofHead(string(fields[i+1:end])) {
					return false
				}
				name = false
			}
			i = end
		}
	}
	return true
}

// stringEnd is the place of the quote that ends a string begun before i.
func stringEnd(b []byte, i int) int {
	for {
		i += bytes.IndexByte(b[i:], '"')
		escapes := 0
		for b[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
		i++
	}
}

func ofHead(name string) bool {
	return strings.EqualFold(name, "id") || strings.EqualFold(name, "parent") || strings.EqualFold(name, "kind") || strings.EqualFold(name, "at")
}
