//go:build unix

package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/tui/tuitest"
)

const gateText = "# Plan\n\n1. Do it\n2. Test it\n"

// gateFeedback is what a note on the first line comes to.
var gateFeedback = gate.Feedback(gate.Review{Subject: gate.SubjectFile, Notes: []plan.Annotation{{Line: 1, Quote: "# Plan", Body: "why so?"}}})

// gateRun is planmode as a gate: its terminal is a terminal, its standard output is
// a pipe.
type gateRun struct {
	*run
	out, errors stream
}

// stream is what a process writes, to be read while it does.
type stream struct {
	mu      sync.Mutex
	written bytes.Buffer
}

// Write implements io.Writer.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.Write(p)
}

// String is all that was written.
func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}

// Len is how much that is.
func (s *stream) Len() int { return len(s.String()) }

func (w *world) gate(args ...string) *gateRun {
	w.t.Helper()
	cmd := w.command(args...)
	g := &gateRun{}
	cmd.Stdout, cmd.Stderr = &g.out, &g.errors
	g.run = &run{Terminal: tuitest.Start(w.t, cmd, 80, 24), w: w, t: w.t, cmd: cmd}
	return g
}

// review waits for the reviewer and checks that nothing was said before a decision.
func (g *gateRun) review() {
	g.t.Helper()
	g.reviewing()
	if g.out.Len() > 0 {
		g.t.Errorf("standard output before the decision: %q", &g.out)
	}
}

// acts are what a person does, by name; approvable says that the card has the row.
var gateActs = map[string]func(g *gateRun, f gate.Format){
	"approve": func(g *gateRun, _ gate.Format) { g.card("Approve"); g.Press("a") },
	"approve with notes": func(g *gateRun, f gate.Format) {
		g.note("why so?")
		g.card("Approve")
		g.Press("a")
		g.armed("What becomes of your 1 note?", "Send them")
		if f.CarriesNotes() {
			g.Press("n")
			return
		}
		g.WaitFor("hears of an approval only")
		g.Press("d")
	},
	"close": func(g *gateRun, _ gate.Format) { g.card("Close"); g.Press("q") },
	"annotate": func(g *gateRun, f gate.Format) {
		g.note("why so?")
		if !f.CanApprove() {
			g.Press("q")
			return
		}
		g.card("Send annotations")
		g.Press("s")
	},
}

// card ends the reading of a file and waits for the armed card.
func (g *gateRun) card(row string) {
	g.t.Helper()
	g.cardOf("file", row)
}

func TestEveryCellOfTheGate(t *testing.T) {
	outcomes := map[string]gate.Outcome{
		"approve": {Approved: true}, "approve with notes": {Approved: true, Feedback: gateFeedback},
		"close": {Exit: true}, "annotate": {Feedback: gateFeedback},
	}
	for _, c := range []struct {
		flags  string
		format gate.Format
	}{
		{"", gate.Format{}}, {"--json", gate.Format{JSON: true}}, {"--gate", gate.Format{Gate: true}},
		{"--gate --json", gate.Format{Gate: true, JSON: true}}, {"--hook", gate.Format{Hook: true}}, {"--json --hook --gate", gate.Format{Gate: true, JSON: true, Hook: true}},
	} {
		for name, act := range gateActs {
			if strings.HasPrefix(name, "approve") && !c.format.CanApprove() {
				continue
			}
			t.Run(strings.TrimSpace(c.flags+" "+name), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.write("plan.md", gateText)
				g := w.gate(append([]string{"annotate", "plan.md"}, strings.Fields(c.flags)...)...)
				g.review()
				act(g, c.format)
				g.ended(0)
				want := ""
				if line, ok := gate.Record(outcomes[name], c.format); ok {
					want = line + "\n"
				}
				if g.out.String() != want || g.errors.Len() > 0 {
					t.Errorf("standard output %q, want %q; standard error %q", &g.out, want, &g.errors)
				}
				again := execute(t, w.command("last-feedback", "plan.md"))
				if again.out != want || again.code != 0 {
					t.Errorf("given again: %q", again.out)
				}
			})
		}
	}
}

