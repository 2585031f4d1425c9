//go:build unix

package main_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"planmode/tui/tuitest"
)

const (
	gateDismissed = `{"decision":"dismissed"}` + "\n"
	gateApproved  = `{"decision":"approved"}` + "\n"
)

// strictGate is a gate that must fail closed, on a plan.
func strictGate(w *world) *gateRun {
	w.write("plan.md", gateText)
	return w.gate("annotate", "plan.md", "--gate", "--json", "--require-approval", "--result-file", "out.json")
}

// said checks how a gate ended.
func (g *gateRun) said(code int, want string) {
	g.t.Helper()
	g.ended(code)
	if g.out.String() != want {
		g.t.Errorf("standard output %q, want %q; standard error %q", &g.out, want, &g.errors)
	}
}

func TestWhateverAReviewerDoesOnlyThePersonApproves(t *testing.T) {
	for mode, c := range map[string]struct {
		shows      string // on the card
		approvable bool
		notes      bool
	}{
		"clean":                  {"No notes were recorded.", true, false},
		"notes":                  {"You wrote 1 note.", true, true},
		"flushed-then-discarded": {"did not end as it should", true, true},
		"promises-notes":         {"did not end as it should", false, false},
		"garbage":                {"did not end as it should", false, false},
		"foreign":                {"did not end as it should", false, false},
		"beyond":                 {"did not end as it should", false, false},
		"link":                   {"did not end as it should", false, false},
		"removes":                {"did not end as it should", false, false},
		"notes-then-killed":      {"did not end as it should", false, true},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			g := strictGate(newWorld(t, "REVDIFF_BIN="+fake(t, mode)))
			g.armed("Decide on the file", "Close")
			g.WaitFor(c.shows)
			if got := strings.Contains(g.Screen(), "Approve (a)"); got != c.approvable {
				t.Errorf("an approval is offered: %v\n%s", got, g.Screen())
			}
			if g.out.Len() > 0 {
				t.Errorf("before the decision: %q", &g.out)
			}
			switch {
			case c.notes:
				g.Press("s")
				g.ended(1)
				if !strings.HasPrefix(g.out.String(), `{"decision":"annotated","feedback":"# File Feedback`) || !strings.Contains(g.out.String(), "why this?") {
					t.Errorf("%q", &g.out)
				}
			case c.approvable:
				g.Press("a")
				g.said(0, gateApproved)
			default:
				g.Press("q")
				g.said(1, gateDismissed)
			}
		})
	}
}

func TestAReviewerThatFailsIsNoAnswer(t *testing.T) {
	for args, code := range map[string]int{"": 1, "--gate": 1, "--hook": 1, "--json --gate": 1, "--gate --json --require-approval": 2} {
		w := newWorld(t, "REVDIFF_BIN="+fake(t, "fails"))
		w.write("plan.md", gateText)
		g := w.gate(append([]string{"annotate", "plan.md"}, strings.Fields(args)...)...)
		g.said(code, "")
		if !strings.Contains(g.errors.String(), "boom: no such theme") {
			t.Errorf("%s: %q", args, &g.errors)
		}
	}
}

// A gate that ends without a decision says nothing, and what was written comes back.
func TestAnEndWithoutADecisionKeepsTheNotes(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(g *gateRun)
		code int // -1: it was killed
	}{
		"interrupted":    {func(g *gateRun) { g.signal(syscall.SIGINT) }, 130},
		"terminated":     {func(g *gateRun) { g.signal(syscall.SIGTERM) }, 143},
		"left by Ctrl+C": {func(g *gateRun) { g.Press("ctrl+c"); g.WaitFor("Leave?"); g.Press("ctrl+c") }, 130},
		"killed": {func(g *gateRun) {
			g.w.exists("home/data/gates/*/reviews/*/history/autosave*.json")
			g.signal(syscall.SIGKILL)
		}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			g := strictGate(w)
			g.review()
			g.note("why so?")
			c.end(g)
			_ = g.Wait()
			if code := g.cmd.ProcessState.ExitCode(); code != c.code || g.out.Len() > 0 {
				t.Errorf("code %d, want %d; standard output %q; standard error %q", code, c.code, &g.out, &g.errors)
			}
			if _, err := os.Stat(filepath.Join(w.dir, "out.json")); err == nil {
				t.Error("there is a result")
			}
			again := strictGate(w)
			again.review()
			again.WaitFor("1 note")
			again.card("Send annotations")
			again.Press("s")
			again.ended(1)
			if !strings.Contains(again.out.String(), "why so?") {
				t.Errorf("%q", &again.out)
			}
		})
	}
}

