//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"planmode/plan"
	"planmode/tui/tuitest"
)

// mcpRun is planmode as an MCP server of an agent: it reads a pipe, writes a pipe, and
// has a terminal for the person.
type mcpRun struct {
	*gateRun
	in   *os.File
	last int
}

func (w *world) mcp() *mcpRun {
	w.t.Helper()
	fifo := filepath.Join(w.base, "agent")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		w.t.Fatal(err)
	}
	in, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { in.Close() })
	cmd := w.command("mcp", "--surface", "terminal")
	cmd.Args = append([]string{"sh", "-c", `fifo=$1; shift; exec "$0" "$@" 3<&0 <"$fifo"`, cmd.Path, fifo}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	g := &gateRun{}
	cmd.Stdout, cmd.Stderr = &g.out, &g.errors
	g.run = &run{Terminal: tuitest.Start(w.t, cmd, 80, 24), w: w, t: w.t, cmd: cmd}
	m := &mcpRun{gateRun: g, in: in}
	m.send("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "robot", "version": "1"}})
	if hello := m.answer(); !strings.Contains(string(hello), "cannot make you read-only") {
		w.t.Errorf("it greets with %s", hello)
	}
	m.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return m
}

func (m *mcpRun) write(line string) {
	m.t.Helper()
	if _, err := m.in.WriteString(line + "\n"); err != nil {
		m.t.Fatal(err)
	}
}

func (m *mcpRun) send(method string, params any) {
	m.t.Helper()
	m.last++
	b, err := json.Marshal(params)
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, m.last, method, b))
}

func (m *mcpRun) call(tool string, args any) {
	m.t.Helper()
	m.send("tools/call", map[string]any{"name": tool, "arguments": args, "_meta": map[string]any{"progressToken": "t"}})
}

// answer is the result of the last call. Every line of standard output is a message.
func (m *mcpRun) answer() json.RawMessage {
	m.t.Helper()
	var result json.RawMessage
	found := func() bool {
		out := m.out.String()
		for line := range strings.Lines(out[:strings.LastIndexByte(out, '\n')+1]) {
			var v struct {
				JSONRPC string
				ID      int
				Result  json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &v); err != nil || v.JSONRPC != "2.0" {
				m.t.Fatalf("standard output has %q", line)
			}
			if v.ID == m.last && v.Result != nil {
				result = v.Result
			}
		}
		return result != nil
	}
	if !eventually(found) {
		m.t.Fatalf("no answer to call %d\n%s\n%s", m.last, &m.out, m.Screen())
	}
	return result
}

// told is the answer of a tool.
func (m *mcpRun) told() (status, id, words string) {
	m.t.Helper()
	var v struct {
		Content           []struct{ Text string }
		StructuredContent struct{ Status, PlanID string }
	}
	if err := json.Unmarshal(m.answer(), &v); err != nil || len(v.Content) != 1 {
		m.t.Fatalf("%v: %s", err, m.answer())
	}
	return v.StructuredContent.Status, v.StructuredContent.PlanID, v.Content[0].Text
}

func TestAnAgentOverMCPHasItsPlansReviewed(t *testing.T) {
	w := newWorld(t)
	m := w.mcp()
	m.call("submit_plan", map[string]any{"markdown": "# 计划\n\n1. Do it\n2. Test it\n"})
	m.reviewing()
	m.WaitFor("计划")
	m.note("why so?")
	m.cardOf("plan", "Send annotations")
	m.Press("s")
	status, id, words := m.told()
	if status != "changes_requested" || !strings.HasPrefix(words, "YOUR PLAN WAS NOT APPROVED.") || !strings.Contains(words, "> why so?") {
		t.Errorf("%s %q", status, words)
	}

	m.call("submit_plan", map[string]any{"markdown": "# 计划\n\n1. Do it well\n2. Test it\n", "planId": id})
	m.reviewing()
	m.Until("the second revision against the first", func(screen string) bool {
		return strings.Contains(screen, "Do it well") && strings.Contains(screen, "robot") && m.hasLine("Do it")
	})
	m.cardOf("plan", "Close")
	m.Press("q")
	if status, _, words := m.told(); status != "not_decided" || !strings.Contains(words, "closed the review") {
		t.Errorf("%s %q", status, words)
	}

	m.call("submit_plan", map[string]any{"markdown": "# 计划\n\n1. Do it well\n2. Test it\n"})
	m.reviewing()
	m.cardOf("plan", "Approve")
	m.Press("a")
	if status, again, words := m.told(); status != "approved" || again != id || !strings.Contains(words, "complete_plan") {
		t.Errorf("%s %s %q", status, again, words)
	}
	m.call("complete_plan", map[string]any{"planId": id, "revision": 2, "summary": "All done."})
	if status, _, words := m.told(); status != "completed" {
		t.Errorf("%s %q", status, words)
	}
	w.decided("r1 changes_requested, r2 cancelled, r2 approved, r2 completed")
	if now := w.manifest(); now.WorkOf(2) != plan.Completed || now.ApprovedRevision != 2 {
		t.Errorf("approved r%d, %s", now.ApprovedRevision, now.WorkOf(2))
	}
	if err := m.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	m.ended(0)
}

// hasLine says whether a line of the screen ends with the text.
func (m *mcpRun) hasLine(text string) bool {
	for line := range strings.Lines(m.Screen()) {
		if strings.HasSuffix(strings.TrimRight(line, " \n"), text) {
			return true
		}
	}
	return false
}
