package session

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"planmode/plan/tool"
	"planmode/plan/tree"
)

// maxCompletion bounds the file names offered after "@".
const maxCompletion = 50

// Files completes the beginning or a part of a file name in the working
// directory, by the same rules as the agent's find but whatever the case, best
// first. It may take a moment, so a screen calls it outside its event loop.
func (s *Session) Files(ctx context.Context, part string) []string {
	find, ok := s.tools.Find("find")
	if !ok {
		return nil
	}
	args, err := json.Marshal(map[string]string{"pattern": "**/*" + anyCase(part) + "*"})
	if err != nil {
		return nil
	}
	r := find.Run(ctx, tool.Call{ID: "complete", Name: "find", Args: args}, func(string) {})
	if r.Error {
		return nil
	}
	var out []string
	for line := range strings.Lines(r.Text) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || isRemark(line) {
			continue
		}
		out = append(out, line)
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Or(
			cmp.Compare(distance(a, part), distance(b, part)),
			cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")),
			cmp.Compare(len(a), len(b)))
	})
	return out[:min(len(out), maxCompletion)]
}

// isRemark tells what find says in brackets from names such as "[id].ts".
func isRemark(line string) bool { return strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") }

// distance is how far a path is from what was typed: the beginning of the path,
// of its last name, a part of that name, or anything else.
func distance(name, part string) int {
	name, part = strings.ToLower(name), strings.ToLower(part)
	base := path.Base(name)
	switch {
	case strings.HasPrefix(name, part):
		return 0
	case strings.HasPrefix(base, part):
		return 1
	case strings.Contains(base, part):
		return 2
	}
	return 3
}

// anyCase makes the characters of a pattern stand for themselves in either case.
func anyCase(s string) string {
	var b strings.Builder
	for _, r := range s {
		lower, upper := unicode.ToLower(r), unicode.ToUpper(r)
		switch {
		case strings.ContainsRune(`*?[]{}\`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case lower != upper:
			b.WriteString("[" + string(lower) + string(upper) + "]")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// remember keeps a message for recall in later sessions. Losing that is a pity and
// no more, so it is told once and hinders nothing.
func (s *Session) remember(text string) {
	err := s.opt.Store.AddHistory(s.opt.Dir, text)
	if err == nil {
		return
	}
	s.mu.Lock()
	told := s.historyTold
	s.historyTold = true
	s.mu.Unlock()
	if !told {
		s.say(tree.Warning, "What you say cannot be kept for recall in later sessions: %v.", err)
	}
}

// Warn shows and logs a warning of the program around the session.
func (s *Session) Warn(format string, args ...any) { s.say(tree.Warning, format, args...) }
