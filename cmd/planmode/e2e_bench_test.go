//go:build unix

package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
	"planmode/tui/tuitest"
)

// These benchmarks measure the real program on a pseudo-terminal, from outside.
// What they find is printed at the end as a table with the budget beside it.

// figure is a line of the table.
type figure struct {
	what   string
	unit   string
	value  float64
	budget float64 // negative for what is only to compare with
}

var table struct {
	mu      sync.Mutex
	figures []figure
}

// report adds a figure to the table, in place of an earlier one: a benchmark is
// run more than once. What follows a hyphen in a unit only keeps the metrics of
// one benchmark apart.
func report(b *testing.B, what, unit string, value, budget float64) {
	b.Helper()
	b.ReportMetric(value, unit)
	table.mu.Lock()
	defer table.mu.Unlock()
	unit, _, _ = strings.Cut(unit, "-")
	f := figure{what, unit, value, budget}
	if i := slices.IndexFunc(table.figures, func(f figure) bool { return f.what == what }); i >= 0 {
		table.figures[i] = f
		return
	}
	table.figures = append(table.figures, f)
}

func printTable(w io.Writer) {
	if len(table.figures) == 0 {
		return
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "measured\tbudget\t\t ")
	for _, f := range table.figures {
		verdict := "ok"
		switch {
		case f.budget < 0:
			fmt.Fprintf(out, "%.1f %s\t\t\t  %s\n", f.value, f.unit, f.what)
			continue
		case f.value > f.budget:
			verdict = "OVER"
		}
		fmt.Fprintf(out, "%.1f %s\t%.0f %s\t%s\t  %s\n", f.value, f.unit, f.budget, f.unit, verdict, f.what)
	}
	_ = out.Flush()
}

// spread is a series of durations.
type spread []time.Duration

func (s spread) quantile(q float64) float64 {
	sorted := slices.Clone(s)
	slices.Sort(sorted)
	return float64(sorted[min(int(float64(len(sorted))*q), len(sorted)-1)].Microseconds()) / 1000
}

func (s spread) median() float64 { return s.quantile(0.5) }

// BenchmarkMachine is for comparing: what the same measurement gives for a
// program that does nothing. On a quiet machine it is about 2 ms.
func BenchmarkMachine(b *testing.B) {
	var times spread
	for b.Loop() {
		begun := time.Now()
		s := tuitest.Start(b, exec.Command("/bin/sh", "-c", "echo ready"), 80, 24)
		s.WaitFor("ready")
		times = append(times, time.Since(begun))
		_ = s.Wait()
	}
	report(b, "a shell that says one word, median", "ms", times.median(), -1)
	report(b, "a shell that says one word, 99 of 100", "ms-p99", times.quantile(0.99), -1)
}

func BenchmarkLaunch(b *testing.B) {
	w := newWorld(b)
	w.start().quit() // the disk is warm
	var times spread
	var total, own float64
	var busy time.Duration
	for b.Loop() {
		begun := time.Now()
		r := w.start()
		r.WaitFor("Say what you want done.")
		times = append(times, time.Since(begun))
		total, own = resident(r.cmd.Process.Pid)
		busy += cpu(r.cmd.Process.Pid)
		b.StopTimer()
		r.quit()
		b.StartTimer()
	}
	report(b, "launch to first full frame, median", "ms", times.median(), 60)
	report(b, "processor time of it, on average", "ms-cpu", busy.Seconds()*1000/float64(len(times)), -1)
	if total > 0 {
		report(b, "resident after launch", "MB", total, 50)
		report(b, "resident after launch, our own", "MB-own", own, 15)
	}
}

// resident is the memory of a process and the part of it that no file backs, in
// MB; zero where there is no /proc.
func resident(pid int) (total, own float64) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	value := func(name string) float64 {
		_, rest, _ := strings.Cut(string(raw), "\n"+name+":")
		kb, _ := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
		return kb / 1024
	}
	return value("VmRSS"), value("RssAnon")
}

func BenchmarkKeyToFrame(b *testing.B) {
	r := newWorld(b).start()
	r.WaitFor("Say what you want done.")
	var times spread
	for n := 0; b.Loop(); n++ {
		digit := strconv.Itoa(n % 10)
		begun := time.Now()
		r.Type(digit)
		r.WaitFor("> " + digit)
		times = append(times, time.Since(begun))
		r.Press("backspace")
		r.WaitGone("> " + digit)
	}
	report(b, "key to frame, median", "ms", times.median(), 16)
	report(b, "key to frame, 99 of 100", "ms-p99", times.quantile(0.99), 16)
	r.quit()
}