func TestAStrictGate(t *testing.T) {
	for name, c := range map[string]struct {
		act  string
		args string
		code int
	}{
		"approved, options in front":          {"approve", "--require-approval --result-file out.json annotate --gate --json plan.md", 0},
		"approved, options after":             {"approve", "annotate plan.md --gate --json --require-approval --result-file out.json", 0},
		"approved with notes":                 {"approve with notes", "annotate --gate --result-file out.json --json plan.md --require-approval", 0},
		"annotated":                           {"annotate", "annotate --gate --json --require-approval plan.md --result-file out.json", 1},
		"closed":                              {"close", "annotate --require-approval --gate --json --result-file out.json plan.md", 1},
		"closed, with a result file alone":    {"close", "annotate --gate --json --result-file out.json plan.md", 0},
		"annotated, with a result file alone": {"annotate", "annotate plan.md --result-file out.json --gate --json", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write("plan.md", gateText)
			g := w.gate(strings.Fields(c.args)...)
			g.review()
			gateActs[c.act](g, gate.Format{Gate: true, JSON: true})
			g.ended(c.code)
			path := filepath.Join(w.dir, "out.json")
			got, err := os.ReadFile(path)
			if err != nil || string(got) != g.out.String() || len(got) == 0 {
				t.Errorf("the file holds %q, %v; standard output %q", got, err, &g.out)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			if left, _ := filepath.Glob(filepath.Join(w.dir, ".*.tmp")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestAGateThatCannotStartSaysNothingOnStandardOutput(t *testing.T) {
	w := newWorld(t)
	w.write("plan.md", gateText)
	w.write("there.json", "mine")
	w.write("code.go", "package x\n")
	w.write("big.md", strings.Repeat("0123456789abcde\n", 1<<17)+"x")
	for _, dir := range []string{"a", "b", "empty"} {
		if err := os.Mkdir(filepath.Join(w.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write("a/same.md", "a")
	w.write("b/same.md", "b")
	if err := syscall.Mkfifo(filepath.Join(w.dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"nope.md":                 "File not found: nope.md",
		"code.go":                 "File type not supported: .go",
		"big.md":                  "File too large to annotate (max 2MB): ",
		"same.md":                 "Ambiguous filename \"same.md\" — found 2 matches:",
		"empty":                   "No annotatable files (markdown, plain-text, config, or HTML) found in ",
		"pipe.md":                 "Not a regular file: ",
		"http://127.0.0.1:9/x":    "Failed to fetch URL: http://127.0.0.1:9/x: the page is not read: it is not a public address",
		"--no-jna plan.md":        "File not found: --no-jna",
		"--gate --gate plan.md":   "File not found: --gate",
		"plan.md a/same.md":       "Ambiguous annotate arguments: 2 of them each resolve to an existing target.",
		"":                        "Usage: planmode annotate ",
		"read the doc --json":     "Could not resolve the arguments below",
		"plan.md (without a tty)": "no terminal to show the review on",
		"nope.md --result-file there.json --gate --json":    "Result file already exists: ",
		"nope.md --result-file no/there.json --gate --json": "Result file parent does not exist: ",
		"plan.md --require-approval":                        "--require-approval and --result-file require --gate --json",
		"plan.md and more --gate --json --require-approval": "--require-approval and --result-file take exactly one target",
	} {
		t.Run(args, func(t *testing.T) {
			words := append([]string{"annotate"}, strings.Fields(strings.TrimSuffix(args, " (without a tty)"))...)
			cmd := w.command(words...)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			_ = cmd.Run()
			code := 1
			if strings.Contains(args, "--re") {
				code = 2
			}
			if cmd.ProcessState.ExitCode() != code || out.Len() > 0 || !strings.Contains(errs.String(), want) {
				t.Errorf("code %d, want %d; standard output %q; standard error %q, want %q", cmd.ProcessState.ExitCode(), code, &out, &errs, want)
			}
		})
	}
}

func TestProseWithoutATargetIsExplainedToTheAgent(t *testing.T) {
	w := newWorld(t)
	cmd := w.command("annotate", "please", "look", "at", "it", "--markdown")
	out, err := cmd.Output()
	if err != nil || !strings.HasPrefix(string(out), "Could not resolve the arguments below to a file, URL, or folder; nothing in them matches an existing path:\n\n  please\n  look\n") || !strings.Contains(string(out), " --markdown\n") {
		t.Errorf("%v\n%s", err, out)
	}
}
