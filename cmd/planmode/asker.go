package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"

	"planmode/plan/text"
)

// askers are the agents that are known by a variable which they give their children.
var askers = []struct{ variable, name string }{
	{"CODEX_THREAD_ID", "Codex"}, {"COPILOT_CLI", "Copilot CLI"}, {"OPENCODE", "OpenCode"}, {"GEMINI_CLI", "Gemini CLI"},
	{"QWEN_CODE", "Qwen Code"}, {"CLAUDECODE", "Claude Code"},
}

// asker says who asked for a review, for the person.
func asker(getenv func(string) string) string {
	for _, a := range askers {
		if getenv(a.variable) != "" {
			return a.name
		}
	}
	if runtime.GOOS != "linux" {
		return fmt.Sprintf("process %d", os.Getppid())
	}
	comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", os.Getppid()))
	if err != nil {
		return fmt.Sprintf("process %d", os.Getppid())
	}
	return fmt.Sprintf("%s (process %d)", text.Line(string(bytes.TrimSpace(comm))), os.Getppid())
}
