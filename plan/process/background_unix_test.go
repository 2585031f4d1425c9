//go:build unix

package process

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func shell(script string) Command {
	return Command{Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"PATH=" + os.Getenv("PATH")}}
}

func TestRunReportsHowTheChildEnded(t *testing.T) {
	for _, c := range []struct {
		name, script, output, signal string
		code                         int
	}{
		{"a child that succeeds", "echo out; echo err >&2", "out\nerr\n", "", 0},
		{"a child that fails", "exit 7", "", "", 7},
		{"a child that dies of a signal", "kill -TERM $$", "", "SIGTERM", -1},
		{"standard input is empty, not ours", "cat; echo end", "end\n", "", 0},
		{"there is no terminal to reach", "(: </dev/tty) 2>/dev/null || echo none", "none\n", "", 0},
		{"nothing of our environment but what was given", "echo ${HOME-unset}", "unset\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Run(t.Context(), shell(c.script))
			if err != nil {
				t.Fatal(err)
			}
			if string(res.Output) != c.output || res.Code != c.code || res.Signal != c.signal {
				t.Errorf("got %q, code %d, signal %q", res.Output, res.Code, res.Signal)
			}
		})
	}
}

func TestRunLeadsASessionOfItsOwn(t *testing.T) {
	res, err := Run(t.Context(), shell(`echo $$ $(ps -o sid= -p $$)`))
	if err != nil || res.Code != 0 {
		t.Fatalf("run: %v, code %d", err, res.Code)
	}
	fields := strings.Fields(string(res.Output))
	if len(fields) == 2 && fields[0] != fields[1] {
		t.Errorf("pid %s is in session %s", fields[0], fields[1])
	}
}

// gone waits for the process whose id the child wrote to be no more.
func gone(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); ; {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) || zombie(pid) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
		syscall.Select(0, nil, nil, nil, &syscall.Timeval{Usec: 5000})
	}
}

// zombie says whether the process only waits for a parent that never asks, as
// orphans do in a container without an init.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && bytes.Contains(b, []byte(") Z "))
}

func TestRunStopsTheWholeGroup(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	start := func(script string) Command {
		return shell(strings.ReplaceAll(script, "PID", pid))
	}
	t.Run("at the timeout", func(t *testing.T) {
		c := start(`sleep 60 & echo $! > PID; wait`)
		c.Timeout = 200 * time.Millisecond
		res, err := Run(t.Context(), c)
		if err != nil || !res.TimedOut || res.Signal != "SIGTERM" {
			t.Fatalf("got %+v, %v", res, err)
		}
		gone(t, pid)
	})
	t.Run("when the context ends, with the output so far", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := start(`sleep 60 & echo $! > PID; echo started; wait`)
		c.Output = func([]byte) { cancel() }
		res, err := Run(ctx, c)
		if !errors.Is(err, context.Canceled) || string(res.Output) != "started\n" {
			t.Fatalf("got %q, %v", res.Output, err)
		}
		gone(t, pid)
	})
	t.Run("even when it ignores the polite signal", func(t *testing.T) {
		c := start(`trap '' TERM; echo $$ > PID; while :; do sleep 1; done`)
		c.Timeout = 100 * time.Millisecond
		res, err := Run(t.Context(), c)
		if err != nil || !res.TimedOut || res.Signal != "SIGKILL" {
			t.Fatalf("got %+v, %v", res, err)
		}
		gone(t, pid)
	})
	t.Run("when the child leaves somebody behind who holds the output", func(t *testing.T) {
		res, err := Run(t.Context(), start(`sleep 60 & echo $! > PID; echo done`))
		if err != nil || string(res.Output) != "done\n" || res.Code != 0 {
			t.Fatalf("got %+v, %v", res, err)
		}
		if res.Elapsed > 10*time.Second {
			t.Errorf("took %v", res.Elapsed)
		}
		gone(t, pid)
	})
}

func TestWhatAShellRanGetsTimeToCleanUp(t *testing.T) {
	c := shell(`sh -c 'trap "sleep 0.2; echo cleaned; exit" TERM; echo ready; sleep 60 & wait'; echo never`)
	ctx, cancel := context.WithCancel(t.Context())
	c.Output = func([]byte) { cancel() }
	res, err := Run(ctx, c)
	if !errors.Is(err, context.Canceled) || string(res.Output) != "ready\ncleaned\n" {
		t.Errorf("got %q, %v", res.Output, err)
	}
}

func TestRunReturnsWhenSomebodyLeftTheGroupWithTheOutput(t *testing.T) {
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Skip("this platform has no setsid command")
	}
	began := time.Now()
	res, err := Run(t.Context(), shell(`setsid sleep 5 & echo done`))
	if err != nil || string(res.Output) != "done\n" {
		t.Fatalf("got %+v, %v", res, err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("waited %v for a process that is not ours any more", took)
	}
}

func TestRunKeepsErrorsApartWhenAsked(t *testing.T) {
	c := shell("echo out; echo err >&2")
	c.Split = true
	res, err := Run(t.Context(), c)
	if err != nil || string(res.Output) != "out\n" || string(res.Stderr) != "err\n" {
		t.Fatalf("got %q and %q, %v", res.Output, res.Stderr, err)
	}
}

func TestRunBoundsTheOutputAndStreamsAll(t *testing.T) {
	var streamed int
	c := shell("printf head; i=0; while [ $i -lt 500 ]; do echo 0123456789; i=$((i+1)); done; printf tail")
	c.Limit = 100
	c.Output = func(p []byte) { streamed += len(p) }
	res, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Output)+len(res.Tail) != 100 || res.Cut != 5508-100 || streamed != 5508 {
		t.Errorf("kept %d, cut %d, streamed %d", len(res.Output)+len(res.Tail), res.Cut, streamed)
	}
	if !bytes.HasPrefix(res.Output, []byte("head0123")) || !bytes.HasSuffix(res.Tail, []byte("789\ntail")) {
		t.Errorf("kept %q and %q", res.Output, res.Tail)
	}
}

func TestRunErrors(t *testing.T) {
	if _, err := Run(t.Context(), Command{Path: "/nowhere/at/all"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing program: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, shell("exit 0")); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}
