//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/store"
)

func TestServersAreStartedWhereTheSessionWorks(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	c := store.Config{MCP: map[string]store.Server{"here": {Command: []string{"/bin/sh", "-c", "echo here >> started"}}}}
	started := func(dir string) int {
		raw, _ := os.ReadFile(filepath.Join(dir, "started"))
		return strings.Count(string(raw), "here")
	}
	var s servers
	first := s.in(c, a)
	first.Wait(context.Background())
	if s.in(c, a) != first {
		t.Error("a new session in the same directory has other servers")
	}
	s.in(c, b).Wait(context.Background())
	s.close()
	if started(a) != 1 || started(b) != 1 {
		t.Errorf("started %d times in the first directory, %d in the second", started(a), started(b))
	}
}
