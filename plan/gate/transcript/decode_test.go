package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write puts lines into a file of a log.
func write(t *testing.T, path string, lines ...string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func texts(s Session) string {
	var out []string
	for _, m := range s.Messages {
		out = append(out, m.Text)
	}
	return strings.Join(out, "|")
}

func claudeLine(kind, id, parent, text string, more ...string) string {
	p := `"` + parent + `"`
	if parent == "" {
		p = "null"
	}
	extra := strings.Join(more, ",")
	if extra != "" {
		extra = "," + extra
	}
	return `{"type":"` + kind + `","uuid":"` + id + `","parentUuid":` + p + `,"timestamp":"2026-03-01T10:00:00.000Z","message":{"id":"m` + id + `","role":"` + kind + `","content":[{"type":"text","text":"` + text + `"}]}` + extra + `}`
}

func TestDecoders(t *testing.T) {
	kimi := func(event string) string {
		return `{"type":"context.append_loop_event","time":1785865087440,"event":` + event + `}`
	}
	codex := func(kind, payload string) string {
		return `{"timestamp":"2026-03-01T10:00:00Z","type":"` + kind + `","payload":` + payload + `}`
	}
	codexSays := func(text string) string {
		return codex("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+text+`"}]}`)
	}
	for name, c := range map[string]struct {
		harness  Harness
		lines    []string
		passOver bool
		want     string
		err      error
	}{
		"claude: a rewound branch is left out": {Claude, []string{
			claudeLine("user", "1", "", "go"), claudeLine("assistant", "2", "1", "dead end"),
			claudeLine("user", "3", "1", "again"), claudeLine("assistant", "4", "3", "better"),
		}, false, "better", nil},
		"claude: pieces under one id are joined, sidechains and hidden entries are not": {Claude, []string{
			claudeLine("user", "1", "", "go"),
			strings.Replace(claudeLine("assistant", "2", "1", "one"), `"m2"`, `"m"`, 1),
			strings.Replace(claudeLine("assistant", "3", "2", "two"), `"m3"`, `"m"`, 1),
			claudeLine("assistant", "4", "3", "to itself", `"isSidechain":true`),
			claudeLine("assistant", "5", "3", "hidden", `"visibility":"hidden"`),
		}, false, "one\ntwo", nil},
		"claude: a broken chain counts in the order of the file": {Claude, []string{
			claudeLine("assistant", "2", "gone", "before the compaction"), claudeLine("assistant", "4", "2", "after"),
		}, false, "before the compaction|after", nil},
		"claude: the running turn can be left out": {Claude, []string{
			claudeLine("user", "1", "", "go"), claudeLine("assistant", "2", "1", "done"),
			claudeLine("user", "3", "2", "review that"), claudeLine("user", "4", "3", "<command-name>x"), claudeLine("assistant", "5", "4", "calling the gate"),
		}, true, "done", nil},
		"claude: a message that only called tools is none": {Claude, []string{
			`{"type":"assistant","uuid":"1","parentUuid":null,"message":{"id":"a","content":[{"type":"tool_use","name":"x","input":{"text":"no"}}]}}`,
		}, false, "", ErrNoMessage},
		"claude: a chain that turns in a circle ends": {Claude, []string{
			claudeLine("assistant", "1", "2", "a"), claudeLine("assistant", "2", "1", "b"),
		}, false, "a|b", nil},
		"codex: the parts of a message are joined": {Codex, []string{
			codex("session_meta", `{"cwd":"/w"}`), codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"no"}]}`),
			codex("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a\n"},{"type":"output_text","text":"b"}]}`),
		}, false, "a\nb", nil},
		"codex: the running turn can be left out": {Codex, []string{
			codex("event_msg", `{"type":"task_started"}`), codexSays("one"), codex("event_msg", `{"type":"task_complete"}`),
			codex("event_msg", `{"type":"turn_started"}`), codexSays("two"),
		}, true, "one", nil},
		"gemini: a record that comes again replaces the first": {Gemini, []string{
			`{"sessionId":"s","projectHash":"h"}`, `{"id":"1","type":"user","content":"hi"}`, `{"id":"2","type":"gemini","content":"half"}`,
			`{"id":"2","type":"gemini","content":[{"text":"whole"}]}`, `{"$set":{"x":1}}`,
		}, false, "whole", nil},
		"gemini: the older single object": {Gemini, []string{
			`{"sessionId":"s","messages":[{"id":"1","type":"user","content":"hi"},{"id":"2","type":"gemini","content":"old"}]}`,
		}, false, "old", nil},
		"copilot": {Copilot, []string{
			`{"type":"session.start","data":{}}`, `{"type":"assistant.message","data":{"messageId":"1","content":"said"}}`, `{"type":"assistant.message","data":{"messageId":"2","content":""}}`,
		}, false, "said", nil},
		"pi: only the active branch": {Pi, []string{
			`{"type":"session","cwd":"/w"}`,
			`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"q"}]}}`,
			`{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"text","text":"dead"}]}}`,
			`{"type":"message","id":"c","parentId":"a","message":{"role":"assistant","content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"one"},{"type":"text","text":"two"}]}}`,
		}, false, "one\ntwo", nil},
		"pi: a broken chain is refused": {Pi, []string{
			`{"type":"session"}`, `{"type":"message","id":"c","parentId":"gone","message":{"role":"assistant","content":[{"type":"text","text":"one"}]}}`,
		}, false, "", ErrShape},
		"kimi: parts make a message, a call ends it": {Kimi, []string{
			`{"type":"metadata","protocol_version":"1.4"}`, kimi(`{"type":"step.begin","uuid":"s1"}`),
			kimi(`{"type":"content.part","part":{"type":"think","think":"hm"}}`),
			kimi(`{"type":"content.part","part":{"type":"text","text":"Look"}}`), kimi(`{"type":"content.part","part":{"type":"text","text":"ing"}}`),
			kimi(`{"type":"tool.call","toolCallId":"x"}`), kimi(`{"type":"step.end","uuid":"s1"}`),
			kimi(`{"type":"content.part","part":{"type":"text","text":"Found"}}`),
		}, false, "Looking|Found", nil},
		"another program's file is refused":      {Claude, []string{`{"hello":1}`, `{"x":[]}`}, false, "", ErrShape},
		"codex refuses a log of another program": {Codex, []string{claudeLine("assistant", "1", "", "x")}, false, "", ErrShape},
		"an empty file":                          {Copilot, nil, false, "", ErrShape},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, filepath.Join(t.TempDir(), "log.jsonl"), append(c.lines, `{"type":"assist`)...)
			s, err := Read(c.harness, path, c.passOver)
			if !errors.Is(err, c.err) || texts(s) != c.want {
				t.Errorf("%q, %v; want %q, %v", texts(s), err, c.want, c.err)
			}
		})
	}
}