func BenchmarkIdle(b *testing.B) {
	const rest = 10 * time.Second
	r := newWorld(b).start()
	r.say("/plan on")
	r.WaitFor("Describe the goal")
	pause(2 * time.Second) // what was just said fades
	var bytes int
	var busy time.Duration
	for b.Loop() {
		before, used := r.Bytes(), cpu(r.cmd.Process.Pid)
		pause(rest)
		bytes, busy = r.Bytes()-before, cpu(r.cmd.Process.Pid)-used
	}
	report(b, "idle, output in 10 s", "bytes", float64(bytes), 0)
	report(b, "idle, of a core", "%", 100*busy.Seconds()/rest.Seconds(), 2)
	r.quit()
}

// pause lets time pass, which is what is measured here.
func pause(d time.Duration) {
	timer := time.NewTimer(d)
	<-timer.C
}

// cpu is the processor time of a process; zero where there is no /proc.
func cpu(pid int) time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func BenchmarkReview(b *testing.B) {
	var opened, decided, approved spread
	stamps := filepath.Join(b.TempDir(), "ended")
	for b.Loop() {
		w := newWorld(b)
		r := w.start()
		r.plan("Add a shopping cart")
		opened = append(opened, time.Since(w.submitted()))
		r.signal(syscall.SIGTERM)
		_ = r.Wait()

		w = newWorld(b, "REVDIFF_BIN="+fake(b, "waits"), "PLANMODE_E2E_STAMP="+stamps)
		r = w.start()
		r.say("/plan on")
		r.WaitFor("PLAN MODE · READ-ONLY")
		r.say("Add a shopping cart")
		r.WaitFor("FAKE REVIEWER")
		r.Press("enter")
		r.WaitFor("Decide on the plan")
		shown := time.Now()
		raw, err := os.ReadFile(stamps)
		if err != nil {
			b.Fatal(err)
		}
		nanos, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		decided = append(decided, shown.Sub(time.Unix(0, nanos)))
		r.armed("Decide on the plan", "Approve Plan")
		begun := time.Now()
		r.Press("a")
		r.WaitFor("IMPLEMENTING")
		approved = append(approved, time.Since(begun))
		r.signal(syscall.SIGTERM)
		_ = r.Wait()
	}
	report(b, "plan submitted to reviewer on screen, median", "ms-open", opened.median(), 60)
	report(b, "reviewer's end to the card, median", "ms-card", decided.median(), 20)
	report(b, "approval to IMPLEMENTING, median", "ms-approval", approved.median(), 20)
}

// submitted is when the plan was handed in, as the log says.
func (w *world) submitted() time.Time {
	w.t.Helper()
	logs, _ := filepath.Glob(filepath.Join(w.home, "data", "sessions", "*", "*.jsonl"))
	for _, path := range logs {
		f, err := os.Open(path)
		if err != nil {
			w.t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var e struct {
				Kind plan.Kind `json:"kind"`
				At   plan.Time `json:"at"`
				Name string    `json:"name"`
			}
			if json.Unmarshal(lines.Bytes(), &e) == nil && e.Kind == tree.KindToolCall && e.Name == "submit_plan" {
				return e.At.Time
			}
		}
	}
	w.t.Fatal("no plan was handed in")
	return time.Time{}
}

func BenchmarkResume(b *testing.B) {
	for _, entries := range []int{50_000, 100_000} {
		b.Run(strconv.Itoa(entries), func(b *testing.B) {
			w := newWorld(b)
			w.fill(entries)
			var times spread
			var total float64
			var busy time.Duration
			for b.Loop() {
				begun := time.Now()
				r := w.start("--continue")
				r.WaitFor(fmt.Sprintf("Answer %d.", entries-1))
				times = append(times, time.Since(begun))
				total, _ = resident(r.cmd.Process.Pid)
				busy += cpu(r.cmd.Process.Pid)
				b.StopTimer()
				r.quit()
				b.StartTimer()
			}
			if entries == 50_000 {
				report(b, "resume 50,000 entries, median", "ms", times.median(), 500)
				report(b, "processor time of the resume, on average", "ms-cpu", busy.Seconds()*1000/float64(len(times)), -1)
			} else if total > 0 {
				report(b, "resident with 100,000 entries", "MB", total, 140)
			}
		})
	}
}

