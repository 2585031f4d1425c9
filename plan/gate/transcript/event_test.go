package transcript

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAHooksEventNamesTheSession(t *testing.T) {
	home := t.TempDir()
	log := claudeLog(t, home, "-w", "s1", "from the log")
	odd := write(t, filepath.Join(home, "copy.jsonl"), `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"of codex"}]}}`)
	for name, c := range map[string]struct{ event, want string }{
		"the message itself":           {`{"session_id":"s9","last_assistant_message":"said","transcript_path":"` + log + `"}`, "claude s9 said"},
		"the log":                      {`{"session_id":"s1","transcript_path":"` + log + `"}`, "claude s1 from the log"},
		"a log of an unknown place":    {`{"session_id":"s2","transcript_path":"` + odd + `"}`, "codex s2 of codex"},
		"a log that is not there":      {`{"transcript_path":"/nowhere/x.jsonl"}`, "read the session log /nowhere/x.jsonl"},
		"a log by half a path":         {`{"transcript_path":"x.jsonl"}`, "without a full path"},
		"nothing":                      {``, "not named"},
		"a session alone":              {`{"session_id":"s1"}`, "not named"},
		"what is not JSON":             {`{`, "read the hook event from standard input"},
		"an empty message and no path": {`{"last_assistant_message":"  "}`, "not named"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := ReadEvent(strings.NewReader(c.event))
			got := ""
			if err == nil {
				var s Session
				var ok bool
				switch s, ok, err = e.Of(Options{}); {
				case !ok:
					got = "not named"
				case err == nil:
					got = string(s.Harness) + " " + s.ID + " " + texts(s)
				}
			}
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzReadEvent(f *testing.F) {
	f.Add(`{"session_id":"s","transcript_path":"/dev/zero","cwd":"/"}`)
	f.Add(`{"last_assistant_message":"x"}`)
	f.Fuzz(func(t *testing.T, raw string) {
		e, err := ReadEvent(strings.NewReader(raw))
		if err != nil {
			return
		}
		e.Path = ""
		if s, ok, err := e.Of(Options{}); ok && (err != nil || len(s.Messages) != 1 || strings.TrimSpace(s.Messages[0].Text) == "") {
			t.Errorf("%+v %v", s, err)
		}
	})
}
