package tui

import (
	"strings"
	"testing"

	"planmode/tui/theme"
)

// FuzzCommand holds that whatever is typed as a command is answered, and that
// nothing of it reaches the terminal but its text.
func FuzzCommand(f *testing.F) {
	for _, line := range []string{"/plan on", "/PLAN  off x", "/mode yolo", "/model a/b", "/mcp restart \x1b[2J", "/plan", "/", "//", "/nonsense\u202e", "/review 1", "/fork x", "/compact 计划"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") {
			return // a message
		}
		s := newStill(newFake(t), theme.Options{Dark: true}).sized(60, 20)
		s.command("/" + line)
		s.draw()
		harmless(t, s, line)
		s.composer.Paste("/" + line)
		s.draw()
		harmless(t, s, line)
	})
}
