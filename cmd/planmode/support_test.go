//go:build unix

package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
)

// planmode is a run of the program in a home of its own.
func planmode(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	cmd.Env = []string{
		"PLANMODE_HOME=" + home, "HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"),
	}
	return cmd
}

// result is how a run ended.
type result struct {
	code        int
	out, errors string
}

func execute(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	for line := range strings.Lines(r.errors) {
		if !strings.HasPrefix(line, "planmode:") {
			t.Errorf("standard error has a line %q", line)
		}
	}
	for _, s := range []string{r.out, r.errors} {
		if strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && text.Hidden(r) }) {
			t.Errorf("the output is not clean: %q", s)
		}
	}
	return r
}

const (
	sessionID = "20260101T000000-0123456789ab"
	hostile   = "x\x1b[2J\x1b]0;owned\a\u009b31m\u202eabc\nplanmode: forged"
)

// withSession leaves a session in home, with open work if that is asked for. It
// returns the path of its log.
func withSession(t *testing.T, home string, events ...plan.Event) string {
	t.Helper()
	s, err := store.Open(dirsIn(home), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	log, err := s.CreateLog(tree.Header{Session: sessionID, Cwd: "/w/" + hostile})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	entries := []any{tree.User{Text: hostile}, tree.Assistant{Text: "the answer"}}
	kinds := []plan.Kind{tree.KindUser, tree.KindAssistant}
	for _, ev := range events {
		entries, kinds = append(entries, ev), append(kinds, ev.Kind())
	}
	for i, body := range entries {
		id := plan.EntryID("00000000000" + string(rune('1'+i)))
		e, err := tree.New(id, log.Tree().Leaf(), plan.Time{Time: log.Header().CreatedAt.Time}, kinds[i], body)
		if err == nil {
			err = log.Append(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return log.Path()
}

// openWork is the shortest way to work that is open.
func openWork() plan.Event {
	return plan.WorkAdopted{Ref: plan.Ref{Plan: "20260101T000000-x-00000000", Revision: 1, Hash: plan.HashOf(nil)}, From: "other", Title: "Work " + hostile}
}

func dirsIn(home string) store.Dirs {
	return store.Dirs{
		Config: filepath.Join(home, "config"), Data: filepath.Join(home, "data"),
		State: filepath.Join(home, "state"), Run: filepath.Join(home, "run"),
	}
}

func TestExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		args   []string
		env    string
		work   bool
		code   int
		out    string // is in standard output
		errors string // is in standard error
	}{
		"the version":                      {args: []string{"--version"}, out: "(commit "},
		"a healthy doctor":                 {args: []string{"doctor"}, out: "ok    reviewer "},
		"doctor for programs":              {args: []string{"doctor", "--json"}, out: `"failed": 0`},
		"a doctor that found a failure":    {args: []string{"doctor"}, env: "REVDIFF_BIN=/nonexistent", code: 1, out: "fail  reviewer", errors: "1 check failed"},
		"doctor takes no argument":         {args: []string{"doctor", "x"}, code: 2},
		"the manual page":                  {args: []string{"man"}, out: ".SH SYNOPSIS"},
		"a shell without completion":       {args: []string{"completion", "tcsh"}, code: 2, errors: "there is for bash, zsh, fish and powershell"},
		"a completion script":              {args: []string{"completion", "bash"}, out: "__start_planmode"},
		"completion of ids":                {args: []string{"__complete", "sessions", "rm", "2026"}, out: sessionID + "\tx"},
		"completion of ids to resume":      {args: []string{"__complete", "--resume", "2026"}, out: sessionID},
		"no terminal":                      {args: nil, code: 2, errors: "needs a terminal"},
		"sessions alone":                   {args: []string{"sessions"}, code: 2, errors: "list, show, export or rm"},
		"an unknown subcommand":            {args: []string{"sessions", "burn"}, code: 2},
		"a list":                           {args: []string{"sessions", "list"}, out: sessionID},
		"a list of this directory":         {args: []string{"sessions", "list", "--here"}, errors: "no sessions"},
		"a list for programs":              {args: []string{"sessions", "list", "--json"}, out: `"entries": 2`},
		"one session":                      {args: []string{"sessions", "show", "0123"}, out: "planmode --resume " + sessionID},
		"one session for programs":         {args: []string{"sessions", "show", sessionID, "--json"}, out: `"id": "` + sessionID},
		"a session that is not there":      {args: []string{"sessions", "show", "nope"}, code: 1, errors: "no such session"},
		"an export":                        {args: []string{"sessions", "export", sessionID}, out: "> the answer"},
		"a removal without yes":            {args: []string{"sessions", "rm", sessionID}, out: "would remove ", errors: "nothing was removed"},
		"a removal":                        {args: []string{"sessions", "rm", sessionID, "--yes"}, out: "removed "},
		"a removal of open work":           {args: []string{"sessions", "rm", sessionID, "--yes"}, work: true, code: 1, errors: "add --force"},
		"a dry run of that":                {args: []string{"sessions", "rm", sessionID}, work: true, code: 1, errors: "add --force"},
		"a forced removal":                 {args: []string{"sessions", "rm", sessionID, "--yes", "--force"}, work: true, out: "removed "},
		"a removal of one and of none":     {args: []string{"sessions", "rm", sessionID, "nope", "-y"}, code: 1, out: "removed ", errors: "1 of 2 sessions"},
		"a removal without a session":      {args: []string{"sessions", "rm"}, code: 2},
		"the settings":                     {args: []string{"config"}, out: "contentLanguage"},
		"an export to where nothing is":    {args: []string{"sessions", "export", sessionID, "-o", "/nonexistent/x"}, code: 1},
		"an export of a session not there": {args: []string{"sessions", "export", "nope", "-o", "new.md"}, code: 1, errors: "no such session"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			var events []plan.Event
			if c.work {
				events = append(events, openWork())
			}
			path := withSession(t, home, events...)
			cmd := planmode(t, home, c.args...)
			cmd.Dir = t.TempDir()
			if c.env != "" {
				cmd.Env = append(cmd.Env, c.env)
			}
			if len(c.args) > 0 && c.args[0] == "__complete" {
				cmd.Env = append(cmd.Env, "BASH_COMP_DEBUG_FILE="+os.DevNull)
			}
			var r result
			if strings.HasPrefix(strings.Join(c.args, " "), "__complete") {
				out, err := cmd.Output() // cobra explains itself on standard error
				if err != nil {
					t.Fatal(err)
				}
				r.out = string(out)
			} else {
				r = execute(t, cmd)
			}
			if r.code != c.code || !strings.Contains(r.out, c.out) || !strings.Contains(r.errors, c.errors) {
				t.Errorf("%q ended with %d, want %d\n%s\n%s", c.args, r.code, c.code, r.out, r.errors)
			}
			_, err := os.Stat(path)
			if gone, want := err != nil, strings.HasPrefix(c.out, "removed"); gone != want {
				t.Errorf("the session is gone: %v, want %v", gone, want)
			}
			if left, err := os.ReadDir(cmd.Dir); err != nil || len(left) > 0 {
				t.Errorf("left %v, %v", left, err)
			}
		})
	}
}

func TestAHeldSessionStaysWhateverIsAsked(t *testing.T) {
	home := t.TempDir()
	path := withSession(t, home)
	s, err := store.Open(dirsIn(home), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	log, err := s.OpenLog(sessionID)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	r := execute(t, planmode(t, home, "sessions", "rm", sessionID, "--yes", "--force"))
	if r.code != 1 || !strings.Contains(r.errors, "held by process") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if r := execute(t, planmode(t, home, "doctor")); !strings.Contains(r.out, "session "+sessionID+" is held by process") {
		t.Errorf("doctor does not name the holder:\n%s", r.out)
	}
}

func TestExportNeverOverwrites(t *testing.T) {
	home := t.TempDir()
	withSession(t, home)
	file := filepath.Join(home, "out.md")
	if r := execute(t, planmode(t, home, "sessions", "export", sessionID, "--output", file)); r.code != 0 || r.out != "" {
		t.Fatalf("%+v", r)
	}
	first, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(first), "> the answer") {
		t.Fatalf("%s, %v", first, err)
	}
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := execute(t, planmode(t, home, "sessions", "export", sessionID, "--output", file))
	if b, err := os.ReadFile(file); r.code != 1 || err != nil || string(b) != "mine" {
		t.Errorf("%+v, %q, %v", r, b, err)
	}
}

// The README promises that a copy of the data directory is a whole backup.
func TestACopyOfTheDataDirectoryIsABackup(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	withSession(t, home, openWork())
	if err := os.CopyFS(filepath.Join(other, "data"), os.DirFS(filepath.Join(home, "data"))); err != nil {
		t.Fatal(err)
	}
	export := func(home string) string {
		r := execute(t, planmode(t, home, "sessions", "export", sessionID))
		if r.code != 0 {
			t.Fatalf("%+v", r)
		}
		return r.out
	}
	if before, after := export(home), export(other); before != after {
		t.Errorf("restored:\n%s\nwas:\n%s", after, before)
	}
}

func TestJSONIsParsable(t *testing.T) {
	home := t.TempDir()
	withSession(t, home, openWork())
	for _, args := range [][]string{{"doctor", "--json"}, {"sessions", "list", "--json"}, {"sessions", "show", sessionID, "--json"},
		{"plans", "list", "--json"}, {"plans", "verify", "--all", "--json"}, {"plans", "prune", "--json"}} {
		if r := execute(t, planmode(t, home, args...)); !json.Valid([]byte(r.out)) {
			t.Errorf("%q: %s", args, r.out)
		}
	}
}
