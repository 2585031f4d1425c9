//go:build unix

package main_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"planmode/plan"
	"planmode/tui/tuitest"
)

// TestMain lets the test binary be a reviewer, and removes the program that the
// tests built.
func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeEnv); mode != "" {
		os.Exit(fakeReviewer(mode, os.Args[1:]))
	}
	if os.Getenv(shellEnv) != "" {
		os.Exit(actAsShell(os.Args[1:]))
	}
	flag.Parse()
	// These tests wait far more than they compute.
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(8 / tuitest.Patience))
	}
	code := m.Run()
	printTable(os.Stdout)
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// binary builds planmode once for all tests.
func binary(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "planmode-e2e-"); built.err != nil {
			return
		}
		args := append(append([]string{"build"}, buildFlags...), "-o", filepath.Join(built.dir, "planmode"), ".")
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build planmode: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.dir, "planmode")
}

// world is what a run of planmode sees: a home of its own, a small project, and
// an environment with nothing of the machine's in it.
type world struct {
	t    testing.TB
	base string
	home string
	dir  string // the project
	env  []string
}

func newWorld(t testing.TB, env ...string) *world {
	t.Helper()
	base := t.TempDir()
	w := &world{t: t, base: base, home: filepath.Join(base, "home"), dir: filepath.Join(base, "shop")}
	for _, dir := range []string{"tmp", "shop", "user"} {
		if err := os.Mkdir(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write("README.md", "# Shop\n\nA small shop that sells books.\n")
	w.write("go.mod", "module shop\n\ngo 1.26\n")
	w.write("main.go", "package main\n\nfunc main() {}\n")
	w.env = append([]string{
		"PLANMODE_HOME=" + w.home, "HOME=" + filepath.Join(base, "user"), "TMPDIR=" + filepath.Join(base, "tmp"),
		"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull,
	}, env...)
	w.git("init", "-q", "-b", "trunk")
	w.git("add", ".")
	w.git("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-qm", "Begin")
	return w
}

// git runs where there is git; planmode works without a repository, too.
func (w *world) git(args ...string) {
	w.t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		return
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w *world) write(name, content string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// command is planmode in the project, without a terminal yet.
func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.Command(binary(w.t), args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// run is planmode on a terminal.
type run struct {
	*tuitest.Terminal
	w   *world
	t   testing.TB
	cmd *exec.Cmd
}

// start runs planmode on a terminal of 80x24 and waits for its first screen.
func (w *world) start(args ...string) *run {
	w.t.Helper()
	r := w.open(args...)
	r.WaitFor("demo · manual")
	return r
}

func (w *world) open(args ...string) *run {
	w.t.Helper()
	cmd := w.command(args...)
	return &run{Terminal: tuitest.Start(w.t, cmd, 80, 24), w: w, t: w.t, cmd: cmd}
}

// say sends a message or a command from the empty composer.
func (r *run) say(text string) {
	r.t.Helper()
	r.Until("an empty composer", func(screen string) bool { return hasLine(screen, ">") })
	r.Type(text)
	r.WaitFor(lastWords(text))
	r.Press("enter")
}

// lastWords is what must be visible of a text that may be wrapped.
func lastWords(text string) string {
	runes := []rune(text)
	return strings.TrimSpace(string(runes[max(len(runes)-8, 0):]))
}

func hasLine(screen, line string) bool {
	for _, l := range strings.Split(screen, "\n") {
		if l == line {
			return true
		}
	}
	return false
}

// plan asks for a plan and waits until its first revision is being reviewed.
func (r *run) plan(goal string) {
	r.t.Helper()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say(goal)
	r.reviewing()
}

// reviewing waits until the built-in reviewer has the terminal.
func (r *run) reviewing() {
	r.t.Helper()
	r.Until("the reviewer", func(screen string) bool {
		begun := strings.Contains(screen, "q done") || strings.Contains(screen, "taken up again")
		return begun && r.Foreground() != r.cmd.Process.Pid
	})
}

// end ends the reviewer without notes, and waits for the card.
func (r *run) end() {
	r.t.Helper()
	r.Press("q")
	r.armed("Decide on the plan", "Approve Plan")
}

// armed waits for a dialog with a title until its rows take keys, which they show
// by brightness. One of the rows must be selected, or NO_COLOR could not tell.
func (r *run) armed(title, row string) {
	r.t.Helper()
	r.Until("an armed dialog "+title, func(screen string) bool {
		return strings.Contains(screen, title) && strings.Contains(screen, row) && r.Bright("❯")
	})
}

// note writes a note on the line of the cursor.
func (r *run) note(text string) {
	r.t.Helper()
	r.Press("a")
	r.WaitFor("Note on line")
	r.Type(text)
	r.WaitFor(lastWords(text))
	r.Press("enter")
	r.WaitFor("1 note")
}

// quit leaves and checks what every way out promises.
func (r *run) quit() string {
	r.t.Helper()
	r.say("/quit")
	r.ended(0)
	return r.Screen()
}

// ended waits for the end with an exit code, on a terminal as it was before.
func (r *run) ended(code int) {
	r.t.Helper()
	_ = r.Wait()
	state := r.cmd.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.t.Fatalf("planmode was killed by %s", status.Signal())
	}
	if state.ExitCode() != code {
		r.t.Errorf("exit code %d, want %d\n%s", state.ExitCode(), code, r.Screen())
	}
	r.sane()
}

// sane checks that nothing of planmode is left in the terminal.
func (r *run) sane() {
	r.t.Helper()
	if r.Alternate() {
		r.t.Error("the alternate screen is still on")
	}
	if modes := r.Modes(); len(modes) > 0 {
		r.t.Errorf("still on: %v", modes)
	}
	if _, _, shown := r.Cursor(); !shown {
		r.t.Error("the cursor is still hidden")
	}
	if got, want := r.Settings(), tuitest.FreshSettings(r.t); got != want {
		r.t.Errorf("the line settings are\n%s, want\n%s", got, want)
	}
}

// manifests are the plans on disk, oldest first.
func (w *world) manifests() []plan.Manifest {
	w.t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.home, "data", "plans", "*", "manifest.json"))
	if err != nil {
		w.t.Fatal(err)
	}
	var all []plan.Manifest
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			w.t.Fatal(err)
		}
		var m plan.Manifest
		if err := json.Unmarshal(raw, &m); err != nil {
			w.t.Fatalf("%s: %v", path, err)
		}
		all = append(all, m)
	}
	return all
}

