package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"planmode/plan"
	"planmode/store"
)

// TestMain lets the test binary stand in for a second planmode.
func TestMain(m *testing.M) {
	home, task := os.Getenv("STORE_TEST_HOME"), os.Getenv("STORE_TEST_TASK")
	if task == "" {
		os.Exit(m.Run())
	}
	s, err := store.Open(dirsIn(home), store.Options{})
	if err == nil {
		err = secondProcess(s, task)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func secondProcess(s *store.Store, task string) error {
	what, arg, _ := strings.Cut(task, " ")
	if what == "hold" {
		if _, err := s.OpenLog(arg); err != nil {
			return err
		}
		fmt.Println("ready")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		return nil
	}
	if what == "config" {
		c, _ := store.LoadConfig(s.Dirs())
		fmt.Println(c.ContentLanguage)
		return nil
	}
	for i := range 5 {
		if _, _, err := s.Submit(next(plan.ID(arg), 1, fmt.Sprintf("# %d by %s\n", i, what))); err != nil {
			return err
		}
	}
	return nil
}

func second(home, task string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TEST_HOME="+home, "STORE_TEST_TASK="+task)
	return cmd
}

func TestTwoProcessesSubmit(t *testing.T) {
	home := t.TempDir()
	m, _ := submit(t, openIn(t, home, store.Options{}), first("# One\n"))
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Go(func() {
			if out, err := second(home, name+" "+string(m.PlanID)).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	if n := currentOf(t, openIn(t, home, store.Options{}), m.PlanID); n != 11 {
		t.Errorf("the plan is at r%d, want r11", n)
	}
}

func TestTwentyProcessesSubmitToOnePlan(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{})
	m, _ := submit(t, s, first("# One\n"))
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			if out, err := second(home, fmt.Sprintf("p%d %s", n, m.PlanID)).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	m, err := s.Manifest(m.PlanID)
	if err != nil || m.CurrentRevision != 101 || len(m.Revisions) != 101 {
		t.Fatalf("%d revisions, the last is r%d, %v", len(m.Revisions), m.CurrentRevision, err)
	}
	texts := map[string]bool{}
	for i, r := range m.Revisions {
		b, err := s.Revision(plan.Ref{Plan: m.PlanID, Revision: r.Revision, Hash: r.Hash})
		if err != nil || r.Revision != i+1 || texts[string(b)] {
			t.Errorf("r%d at %d: %q, %v", r.Revision, i+1, b, err)
		}
		texts[string(b)] = true
	}
}

func TestManyProcessesMigrateTheConfiguration(t *testing.T) {
	home := t.TempDir()
	openIn(t, home, store.Options{})
	if err := os.MkdirAll(dirsIn(home).Config, 0o700); err != nil {
		t.Fatal(err)
	}
	legacy := filepath.Join(dirsIn(home).Config, "plan-mode.json")
	if err := os.WriteFile(legacy, []byte(`{"contentLanguage":"zh-CN"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if out, err := second(home, "config").CombinedOutput(); err != nil || string(out) != "zh-CN\n" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
}

func TestAKilledProcessLetsGoOfItsSession(t *testing.T) {
	home := t.TempDir()
	written(t, home)
	cmd := second(home, "hold "+sessionID)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the second process said %q", line)
	}
	s := openIn(t, home, store.Options{})
	_, err = s.OpenLog(sessionID)
	var held *store.HeldError
	if !errors.As(err, &held) || held.PID != cmd.Process.Pid {
		t.Errorf("got %v, want it held by %d", err, cmd.Process.Pid)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	l, err := s.OpenLog(sessionID)
	if err != nil {
		t.Fatalf("after the kill: %v", err)
	}
	_ = l.Close()
}

func TestAFileSystemWithoutHardLinks(t *testing.T) {
	home := t.TempDir()
	s := openIn(t, home, store.Options{Probe: func(step store.Step) error {
		if step.Op == store.OpLink {
			return syscall.EPERM
		}
		return nil
	}})
	m, _ := submit(t, s, first("# One\n"))
	submit(t, s, next(m.PlanID, 1, "# Two\n"))
	intact(t, home, m.PlanID, 2, "# One\n", "# Two\n")
}