// fill makes a session of n entries.
func (w *world) fill(n int) {
	w.t.Helper()
	dirs, err := store.Locate(func(name string) string {
		if name == "PLANMODE_HOME" {
			return w.home
		}
		return ""
	})
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := store.Open(dirs, store.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	log, err := s.CreateLog(tree.Header{Cwd: w.dir})
	if err != nil {
		w.t.Fatal(err)
	}
	defer log.Close()
	parent := plan.EntryID("")
	for i := range n {
		kind, body := tree.KindUser, any(tree.User{Text: fmt.Sprintf("Question %d?", i)})
		if i%2 == 1 {
			kind, body = tree.KindAssistant, tree.Assistant{Text: fmt.Sprintf("Answer %d. It is **short** and has a list.\n\n- one\n- two\n", i)}
		}
		id := plan.EntryID(fmt.Sprintf("%012x", i+1))
		e, err := tree.New(id, parent, plan.Stamp(time.Unix(int64(1_700_000_000+i), 0)), kind, body)
		if err == nil {
			err = log.Append(e)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		parent = id
	}
}

// BenchmarkOpen measures the built-in reviewer by itself, from exec to its first
// full frame, on one plan and on the changes between two.
func BenchmarkOpen(b *testing.B) {
	for lines, budget := range map[int]float64{400: 80, 5_000: 150, 50_000: 1000} {
		b.Run(strconv.Itoa(lines), func(b *testing.B) {
			w := newWorld(b)
			old, now := planOf(lines, 0), planOf(lines, 1)
			w.write("plan-r1.md", old)
			w.write("plan-r2.md", now)
			w.write("rich.md", richPlan(lines))
			only := []string{"--only=" + filepath.Join(w.dir, "plan-r2.md")}
			rich := []string{"--only=" + filepath.Join(w.dir, "rich.md")}
			both := []string{"--compare-old=" + filepath.Join(w.dir, "plan-r1.md"), "--compare-new=" + filepath.Join(w.dir, "plan-r2.md")}
			var one, two, three spread
			for b.Loop() {
				one = append(one, w.opens(only))
				three = append(three, w.opens(rich))
				two = append(two, w.opens(both))
			}
			report(b, fmt.Sprintf("open a plan of %d lines, median", lines), "ms-plan", one.median(), budget)
			report(b, fmt.Sprintf("open a plan of %d lines full of tables and code, median", lines), "ms-rich", three.median(), budget)
			report(b, fmt.Sprintf("open the changes of %d lines, median", lines), "ms-changes", two.median(), budget)
		})
	}
}

func (w *world) opens(args []string) time.Duration {
	cmd := w.command(append([]string{"reviewer"}, args...)...)
	begun := time.Now()
	s := tuitest.Start(w.t, cmd, 80, 24)
	s.WaitFor("q done")
	took := time.Since(begun)
	s.Press("q")
	_ = s.Wait()
	return took
}

// planOf is a plan of n lines, every tenth of which differs from one edition to
// the next.
func planOf(n, edition int) string {
	var b strings.Builder
	for i := range n {
		switch {
		case i%40 == 0:
			fmt.Fprintf(&b, "## Part %d\n", i/40)
		case i%10 == 3:
			fmt.Fprintf(&b, "- Change `file%d.go` so that edition %d of the **service** answers in time\n", i, edition)
		default:
			fmt.Fprintf(&b, "Line %d says what is to be done about the thing that line %d left open.\n", i, i-1)
		}
	}
	return b.String()
}

// richPlan is a plan of n lines of everything that takes long to draw.
func richPlan(n int) string {
	var b strings.Builder
	for i := 0; i < n; i += 16 {
		fmt.Fprintf(&b, "## Part %d\n\nProse with **bold**, `code` and a [link](https://example.org/%d), filled to\n", i/16, i)
		fmt.Fprintf(&b, "a column, so that two lines of the file are one text here.\n\n- an item\n  - [x] done\n\n")
		fmt.Fprintf(&b, "| field | meaning |\n|-------|--------:|\n| timeout | 一个请求最长可以等待多久 |\n\n")
		fmt.Fprintf(&b, "```go\nfunc part%d() error { return nil }\n```\n\n", i/16)
	}
	return b.String()
}

// BenchmarkReviewerKeys measures the built-in reviewer on a plan of 50,000 lines:
// a key to its frame, and its memory.
func BenchmarkReviewerKeys(b *testing.B) {
	w := newWorld(b)
	w.write("plan-r1.md", planOf(50_000, 0))
	w.write("plan-r2.md", planOf(50_000, 1))
	for name, args := range map[string][]string{
		"plan":    {"--only=" + filepath.Join(w.dir, "plan-r2.md")},
		"changes": {"--compare-old=" + filepath.Join(w.dir, "plan-r1.md"), "--compare-new=" + filepath.Join(w.dir, "plan-r2.md")},
	} {
		b.Run(name, func(b *testing.B) {
			cmd := w.command(append([]string{"reviewer"}, args...)...)
			s := tuitest.Start(b, cmd, 120, 40)
			s.WaitFor("q done")
			var times spread
			for n := 0; b.Loop(); n++ {
				begun := time.Now()
				s.Type("L") // which draws every row anew
				s.WaitFor("line numbers " + []string{"on", "off"}[n%2])
				times = append(times, time.Since(begun))
			}
			total, _ := resident(cmd.Process.Pid)
			report(b, "reviewer on the "+name+" of 50,000 lines, key to frame, 99 of 100", "ms-p99", times.quantile(0.99), 16)
			if total > 0 {
				report(b, "reviewer on the "+name+" of 50,000 lines, resident", "MB", total, 100)
			}
			s.Press("q")
			_ = s.Wait()
		})
	}
}
