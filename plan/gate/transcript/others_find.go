package transcript

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxLooked bounds how many logs are opened to see which directory they belong to.
const maxLooked = 200

// rollout takes the thread out of the name of a Codex log.
var rollout = regexp.MustCompile(`^rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:_[0-9]+)?\.jsonl$`)

func (o Options) codex(context.Context) []Candidate {
	home := o.dir("CODEX_HOME", ".codex")
	if home == "" {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(escapeGlob(home), "sessions", "*", "*", "*", "rollout-*.jsonl"))
	if err != nil {
		return nil
	}
	slices.Sort(paths)
	slices.Reverse(paths) // their names begin with the time
	thread := o.Session
	if thread == "" {
		thread = o.env("CODEX_THREAD_ID")
	}
	var out []Candidate
	for i, p := range paths {
		m := rollout.FindStringSubmatch(filepath.Base(p))
		if m == nil || thread != "" && !strings.HasPrefix(m[1], thread) {
			continue
		}
		if thread == "" && (i >= maxLooked || codexCwd(p) != o.Cwd) {
			continue
		}
		if c, ok := candidate(Codex, m[1], p, o.Cwd); ok {
			out = append(out, c)
		}
	}
	return out
}

// codexCwd reads the directory from the head of a rollout.
func codexCwd(path string) string {
	var e struct {
		Payload struct {
			Cwd string `json:"cwd"`
		} `json:"payload"`
	}
	if head(path, &e) != nil {
		return ""
	}
	return e.Payload.Cwd
}

// head decodes the first record of a file.
func head(path string, v any) error {
	f, _, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var failed error
	for r := range lines(f, false, &failed) {
		return json.Unmarshal(r, v)
	}
	return errors.Join(ErrShape, failed)
}

