package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxProblems is how many problems of one payload are named.
const MaxProblems = 20

// MaxBody is how many characters a text that is posted may have.
const MaxBody = 60_000

// Read reads a payload of a role: its status line, then exactly one object of the
// schema that belongs to the status. Any problem means that nothing of it counts.
func Read(role Role, raw []byte) (Payload, []Problem) {
	sum := sha256.Sum256(raw)
	p := Payload{Role: role, SHA256: hex.EncodeToString(sum[:])}
	if len(raw) > maxBytes {
		return p, []Problem{{"payload", fmt.Sprintf("%d bytes, more than %d", len(raw), maxBytes)}}
	}
	line, rest, ok := strings.Cut(string(raw), "\n")
	if !ok {
		return p, []Problem{{"line 1", "there has to be a status line, then an object"}}
	}
	token, status, _ := strings.Cut(line, ": ")
	p.Status = Status(status)
	if token != strings.ToUpper(string(role)) || !statusOf(role, p.Status) {
		return p, []Problem{{"line 1", fmt.Sprintf("%.60q is no status line of this role", line)}}
	}
	tree, err := parse(rest)
	if err != nil {
		return p, []Problem{{"object", err.Error()}}
	}
	b := &binder{}
	b.bind("", tree, reflect.ValueOf(p.target()).Elem(), "")
	if p.Failure != nil && len(b.problems) == 0 {
		b.problems = append(b.problems, checkFailure(role, p.Status, *p.Failure)...)
	}
	return p, b.problems[:min(len(b.problems), MaxProblems)]
}

func statusOf(role Role, s Status) bool {
	switch s {
	case Pass, NeedsContext, ToolsMissing, Error:
		return true
	}
	return s == Fail && role == RoleVerify
}

// target makes the struct that the status calls for.
func (p *Payload) target() any {
	if p.Status != Pass && p.Status != Fail {
		p.Failure = &Failure{}
		return p.Failure
	}
	switch p.Role {
	case RoleContext:
		p.Context = &Context{}
		return p.Context
	case RoleChunk:
		p.Chunk = &Chunk{}
		return p.Chunk
	case RoleAuthor:
		p.Author = &Author{}
		return p.Author
	}
	p.Verify = &Verify{}
	return p.Verify
}

func checkFailure(role Role, s Status, f Failure) []Problem {
	var out []Problem
	if f.Schema != "review."+string(role)+"/1" {
		out = append(out, Problem{"schema", "has to be review." + string(role) + "/1"})
	}
	if (len(f.Missing) > 0) != (s == NeedsContext) {
		out = append(out, Problem{"missing", "names what is missing exactly with NEEDS_CONTEXT"})
	}
	return out
}

// binder fills structs from a document and refuses whatever they do not describe. A
// pointer may be null; a list or a value may not.
type binder struct{ problems []Problem }

func (b *binder) wrong(at, format string, args ...any) {
	b.problems = append(b.problems, Problem{strings.TrimPrefix(at, "."), fmt.Sprintf(format, args...)})
}

func (b *binder) bind(at string, n node, v reflect.Value, form string) {
	if len(b.problems) >= MaxProblems {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if n.kind != kindNull {
			v.Set(reflect.New(v.Type().Elem()))
			b.bind(at, n, v.Elem(), form)
		}
	case reflect.Struct:
		b.object(at, n, v)
	case reflect.Slice:
		if b.is(at, n, kindArray) {
			v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
			for i := range n.items {
				b.bind(fmt.Sprintf("%s[%d]", at, i), n.items[i], v.Index(i), form)
			}
		}
	case reflect.String:
		if b.is(at, n, kindString) {
			v.SetString(n.str)
			if bad := checkText(form, n.str); bad != "" {
				b.wrong(at, "%s", bad)
			}
		}
	case reflect.Int64:
		if b.is(at, n, kindNumber) {
			v.SetInt(n.num)
			if bad := checkNumber(form, n.num); bad != "" {
				b.wrong(at, "%s", bad)
			}
		}
	case reflect.Bool:
		if b.is(at, n, kindBool) {
			v.SetBool(n.yes)
		}
	}
}

func (b *binder) is(at string, n node, want kind) bool {
	if n.kind != want {
		b.wrong(at, "is %s, has to be %s", n.kind, want)
		return false
	}
	return true
}

func (b *binder) object(at string, n node, v reflect.Value) {
	if !b.is(at, n, kindObject) {
		return
	}
	known := 0
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := f.Tag.Get("json")
		j := slices.Index(n.keys, name)
		if j < 0 {
			b.wrong(at+"."+name, "is missing")
			continue
		}
		known++
		b.bind(at+"."+name, n.items[j], v.Field(i), f.Tag.Get("form"))
	}
	if known == len(n.keys) {
		return
	}
	for _, k := range n.keys {
		if !hasField(v.Type(), k) {
			b.wrong(fmt.Sprintf("%s.%.60q", at, k), "is no key of this object")
			return
		}
	}
}

func hasField(t reflect.Type, key string) bool {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("json") == key {
			return true
		}
	}
	return false
}

var forms = map[string]*regexp.Regexp{
	"hex":    regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`),
	"sha256": regexp.MustCompile(`^[0-9a-f]{64}$`),
	"name":   regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`),
}

// checkText says what is wrong with a string of that form; empty if nothing is.
func checkText(form, s string) string {
	if re := forms[form]; re != nil {
		if !re.MatchString(s) {
			return "has not the form of a " + form
		}
		return ""
	}
	switch form {
	case "":
		return ""
	case "text", "md", "line", "title":
		return checkProse(form, s)
	case "path":
		return checkPath(s)
	case "time":
		if t, err := time.Parse(time.RFC3339, s); err != nil || !strings.HasSuffix(s, "Z") || t.IsZero() {
			return "is no time of the form 2026-01-02T03:04:05Z"
		}
		return ""
	}
	if !slices.Contains(strings.Split(form, "|"), s) {
		return fmt.Sprintf("is %.40q, has to be one of %s", s, form)
	}
	return ""
}

func checkProse(form, s string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case strings.TrimSpace(s) == "":
		return "is blank"
	case form == "md" && n > MaxBody:
		return fmt.Sprintf("has %d characters, more than %d", n, MaxBody)
	case form == "title" && n > 120:
		return "has more than 120 characters"
	case form == "line" && strings.ContainsAny(s, "\r\n"):
		return "has more than one line"
	}
	return ""
}

func checkPath(s string) string {
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." {
			return "is no path in a repository"
		}
	}
	for _, r := range s {
		if r < 0x20 || r == 0x7f {
			return "has a control character"
		}
	}
	return ""
}

func checkNumber(form string, n int64) string {
	least, most := int64(0), int64(1)<<53-1
	switch form {
	case "pos":
		least, most = 1, 1<<31-1
	case "id":
		least = 1
	}
	if n < least || n > most {
		return fmt.Sprintf("is %d, has to be between %d and %d", n, least, most)
	}
	return ""
}