func TestNotesOfAClosedReviewComeBackOnTheChangedText(t *testing.T) {
	w := newWorld(t)
	g := strictGate(w)
	g.review()
	g.note("why so?")
	g.card("Close")
	g.Press("q")
	g.said(1, gateDismissed)
	w.write("plan.md", "Before it.\n\n"+gateText)
	g = w.gate("annotate", "plan.md")
	g.review()
	g.WaitFor("since you saw it last")
	g.WaitFor("1 note")
	g.Press("q")
	g.ended(0)
	if !strings.Contains(g.out.String(), "(line 3) Feedback on: \"# Plan\"\n> why so?") {
		t.Errorf("%q", &g.out)
	}
}

func TestAnApprovalIsOfTheBytesThatWereShown(t *testing.T) {
	w := newWorld(t)
	g := strictGate(w)
	g.review()
	w.write("plan.md", gateText+"3. And delete everything\n")
	g.card("Approve")
	g.Press("a")
	g.WaitFor("Nothing was approved")
	g.WaitFor("And delete everything")
	g.card("Close")
	g.Press("q")
	g.said(1, gateDismissed)
}

func TestAResultThatAppearsMeanwhileIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	g := strictGate(w)
	g.review()
	g.card("Approve")
	w.write("out.json", "mine")
	g.Press("a")
	g.said(2, gateApproved)
	if b, _ := os.ReadFile(filepath.Join(w.dir, "out.json")); string(b) != "mine" || !strings.Contains(g.errors.String(), "file exists") {
		t.Errorf("%q, %q", b, &g.errors)
	}
}

func TestACallerThatIsGoneGetsNoResultFile(t *testing.T) {
	w := newWorld(t)
	w.write("plan.md", gateText)
	cmd := w.command("annotate", "plan.md", "--gate", "--json", "--require-approval", "--result-file", "out.json")
	r, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	g := &gateRun{}
	cmd.Stdout, cmd.Stderr = pipe, &g.errors
	g.run = &run{Terminal: tuitest.Start(t, cmd, 80, 24), w: w, t: t, cmd: cmd}
	pipe.Close()
	g.reviewing()
	g.card("Approve")
	r.Close()
	g.Press("a")
	g.ended(2)
	if _, err := os.Stat(filepath.Join(w.dir, "out.json")); err == nil {
		t.Error("there is a result")
	}
	if again := execute(t, w.command("last-feedback")); again.out != gateApproved {
		t.Errorf("%q; %q", again.out, &g.errors)
	}
}

