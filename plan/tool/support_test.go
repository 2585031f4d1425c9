package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
)

// files writes a tree: names ending in a slash are directories, and content that
// begins with "-> " is a symbolic link.
func files(t *testing.T, tree map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range tree {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), content, strings.HasSuffix(name, "/"))
	}
	return dir
}

func put(t *testing.T, path, content string, isDir bool) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	switch to, link := strings.CutPrefix(content, "-> "); {
	case err != nil:
	case isDir:
		err = os.MkdirAll(path, 0o755)
	case link:
		err = os.Symlink(to, path)
	default:
		err = os.WriteFile(path, []byte(content), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// do runs a call the way a host does: through the policy first.
func do(t *testing.T, set *Set, name string, args any) Result {
	t.Helper()
	call := Call{ID: "c1", Name: name, Args: Marshal(args)}
	if j := (Policy{Mode: plan.ModeNormal, OpenWork: true}).Check(set, []Call{call})[0]; j.Verdict == Deny {
		return Result{Text: j.Message, Error: true}
	}
	tool, _ := set.Find(name)
	r := tool.Run(t.Context(), call, nil)
	if r.CallID != "c1" || r.Name != name {
		t.Errorf("the result is for %q %q", r.CallID, r.Name)
	}
	return r
}

// args are arguments by name.
type args map[string]any