// manifest is the only plan on disk.
func (w *world) manifest() plan.Manifest {
	w.t.Helper()
	all := w.manifests()
	if len(all) != 1 {
		w.t.Fatalf("%d plans on disk, want one", len(all))
	}
	return all[0]
}

// decisions are the kinds of the decisions on a plan, oldest first.
func decisions(m plan.Manifest) string {
	var kinds []string
	for _, d := range m.Decisions {
		kinds = append(kinds, fmt.Sprintf("r%d %s", d.Revision, d.Kind))
	}
	return strings.Join(kinds, ", ")
}

// decided waits for decisions on the only plan; they are not on the screen.
func (w *world) decided(want string) {
	w.t.Helper()
	got := ""
	if !eventually(func() bool { got = decisions(w.manifest()); return got == want || len(got) > len(want) }) || got != want {
		w.t.Fatalf("decisions on disk: %s; want %s", got, want)
	}
}

// exists waits for a file that a pattern below the world's directory matches.
func (w *world) exists(pattern string) {
	w.t.Helper()
	if !eventually(func() bool { found, _ := filepath.Glob(filepath.Join(w.base, pattern)); return len(found) > 0 }) {
		w.t.Fatalf("there is no %s", pattern)
	}
}

// eventually waits for what does not show on a screen.
func eventually(ok func() bool) bool {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(tuitest.Deadline); time.Now().Before(deadline); <-tick.C {
		if ok() {
			return true
		}
	}
	return false
}
