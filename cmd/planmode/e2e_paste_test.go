//go:build unix

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/tui/tuitest"
)

// A terminal can be made to paste anything. None of it may stall the screen, be
// lost without a word, reach the terminal as a command, or be taken for Enter.
func TestPastesOfEveryKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()

	many := 100_000 / tuitest.Patience
	r.Paste(strings.Repeat("a line that is pasted, with 计划 in it\r", many))
	r.WaitFor(fmt.Sprintf("[Pasted %d lines]", many))
	begun := time.Now()
	r.Type("!")
	r.WaitFor("lines]!")
	if took := time.Since(begun); took > tuitest.Patience*time.Second {
		t.Errorf("a key behind a paste of 4 MB took %s", took)
	}
	r.Press("enter")
	if !eventually(func() bool { return w.logged() > int64(many)*40 }) {
		t.Errorf("what was pasted is not in the log, which has %d bytes", w.logged())
	}
	r.rested("")

	r.Paste(strings.Repeat("0123456789abcdef", 10<<16))
	r.WaitFor("name it with @")

	r.Paste("a\x1b[2J\x1b]52;c;aGk=\x07b\x1b]0;owned\x07\u202ec\x9b31m")
	r.WaitFor("> abc")
	if title := r.Title(); strings.Contains(title, "owned") {
		t.Errorf("the title is %q", title)
	}
	r.Press("ctrl+c")
	r.WaitGone("> abc")

	// Without bracketed paste, lines come as keys.
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "!touch owned-%d\r/plan abandon\r", i)
	}
	r.Type(lines.String())
	r.WaitFor("[Pasted ")
	typed := time.Now()
	eventually(func() bool { return time.Since(typed) > 2*time.Second }) // all of it has come
	r.Type("THE END")
	r.WaitFor("THE END")
	if found, _ := filepath.Glob(filepath.Join(w.dir, "owned-*")); len(found) > 0 {
		t.Errorf("%d commands of the paste were run", len(found))
	}
	r.Press("ctrl+c")
	r.WaitGone("THE END")
	r.quit()
	if _, err := os.Stat(filepath.Join(w.dir, "owned-0")); err == nil {
		t.Error("a command of the paste was run")
	}
}

// logged is the size of the session logs.
func (w *world) logged() (n int64) {
	w.t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.home, "data", "sessions", "*", "*.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, path := range paths {
		if st, err := os.Stat(path); err == nil {
			n += st.Size()
		}
	}
	return n
}
