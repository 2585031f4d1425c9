package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"planmode/plan"
)

var when = plan.Stamp(time.Date(2026, 3, 4, 5, 6, 7, 89_999_999, time.UTC))

func entry(t *testing.T, id, parent plan.EntryID, kind plan.Kind, body any) Entry {
	t.Helper()
	e, err := New(id, parent, when, kind, body)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The checksums were computed with a bitwise CRC-32C in Python (polynomial
// 0x82f63b78 reflected, start and final XOR all ones) over the bytes before
// `,"crc"`; the same function gives e3069283 for "123456789".
func TestLinesAreWrittenAsTheFormatSays(t *testing.T) {
	hash := plan.Hash("sha256:" + strings.Repeat("ab", 32))
	ref := plan.Ref{Plan: "20260304T050607-oauth-0a1b2c3d", Revision: 1, Hash: hash}
	tests := []struct {
		name  string
		entry Entry
		want  string
	}{
		{"a message keeps its characters unescaped", entry(t, "000000000001", "", KindUser, User{Text: "a <b> 目标\n"}),
			`{"id":"000000000001","parent":"","kind":"user","at":"2026-03-04T05:06:07.089Z","text":"a <b> 目标\n","crc":"b1496ce3"}`},
		{"an entry without fields has only its head", entry(t, "000000000002", "000000000001", plan.KindPlanningLeft, plan.PlanningLeft{}),
			`{"id":"000000000002","parent":"000000000001","kind":"planning_left","at":"2026-03-04T05:06:07.089Z","crc":"3ccef918"}`},
		{"an event has its fields in order", entry(t, "000000000003", "000000000002", plan.KindRevisionSubmitted,
			plan.RevisionSubmitted{Ref: ref, Title: "OAuth", Author: plan.ByAgent, Steps: 3}),
			`{"id":"000000000003","parent":"000000000002","kind":"revision_submitted","at":"2026-03-04T05:06:07.089Z",` +
				`"ref":{"plan":"20260304T050607-oauth-0a1b2c3d","revision":1,"hash":"` + string(hash) + `"},` +
				`"title":"OAuth","author":"agent","steps":3,"crc":"c146e1a6"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendLine([]byte("before\n"), tt.entry)
			if err != nil || string(got) != "before\n"+tt.want+"\n" {
				t.Fatalf("got %s, %v, want %s", got, err, tt.want)
			}
			back, err := ParseLine([]byte(tt.want + "\n"))
			if err != nil || !reflect.DeepEqual(back, tt.entry) {
				t.Errorf("read back %+v, %v, want %+v", back, err, tt.entry)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	tests := []struct {
		name string
		h    Header
		want string
	}{
		{"a session of its own", Header{Session: "s1", Version: 1, Cwd: "/work", CreatedAt: when},
			`{"session":"s1","version":1,"cwd":"/work","createdAt":"2026-03-04T05:06:07.089Z","crc":"ba002e4f"}`},
		{"a fork names its parent", Header{Session: "s2", Version: 1, Cwd: "/work", CreatedAt: when, Parent: "s1"},
			`{"session":"s2","version":1,"cwd":"/work","createdAt":"2026-03-04T05:06:07.089Z","parent":"s1","crc":"cfb43e43"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendHeader(nil, tt.h)
			if err != nil || string(got) != tt.want+"\n" {
				t.Fatalf("got %s, %v", got, err)
			}
			if back, err := ParseHeader(got); err != nil || back != tt.h {
				t.Errorf("read back %+v, %v", back, err)
			}
		})
	}
}

// sealed gives text that is not an entry a valid checksum.
func sealed(s string) string { return strings.TrimSuffix(string(seal([]byte(s), 0)), "\n") }

func TestDamagedLinesAreRefused(t *testing.T) {
	const good = `{"id":"000000000001","parent":"","kind":"user","at":"2026-03-04T05:06:07.089Z","text":"hi"`
	whole := sealed(good)
	if _, err := ParseLine([]byte(whole)); err != nil {
		t.Fatalf("the undamaged line: %v", err)
	}
	tests := []struct{ name, line string }{
		{"an empty line", ""},
		{"no object", sealed(`["a"`)},
		{"a torn line", whole[:len(whole)-9]},
		{"a line without checksum", good + "}"},
		{"a changed character", strings.Replace(whole, "hi", "ho", 1)},
		{"a checksum in capitals", strings.ToUpper(whole)},
		{"something after the end", whole + " "},
		{"two lines in one", whole + whole},
		{"no id", sealed(strings.Replace(good, "000000000001", "", 1))},
		{"no kind", sealed(strings.Replace(good, `"user"`, `""`, 1))},
		{"a time that is none", sealed(strings.Replace(good, "2026-03-04", "2026-13-04", 1))},
		{"a time in another precision", sealed(strings.Replace(good, ".089Z", ".0890Z", 1))},
		{"fields before the head", sealed(`{"text":"hi",` + good[1:])},
		{"a second id among the fields", sealed(good + `,"id":"000000000002"`)},
		{"a second kind in other letters", sealed(good + `,"KIND":"leaf"`)},
		{"a blank before the fields", sealed(strings.Replace(good, `Z","text`, `Z", "text`, 1))},
		{"a blank after the fields", sealed(good + " ")},
		{"broken JSON", sealed(good + `,"x":`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if e, err := ParseLine([]byte(tt.line)); !errors.Is(err, ErrBadLine) {
				t.Errorf("got %+v, %v", e, err)
			}
		})
	}
}

func TestDamagedHeadersAreRefused(t *testing.T) {
	for name, line := range map[string]string{
		"no session":  sealed(`{"session":"","version":1`),
		"no version":  sealed(`{"session":"s"`),
		"a bad field": sealed(`{"session":"s","version":"one"`),
		"no checksum": `{"session":"s","version":1}`,
	} {
		if h, err := ParseHeader([]byte(line)); !errors.Is(err, ErrBadLine) {
			t.Errorf("%s: got %+v, %v", name, h, err)
		}
	}
}

func TestUnknownKindsAreKeptByteForByte(t *testing.T) {
	line := sealed(`{"id":"000000000009","parent":"","kind":"from_the_future","at":"2026-03-04T05:06:07.089Z","b":{"z":1.50, "a":[]},"a":"\u00e9"`) + "\n"
	e, err := ParseLine([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := Event(e); ok || err != nil {
		t.Errorf("it passes for an event: %v, %v", ok, err)
	}
	if got, err := AppendLine(nil, e); err != nil || string(got) != line {
		t.Errorf("written again it is %s, %v", got, err)
	}
}

func TestNewRefusesWhatIsNoObject(t *testing.T) {
	for _, body := range []any{"text", []int{1}, nil, func() {}} {
		if e, err := New("1", "", when, KindNotice, body); err == nil {
			t.Errorf("%T became %s", body, e.Body)
		}
	}
	if _, err := AppendLine(nil, Entry{ID: "1", Kind: KindNotice}); err == nil {
		t.Error("an entry without a body was written")
	}
}

// Every kind of body must survive, and must not use the names of the head.
func TestEveryBodyIsReadBack(t *testing.T) {
	option := 1
	bodies := map[plan.Kind]any{
		KindUser: User{Text: "x"}, KindAssistant: Assistant{Text: "x", Stopped: "interrupted"}, KindLeaf: Leaf{"1"},
		KindToolCall:   ToolCall{Call: "c", Name: "read", Args: json.RawMessage("{\n \"path\": \"a\" }")},
		KindToolResult: ToolResult{Call: "c", Name: "read", Text: "\x1b", Error: true, Details: json.RawMessage(`{"a":1}`)},
		KindHandoff:    Handoff{Title: "x", Text: "y", Again: true}, KindNotice: Notice{Warning, "x"}, KindTitle: Title{"x"},
		KindModel: Model{Agent: "demo"}, KindPermission: Permission{"bash", "s", "once", "ls", "no"},
		KindPermissionMode: PermissionMode{plan.PermissionYolo, PermissionApproval, plan.PermissionManual},
		KindAnnotations:    Annotations{Review: "r", Round: 1, Items: []plan.Annotation{{Line: 1, Body: "b"}}},
		KindDecision:       Decision{Decision: plan.Decision{Revision: 1, Kind: plan.DecidedApproved, Option: &option}},
	}
	for kind, decode := range decoders {
		zero, err := decode(Entry{Body: []byte("{}")})
		if err != nil {
			t.Fatal(err)
		}
		bodies[kind] = zero
	}
	for kind, body := range bodies {
		e := entry(t, "00000000000a", "", kind, body)
		line, err := AppendLine(nil, e)
		if err != nil || bytes.Count(line, []byte("\n")) != 1 {
			t.Errorf("%s: %q, %v", kind, line, err)
		}
		if _, ok := parsePlain(bytes.TrimSuffix(append(line[:len(line)-sealLen-1:len(line)-sealLen-1], '}'), []byte("\n"))); !ok {
			t.Errorf("%s: the quick reader leaves %q to the general one", kind, line)
		}
		if back, err := ParseLine(line); err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%s: read back %+v, %v", kind, back, err)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"id":"000000000001","parent":"","kind":"user","at":"2026-03-04T05:06:07.089Z","text":"hi"`))
	f.Add([]byte(`{"id":"1","parent":"0","kind":"x","at":"2026-03-04T05:06:07.000Z"`))
	f.Add([]byte(`{"id":"1","parent":"0","kind":"x","at":"2026-03-04T05:06:07.000Z", "a":1`))
	f.Add([]byte(`{"session":"s","version":1,"cwd":"/","createdAt":"2026-03-04T05:06:07.000Z"`))
	f.Add([]byte(`{"id":"1","parent":"0","kind":"x","at":"2026-03-04T05:06:07.000Z",`))
	f.Add([]byte(`{"id":"1","parent":"0","kind":"x","at":"2026-03-04T05:06:07.000Z","a":{"id":[1,"at"]},"b":"\\\"","Kind":2`))
	f.Fuzz(func(t *testing.T, in []byte) {
		_, _ = ParseLine(in)
		raw := append(bytes.Clone(in), '}')
		if quick, ok := parsePlain(raw); ok {
			if slow, err := parseAny(raw); err != nil || !reflect.DeepEqual(quick, slow) {
				t.Fatalf("%q is read as %+v, but by the general reader as %+v, %v", raw, quick, slow, err)
			}
		}
		line := seal(bytes.Clone(in), 0)
		if h, err := ParseHeader(line); err == nil {
			again, err := AppendHeader(nil, h)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := ParseHeader(again); err != nil || back != h {
				t.Fatalf("header %+v became %+v, %v", h, back, err)
			}
		}
		e, err := ParseLine(line)
		if err != nil {
			return
		}
		again, err := AppendLine(nil, e)
		if err != nil || !bytes.Equal(again, line) {
			t.Fatalf("%q became %q, %v", line, again, err)
		}
		_, _, _ = Event(e)
	})
}
