package transcript

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// claudeRun is what Claude Code writes down of a process of its own.
type claudeRun struct {
	PID     int     `json:"pid"`
	Session string  `json:"sessionId"`
	Cwd     string  `json:"cwd"`
	Started float64 `json:"startedAt"`
}

// maxAncestors is how far up a process of Claude Code is looked for.
const maxAncestors = 8

// partialPause is how long a registry entry that is being written may take.
const partialPause = 50 * time.Millisecond

func (o Options) claudeHome() string { return o.dir("CLAUDE_CONFIG_DIR", ".claude") }

// claude lists the sessions of the project, the likeliest first: that of the process
// we run under, then by what the registry and the file names say.
func (o Options) claude(context.Context) []Candidate {
	if o.claudeHome() == "" {
		return nil
	}
	if o.Session != "" {
		return o.claudeLogs(o.Session)
	}
	var out []Candidate
	if live := o.claudeLive(); live.ID != "" {
		out = append(out, live)
	}
	for _, run := range o.claudeRuns() {
		if run.Cwd == o.Cwd {
			out = append(out, o.claudeLogs(run.Session)...)
		}
	}
	for dir := o.Cwd; dir != "" && len(out) == 0; dir = parent(dir) {
		out = append(out, o.claudeProject(dir)...)
	}
	return distinct(out)
}

func parent(dir string) string {
	if up := filepath.Dir(dir); up != dir {
		return up
	}
	return ""
}

func distinct(all []Candidate) []Candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c Candidate) bool {
		again := seen[c.Path]
		seen[c.Path] = true
		return again
	})
}

// claudeLive is the session of the Claude Code process that we run under. After its
// /clear the registry still names the old session: a newer log beside it that no
// process has is the one that goes on.
func (o Options) claudeLive() Candidate {
	if o.claudeHome() == "" {
		return Candidate{}
	}
	for _, pid := range o.Ancestors[:min(len(o.Ancestors), maxAncestors)] {
		run, ok := o.claudeRun(pid)
		if !ok {
			continue
		}
		logs := o.claudeLogs(run.Session)
		if len(logs) != 1 {
			continue
		}
		return o.claudeCleared(logs[0])
	}
	return Candidate{}
}

func (o Options) claudeRun(pid int) (claudeRun, bool) {
	path := filepath.Join(o.claudeHome(), "sessions", strconv.Itoa(pid)+".json")
	for range 2 {
		var run claudeRun
		err := readJSON(path, &run)
		if err == nil {
			return run, run.PID == pid && idPattern.MatchString(run.Session)
		}
		if os.IsNotExist(err) {
			return claudeRun{}, false
		}
		time.Sleep(partialPause)
	}
	return claudeRun{}, false
}

// claudeRuns lists the registry, the newest start first.
func (o Options) claudeRuns() []claudeRun {
	paths, err := filepath.Glob(filepath.Join(escapeGlob(o.claudeHome()), "sessions", "*.json"))
	if err != nil {
		return nil
	}
	var out []claudeRun
	for _, p := range paths {
		var run claudeRun
		if readJSON(p, &run) == nil && idPattern.MatchString(run.Session) {
			out = append(out, run)
		}
	}
	slices.SortStableFunc(out, func(a, b claudeRun) int { return cmp.Compare(b.Started, a.Started) })
	return out
}

func (o Options) claudeLogs(session string) []Candidate {
	if o.claudeHome() == "" || !idPattern.MatchString(session) {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(escapeGlob(o.claudeHome()), "projects", "*", session+".jsonl"))
	if err != nil {
		return nil
	}
	var out []Candidate
	for _, p := range paths {
		if c, ok := candidate(Claude, session, p, o.Cwd); ok {
			out = append(out, c)
		}
	}
	return out
}

func (o Options) claudeCleared(c Candidate) Candidate {
	taken := map[string]bool{}
	for _, run := range o.claudeRuns() {
		taken[run.Session] = true
	}
	for _, other := range logsIn(Claude, filepath.Dir(c.Path), o.Cwd) {
		if other.Modified.After(c.Modified) && !taken[other.ID] {
			return other
		}
	}
	return c
}

// claudeProject lists the logs of a directory, the newest first. The folder's name is
// the path with everything but letters, digits and dashes replaced.
func (o Options) claudeProject(dir string) []Candidate {
	if o.claudeHome() == "" {
		return nil
	}
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, dir)
	projects := filepath.Join(o.claudeHome(), "projects")
	if found := logsIn(Claude, filepath.Join(projects, slug), dir); len(found) > 0 {
		return found
	}
	folders, err := os.ReadDir(projects)
	if err != nil {
		return nil
	}
	for _, f := range folders {
		if strings.EqualFold(f.Name(), slug) {
			return logsIn(Claude, filepath.Join(projects, f.Name()), dir)
		}
	}
	return nil
}

// logsIn lists the .jsonl files of a folder, the newest first.
func logsIn(h Harness, folder, cwd string) []Candidate {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var out []Candidate
	for _, f := range files {
		id, isLog := strings.CutSuffix(f.Name(), ".jsonl")
		if !isLog {
			continue
		}
		if c, ok := candidate(h, id, filepath.Join(folder, f.Name()), cwd); ok {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return b.Modified.Compare(a.Modified) })
	return out
}

// escapeGlob makes a path stand for itself in a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