// gemini looks in the folder of the project: its name is a hash of the directory, or
// a word that a file in it explains.
func (o Options) gemini(context.Context) []Candidate {
	tmp := o.dir("", ".gemini", "tmp")
	folders, err := os.ReadDir(tmp)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(o.Cwd))
	hash := hex.EncodeToString(sum[:])
	var out []Candidate
	for _, f := range folders {
		dir := filepath.Join(tmp, f.Name())
		if root, err := os.ReadFile(filepath.Join(dir, ".project_root")); f.Name() != hash && (err != nil || strings.TrimSpace(string(root)) != o.Cwd) {
			if o.Session == "" {
				continue
			}
		}
		chats, err := os.ReadDir(filepath.Join(dir, "chats"))
		if err != nil {
			continue
		}
		for _, chat := range chats {
			id, isLog := strings.CutSuffix(chat.Name(), ".jsonl")
			if !isLog {
				id, isLog = strings.CutSuffix(chat.Name(), ".json")
			}
			if !isLog || !strings.HasPrefix(id, "session-") {
				continue
			}
			if c, ok := candidate(Gemini, strings.TrimPrefix(id, "session-"), filepath.Join(dir, "chats", chat.Name()), o.Cwd); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// copilot finds the session whose lock names a process above ours, then those that
// say this directory.
func (o Options) copilot(context.Context) []Candidate {
	home := o.dir("COPILOT_HOME", ".copilot")
	state := filepath.Join(home, "session-state")
	folders, err := os.ReadDir(state)
	if err != nil || home == "" {
		return nil
	}
	var live, out []Candidate
	for _, f := range folders {
		dir := filepath.Join(state, f.Name())
		c, ok := candidate(Copilot, f.Name(), filepath.Join(dir, "events.jsonl"), o.Cwd)
		if !ok {
			continue
		}
		switch {
		case slices.ContainsFunc(o.Ancestors, func(pid int) bool { return exists(filepath.Join(dir, "inuse."+strconv.Itoa(pid)+".lock")) }):
			live = append(live, c)
		case o.Session != "" || copilotCwd(dir) == o.Cwd:
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return b.Modified.Compare(a.Modified) })
	return append(live, out...)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// copilotCwd reads the one line that is needed of a small YAML file.
func copilotCwd(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, "workspace.yaml"))
	if err != nil || len(b) > 64<<10 {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "cwd:"); ok {
			return strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return ""
}

func (o Options) pi(context.Context) []Candidate {
	sessions := o.dir("", ".pi", "agent", "sessions")
	if sessions == "" {
		return nil
	}
	if o.Session != "" {
		folders, err := os.ReadDir(sessions)
		if err != nil {
			return nil
		}
		var out []Candidate
		for _, f := range folders {
			out = append(out, piLogs(filepath.Join(sessions, f.Name()), o.Cwd)...)
		}
		return out
	}
	slug := "--" + strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(strings.TrimPrefix(o.Cwd, "/")) + "--"
	return piLogs(filepath.Join(sessions, slug), o.Cwd)
}

// piLogs lists the logs of a folder under their session ids.
func piLogs(folder, cwd string) []Candidate {
	found := logsIn(Pi, folder, cwd)
	for i := range found {
		if _, id, ok := strings.Cut(found[i].ID, "_"); ok {
			found[i].ID = id
		}
	}
	return found
}

// kimi reads the index that Kimi Code keeps of its sessions. A path in it counts only
// below Kimi's own directory.
func (o Options) kimi(context.Context) []Candidate {
	home := o.dir("KIMI_CODE_HOME", ".kimi-code")
	if home == "" {
		return nil
	}
	f, _, err := open(filepath.Join(home, "session_index.jsonl"))
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []Candidate
	var failed error // an index that breaks off is as good as its beginning
	for r := range lines(f, false, &failed) {
		var e struct {
			ID  string `json:"sessionId"`
			Dir string `json:"sessionDir"`
			Cwd string `json:"workDir"`
		}
		if json.Unmarshal(r, &e) != nil || o.Session == "" && e.Cwd != o.Cwd {
			continue
		}
		if rel, err := filepath.Rel(home, e.Dir); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if c, ok := candidate(Kimi, e.ID, filepath.Join(e.Dir, "agents", "main", "wire.jsonl"), e.Cwd); ok {
			out = append(out, c)
		}
	}
	return distinct(out)
}

// openCode asks the program itself: its database is its own business.
func (o Options) openCode(ctx context.Context) []Candidate {
	if o.Command == nil {
		return nil
	}
	if o.Session != "" {
		return []Candidate{{Harness: OpenCode, ID: o.Session, Cwd: o.Cwd}}
	}
	b, err := o.Command(ctx, "opencode", "session", "list", "--format", "json")
	if err != nil {
		return nil
	}
	if i := bytes.IndexByte(b, '['); i > 0 {
		b = b[i:]
	}
	var list []struct {
		ID        string          `json:"id"`
		Directory string          `json:"directory"`
		Updated   json.RawMessage `json:"updated"`
	}
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	var out []Candidate
	for _, s := range list {
		if idPattern.MatchString(s.ID) && (s.Directory == "" || s.Directory == o.Cwd) {
			out = append(out, Candidate{Harness: OpenCode, ID: s.ID, Cwd: o.Cwd, Modified: stamp(s.Updated)})
		}
	}
	return out
}

func (o Options) export(ctx context.Context, id string) (Session, error) {
	if o.Command == nil {
		return Session{}, fmt.Errorf("read the session %s of opencode: the program opencode cannot be run here", id)
	}
	b, err := o.Command(ctx, "opencode", "export", id)
	if err != nil {
		return Session{}, fmt.Errorf("read the session %s of opencode: %w", id, err)
	}
	s, err := DecodeExport(b)
	if err != nil {
		return Session{}, fmt.Errorf("read the session %s of opencode: %w", id, err)
	}
	return s, nil
}

func (o Options) own(context.Context) []Candidate {
	if o.Store == nil {
		return nil
	}
	cwd := o.Cwd
	if o.Session != "" {
		cwd = ""
	}
	list, err := o.Store.Sessions(cwd)
	if err != nil {
		return nil
	}
	var out []Candidate
	for _, s := range list {
		if s.Problem == "" {
			out = append(out, Candidate{Harness: Planmode, ID: s.ID, Path: s.Path, Cwd: s.Cwd, Modified: s.Modified.Time})
		}
	}
	return out
}
