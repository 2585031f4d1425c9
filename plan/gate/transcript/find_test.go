package transcript

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// age makes a file look older.
func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, home string, pid int, session, cwd string) {
	write(t, filepath.Join(home, ".claude", "sessions", strconv.Itoa(pid)+".json"),
		`{"pid":`+strconv.Itoa(pid)+`,"sessionId":"`+session+`","cwd":"`+cwd+`","startedAt":`+strconv.Itoa(pid)+`}`)
}

func claudeLog(t *testing.T, home, slug, session, text string) string {
	return write(t, filepath.Join(home, ".claude", "projects", slug, session+".jsonl"), claudeLine("assistant", "1", "", text))
}

func found(t *testing.T, o Options) string {
	t.Helper()
	s, err := Find(t.Context(), o)
	if err != nil {
		return err.Error()
	}
	return string(s.Harness) + " " + s.ID + " " + texts(s)
}

func TestTheSessionOfTheProcessAboveUsIsMeant(t *testing.T) {
	home := t.TempDir()
	run(t, home, 7, "aaa", "/w/app")
	run(t, home, 9, "bbb", "/w/app")
	claudeLog(t, home, "-w-app", "aaa", "mine")
	claudeLog(t, home, "-w-app", "bbb", "a stranger's")
	o := Options{Home: home, Cwd: "/w/app", Ancestors: []int{5, 7, 1}}
	if got := found(t, o); got != "claude aaa mine" {
		t.Error(got)
	}
	o.Ancestors = []int{5}
	if got := found(t, Options{Home: home, Cwd: "/w/app"}); got == "claude aaa mine" {
		t.Error("without an ancestor the newest start counts, but got " + got)
	}
}

func TestAfterClearTheNewerLogGoesOn(t *testing.T) {
	home := t.TempDir()
	run(t, home, 7, "old", "/w")
	run(t, home, 8, "other", "/w")
	age(t, claudeLog(t, home, "-w", "old", "before"), time.Hour)
	age(t, claudeLog(t, home, "-w", "new", "after"), time.Minute)
	claudeLog(t, home, "-w", "other", "of another process")
	if got := found(t, Options{Home: home, Cwd: "/w", Ancestors: []int{7}}); got != "claude new after" {
		t.Error(got)
	}
}

func TestAFolderAboveIsTheProjectWhenThereIsNoneHere(t *testing.T) {
	home := t.TempDir()
	claudeLog(t, home, "-W-App", "aaa", "above")
	if got := found(t, Options{Home: home, Cwd: "/w/app/sub/dir", Harness: Claude}); got != "claude aaa above" {
		t.Error(got)
	}
}

func TestEachHarnessIsFoundByItsOwnMarks(t *testing.T) {
	const cwd = "/w/app"
	home := t.TempDir()
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	codexLog := func(day, thread, cwd, text string) {
		write(t, filepath.Join(home, ".codex", "sessions", "2026", "03", day, "rollout-2026-03-"+day+"T10-00-00-"+thread+".jsonl"),
			`{"type":"session_meta","payload":{"cwd":"`+cwd+`"}}`,
			`{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+text+`"}]}}`)
	}
	const one, two = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
	codexLog("01", one, cwd, "first")
	codexLog("02", two, "/elsewhere", "second")
	write(t, filepath.Join(home, ".gemini", "tmp", "app", ".project_root"), cwd)
	write(t, filepath.Join(home, ".gemini", "tmp", "app", "chats", "session-g1.jsonl"), `{"id":"1","type":"gemini","content":"gem"}`)
	copilot := filepath.Join(home, ".copilot", "session-state")
	for id, where := range map[string]string{"c1": cwd, "c2": "/elsewhere"} {
		write(t, filepath.Join(copilot, id, "events.jsonl"), `{"type":"assistant.message","data":{"content":"`+id+`"}}`)
		write(t, filepath.Join(copilot, id, "workspace.yaml"), "version: 1", "cwd: "+where)
	}
	write(t, filepath.Join(copilot, "c2", "inuse.77.lock"))
	write(t, filepath.Join(home, ".pi", "agent", "sessions", "--w-app--", "2026_p1.jsonl"), `{"type":"session"}`,
		`{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":"pi says"}}`)
	wire := write(t, filepath.Join(home, ".kimi-code", "sessions", "wd_app_1", "k1", "agents", "main", "wire.jsonl"),
		`{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"text","text":"kimi says"}}}`)
	write(t, filepath.Join(home, ".kimi-code", "session_index.jsonl"),
		`{"sessionId":"k1","sessionDir":"`+filepath.Dir(filepath.Dir(filepath.Dir(wire)))+`","workDir":"/w/app"}`,
		`{"sessionId":"k2","sessionDir":"/etc","workDir":"/w/app"}`)
	command := func(_ context.Context, _ string, args ...string) ([]byte, error) {
		if args[0] == "export" {
			return []byte(`{"info":{"id":"` + args[1] + `"},"messages":[{"info":{"role":"assistant"},"parts":[{"type":"text","text":"open"}]}]}`), nil
		}
		return []byte(`[{"id":"ses_2","directory":"/elsewhere","updated":3},{"id":"ses_1","directory":"/w/app","updated":2}]`), nil
	}
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"codex by its thread":           {Options{Getenv: env("CODEX_THREAD_ID", two)}, "codex " + two + " second"},
		"codex by the directory":        {Options{Harness: Codex}, "codex " + one + " first"},
		"gemini by the project's root":  {Options{Getenv: env("GEMINI_CLI", "1")}, "gemini g1 gem"},
		"copilot by the directory":      {Options{Getenv: env("COPILOT_CLI", "1")}, "copilot c1 c1"},
		"copilot by the lock":           {Options{Harness: Copilot, Ancestors: []int{77}}, "copilot c2 c2"},
		"pi by the directory":           {Options{Harness: Pi}, "pi p1 pi says"},
		"kimi by its index":             {Options{Harness: Kimi}, "kimi k1 kimi says"},
		"opencode by its own command":   {Options{Getenv: env("OPENCODE", "1"), Command: command}, "opencode ses_1 open"},
		"a session by its id":           {Options{Session: "p1"}, "pi p1 pi says"},
		"a session by a part of its id": {Options{Session: "2222"}, "codex " + two + " second"},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Home, c.o.Cwd = home, cwd
			if got := found(t, c.o); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestNothingFoundIsSaid(t *testing.T) {
	o := Options{Home: t.TempDir(), Cwd: "/w"}
	if _, err := Find(t.Context(), o); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := Find(t.Context(), Options{Cwd: "/w"}); !errors.Is(err, ErrNone) {
		t.Error("without a home directory:", err)
	}
	for _, id := range []string{"../../etc/passwd", "a/b", "", "."} {
		o.Session = id
		if _, err := Find(t.Context(), o); err == nil {
			t.Errorf("the session %q was found", id)
		}
	}
}
