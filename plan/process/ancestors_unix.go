//go:build linux || darwin

package process

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"time"
)

// psPatience is how long the list of processes may take.
const psPatience = 2 * time.Second

// Ancestors are the ids of the processes above this one, nearest first, at most n.
// There are fewer when the system does not tell.
func Ancestors(ctx context.Context, n int) []int {
	parent := parentFromProc
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		parent = parentFromPS(ctx)
	}
	var out []int
	for pid := os.Getppid(); pid > 1 && len(out) < n; pid = parent(pid) {
		out = append(out, pid)
	}
	return out
}

// parentFromProc reads the fourth field of a process's stat; the second one, its
// name, is in parentheses and may hold anything.
func parentFromProc(pid int) int {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	up, _ := strconv.Atoi(fields[1])
	return up
}

// parentFromPS asks for all processes once.
func parentFromPS(ctx context.Context) func(int) int {
	up := map[int]int{}
	r, err := Run(ctx, Command{Path: "/bin/ps", Args: []string{"-eo", "pid=,ppid="}, Env: os.Environ(), Timeout: psPatience, Limit: 1 << 20})
	if err == nil && r.Code == 0 {
		for line := range strings.Lines(string(r.Output)) {
			if f := strings.Fields(line); len(f) == 2 {
				pid, _ := strconv.Atoi(f[0])
				up[pid], _ = strconv.Atoi(f[1])
			}
		}
	}
	return func(pid int) int { return up[pid] }
}