func TestOnlyTheNewestMessagesAreKept(t *testing.T) {
	var lines []string
	for range 40 {
		lines = append(lines, `{"type":"assistant.message","data":{"content":"x"}}`)
	}
	s, err := Read(Copilot, write(t, filepath.Join(t.TempDir(), "l"), append(lines, `{"type":"assistant.message","data":{"content":"last"}}`)...), false)
	if err != nil || len(s.Messages) != maxMessages || s.Messages[maxMessages-1].Text != "last" {
		t.Errorf("%d messages, %v", len(s.Messages), err)
	}
}

func TestALogIsARegularFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(Claude, dir, false); err == nil {
		t.Error("a directory was read")
	}
	if _, err := Read(OpenCode, write(t, filepath.Join(dir, "x"), "{}"), false); err == nil {
		t.Error("a file was taken for a session of a program that has a database")
	}
}

func TestALineWithoutEndCostsOnlyItself(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "l"), `{"type":"a.b","x":"`+strings.Repeat("y", maxLine)+`"}`, `{"type":"assistant.message","data":{"content":"after"}}`)
	s, err := Read(Copilot, path, false)
	if err != nil || texts(s) != "after" {
		t.Errorf("%q, %v", texts(s), err)
	}
}

func TestAnExportOfOpenCode(t *testing.T) {
	s, err := DecodeExport([]byte("Exporting session: ses_1\n" + `{"info":{"id":"ses_1","directory":"/w","time":{"updated":1785865087440}},"messages":[
		{"info":{"id":"a","role":"user"},"parts":[{"type":"text","text":"q"}]},
		{"info":{"id":"b","role":"assistant","time":{"created":2000}},"parts":[{"type":"reasoning","text":"hm"},{"type":"text","text":"one"},{"type":"text","text":"no","synthetic":true},{"type":"text","text":"two"}]}]}`))
	if err != nil || texts(s) != "one\n\ntwo" || s.ID != "ses_1" || s.Modified.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []string{"", "[]", "{}", `{"info":{"id":"x"},"messages":{}}`} {
		if _, err := DecodeExport([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func FuzzDecoders(f *testing.F) {
	f.Add([]byte(claudeLine("assistant", "1", "", "x") + "\n" + `{"type":"context.append_loop_event","event":{"part":{"type":"text","text":"x"}}}`))
	f.Add([]byte(`{"type":"session"}` + "\n" + `{"type":"message","id":"a","parentId":"a","message":{"role":"assistant","content":"x"}}`))
	f.Add([]byte(`{"messages":[{"messages":[{"messages":[]}]}]}`))
	f.Fuzz(func(t *testing.T, log []byte) {
		for h, decode := range decoders {
			for _, cut := range []bool{false, true} {
				var failed error
				c, err := decode(lines(strings.NewReader(string(log)), cut, &failed), cut)
				if err != nil && len(c.messages) > 0 {
					t.Fatalf("%s: messages beside the error %v", h, err)
				}
				if c.running < 0 || c.running > len(c.messages) {
					t.Fatalf("%s: %d of %d messages run", h, c.running, len(c.messages))
				}
				for _, m := range c.messages {
					if strings.TrimSpace(m.Text) == "" {
						t.Fatalf("%s: a message without text", h)
					}
				}
			}
		}
		if s, err := DecodeExport(log); (err == nil) != (len(s.Messages) > 0) {
			t.Fatalf("export: %+v, %v", s, err)
		}
	})
}
