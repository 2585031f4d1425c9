package session

import (
	"context"
	"encoding/json"
	"strings"

	"planmode/plan/tool"
	"planmode/plan/tree"
)

const (
	maxHistory    = 200 // messages offered in the composer's history
	maxCompletion = 50  // file names offered after "@"
)

// History is what the person said on this branch, oldest first.
func (s *Session) History() []string {
	var out []string
	for _, e := range s.Items(0) {
		if e.Kind != tree.KindUser {
			continue
		}
		if m, err := tree.Decode[tree.User](e); err == nil {
			out = append(out, m.Text)
		}
	}
	return out[max(len(out)-maxHistory, 0):]
}

// Files completes the beginning or a part of a file name in the working
// directory, by the same rules as the agent's find. It may take a moment, so a
// screen calls it outside its event loop.
func (s *Session) Files(ctx context.Context, part string) []string {
	find, ok := s.tools.Find("find")
	if !ok {
		return nil
	}
	args, err := json.Marshal(map[string]string{"pattern": "**/*" + escapeGlob(part) + "*"})
	if err != nil {
		return nil
	}
	r := find.Run(ctx, tool.Call{ID: "complete", Name: "find", Args: args}, func(string) {})
	if r.Error {
		return nil
	}
	var out []string
	for line := range strings.Lines(r.Text) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || strings.HasPrefix(line, "[") {
			continue
		}
		if out = append(out, line); len(out) == maxCompletion {
			break
		}
	}
	return out
}

// escapeGlob makes the characters of a pattern stand for themselves.
func escapeGlob(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`*?[]{}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Warn shows and logs a warning of the program around the session.
func (s *Session) Warn(format string, args ...any) { s.say(tree.Warning, format, args...) }