// fed runs a gate with a file on standard input. The terminal stays open besides, or
// its reader would take it for closed before the gate opens it.
func (w *world) fed(input string, args ...string) *gateRun {
	w.t.Helper()
	w.write("input", input)
	cmd := w.command(args...)
	cmd.Args = append([]string{"sh", "-c", `exec "$0" "$@" 3<&0 <input`, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	g := &gateRun{}
	cmd.Stdout, cmd.Stderr = &g.out, &g.errors
	g.run = &run{Terminal: tuitest.Start(w.t, cmd, 80, 24), w: w, t: w.t, cmd: cmd}
	return g
}

func TestTheTextMayComeFromStandardInput(t *testing.T) {
	g := newWorld(t).fed("# From a pipe\x1b[2J\n", "annotate", "-", "--gate")
	g.review()
	g.WaitFor("From a pipe␛[2J")
	g.card("Approve")
	g.Press("a")
	g.said(0, "The user approved.\n")
}

func TestAHookNamesTheFileOnStandardInput(t *testing.T) {
	w := newWorld(t)
	w.write("plan.md", gateText)
	g := w.fed(`{"tool_name":"Write","tool_input":{"file_path":"plan.md","content":"x"}}`, "annotate", "--hook")
	g.review()
	g.card("Approve")
	g.Press("a")
	g.said(0, "")
}

func TestAReviewWhoseTerminalClosedIsTakenUpInAnother(t *testing.T) {
	w := newWorld(t, "REVDIFF_BIN="+fake(t, "notes"))
	g := strictGate(w)
	g.armed("Decide on the file", "Approve")
	g.HangUp()
	again := w.gate("attach")
	again.armed("Decide on the file", "Approve")
	if g.out.Len() > 0 {
		t.Errorf("standard output before the decision: %q", &g.out)
	}
	again.Press("q")
	again.ended(0)
	_ = g.Wait()
	if code := g.cmd.ProcessState.ExitCode(); code != 1 || g.out.String() != `{"decision":"dismissed"}`+"\n" || again.out.Len() > 0 {
		t.Errorf("code %d, standard output %q, standard error %q; the other %q", code, &g.out, &g.errors, &again.out)
	}
	w.exists("home/data/gates/*/draft.json")
}

func TestAHostileNameAndTextReachTheTerminalAsText(t *testing.T) {
	w := newWorld(t)
	name := "evil\x1b]0;owned\a\x1b[31m.md"
	w.write(name, "# Title \x1b[2J\x1b]0;owned\a\u202e $(touch pwned) `touch pwned`\n")
	g := w.gate("annotate", name, "--gate", "--json")
	g.review()
	g.WaitFor("Title ␛[2J")
	if strings.Contains(g.Title(), "owned\a") || g.Title() == "owned" {
		t.Errorf("the title is %q", g.Title())
	}
	g.note("why so?")
	g.card("Send annotations")
	g.Press("s")
	g.ended(0)
	if s := g.out.String(); strings.Count(s, "\n") != 1 || !strings.Contains(s, "␛[2J") || strings.ContainsAny(strings.TrimSuffix(s, "\n"), "\x1b\a\n") {
		t.Errorf("%q", s)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "pwned")); err == nil {
		t.Error("the text was run")
	}
	missing := failing(t, w, "annotate", "no\x1b[31msuch.md")
	if missing != "File not found: nosuch.md\n" {
		t.Errorf("%q", missing)
	}
}

// failing is the standard error of a gate that fails.
func failing(t *testing.T, w *world, args ...string) string {
	t.Helper()
	cmd := w.command(args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err == nil {
		t.Error("it did not fail")
	}
	return errs.String()
}

func TestAPageOfTheOwnNetworkIsReadWhenAsked(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			out.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(out, "<title>The page</title><h1>Head of it</h1><p>Some text of the page.<script>evil()</script>")
		case "/loop":
			http.Redirect(out, r, "/loop", http.StatusFound)
		case "/image":
			out.Header().Set("Content-Type", "image/png")
		default:
			http.NotFound(out, r)
		}
	}))
	defer server.Close()
	w := newWorld(t)
	g := w.gate("annotate", server.URL+"/page", "--allow-private", "--gate")
	g.review()
	g.WaitFor("Some text of the page.")
	g.card("Approve")
	g.Press("a")
	g.said(0, "The user approved.\n")
	if g.errors.String() != "Fetching: "+server.URL+"/page\n" {
		t.Errorf("%q", &g.errors)
	}
	for path, want := range map[string]string{"/loop": "more than 10 redirects", "/image": "only HTML, plain text", "/none": "404 Not Found"} {
		if got := failing(t, w, "annotate", server.URL+path, "--allow-private"); !strings.Contains(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// A full-screen agent that runs us as a hook reads the same keys.
func TestATerminalThatAnAgentReadsIsNotDrawnOn(t *testing.T) {
	for args, code := range map[string]int{"--gate": 1, "--gate --json --require-approval": 2, "--gate --surface terminal": 0} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write("plan.md", gateText)
			cmd := w.command(append([]string{"annotate", "plan.md"}, strings.Fields(args)...)...)
			cmd.Args = append([]string{"sh", "-c", `stty raw -echo; "$0" "$@"; code=$?; stty -a | grep -q -- -icanon || code=99; stty sane; exit $code`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = "/bin/sh"
			g := &gateRun{}
			cmd.Stdout, cmd.Stderr = &g.out, &g.errors
			g.run = &run{Terminal: tuitest.Start(t, cmd, 80, 24), w: w, t: t, cmd: cmd}
			if code == 0 {
				g.review()
				g.card("Approve")
				g.Press("a")
			}
			_ = g.Wait()
			if got := cmd.ProcessState.ExitCode(); got != code || code > 0 && (g.out.Len() > 0 || !strings.Contains(g.errors.String(), "in use by another program")) {
				t.Errorf("code %d, want %d; standard output %q; standard error %q", got, code, &g.out, &g.errors)
			}
		})
	}
}
