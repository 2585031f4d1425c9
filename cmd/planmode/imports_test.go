package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const module = "planmode"

// layers are the packages of the module from the bottom up. A package may import
// packages of its own line and of the lines above it here, never those below.
// "x/..." stands for x and everything under it.
var layers = [][]string{
	{"plan", "plan/text", "plan/document", "plan/proposal", "plan/image", "plan/tree", "plan/prompt", "plan/pull", "revdiff/record"},
	{"plan/process"},
	{"plan/git"},
	{"store/..."},
	{"revdiff/..."},
	{"plan/tool/..."},
	{"plan/agent/..."},
	{"plan/session/...", "plan/gate/...", "plan/pull/..."},
	{"tui/..."},
	{"cmd/..."},
}

// libraries says which packages may import a library directly. A library that
// is not listed may be imported by any package but the pure ones.
var libraries = []struct {
	prefix  string
	allowed []string
}{
	{"charm.land/fantasy", []string{"plan/agent/model/..."}},
	{"charm.land/", []string{"cmd/...", "tui/..."}},
	{"github.com/charmbracelet/", []string{"cmd/...", "tui/..."}},
	{"github.com/yuin/goldmark", []string{"plan/document"}},
	{"github.com/spf13/", []string{"cmd/..."}},
	{"github.com/google/go-github", []string{"plan/pull/..."}},
	{"golang.org/x/text", []string{"..."}},
}

// screenLibraries may not even be reached through another library from outside
// the screen.
var screenLibraries = []string{"charm.land/bubbletea/", "charm.land/lipgloss/", "charm.land/bubbles/", "charm.land/glamour/"}

// impure are the standard packages that a pure package does not import: files,
// children, network, chance.
var impure = []string{
	"os", "os/...", "io/ioutil", "net", "net/...", "syscall", "log", "log/...", "plugin", "unsafe",
	"crypto/rand", "math/rand", "math/rand/v2", "database/...", "testing/...",
}

// goPackage is what the rules read of one package as `go list` describes it.
type goPackage struct {
	ImportPath string
	Name       string
	Dir        string
	Doc        string
	Standard   bool
	GoFiles    []string
	Imports    []string
	Deps       []string
	Error      *struct{ Err string }
}

func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

// listPackages returns the module's packages as they are on goos. Packages that
// only hold tests are left out: they export nothing that could be imported.
func listPackages(t *testing.T, goos string) []goPackage {
	t.Helper()
	lookAtTree(t)
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Dir,Doc,Standard,GoFiles,Imports,Deps,Error", module+"/...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list packages for %s: %v\n%s", goos, err, stderr.String())
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return pkgs
		case err != nil:
			t.Fatalf("read the package list for %s: %v", goos, err)
		}
		if len(p.GoFiles) > 0 {
			pkgs = append(pkgs, p)
		}
	}
}

// lookAtTree opens every directory of the module. `go test` remembers a result
// until something that the test itself opened changes, and does not see what its
// child, go list, reads.
func lookAtTree(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", ".."), func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatalf("walk the module: %v", err)
	}
}

// matches says whether name is the pattern or, for "x/...", x or below it.
func matches(pattern, name string) bool {
	if pattern == "..." || pattern == name {
		return true
	}
	root, under := strings.CutSuffix(pattern, "/...")
	return under && (name == root || strings.HasPrefix(name, root+"/"))
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// layerOf returns the layer of a package, or -1. An exact name beats a pattern.
func layerOf(name string) int {
	for i, layer := range layers {
		if slices.Contains(layer, name) {
			return i
		}
	}
	return slices.IndexFunc(layers, func(l []string) bool { return matchesAny(l, name) })
}

// badArrows returns what is wrong with the imports of p, sentence by sentence.
func badArrows(p goPackage) []string {
	from := layerOf(p.name())
	if from < 0 {
		return []string{fmt.Sprintf("%s has no place in the import direction; add it to layers", p.name())}
	}
	var bad []string
	for _, imp := range p.Imports {
		if why := badImport(p.name(), from, imp); why != "" {
			bad = append(bad, fmt.Sprintf("%s imports %s: %s", p.name(), imp, why))
		}
	}
	if !matchesAny([]string{"cmd/...", "tui/..."}, p.name()) {
		for _, dep := range p.Deps {
			if slices.ContainsFunc(screenLibraries, func(l string) bool { return strings.HasPrefix(dep, l) }) {
				bad = append(bad, fmt.Sprintf("%s reaches %s: only cmd and tui may", p.name(), dep))
			}
		}
	}
	return bad
}

// badImport says why the package name, of layer from, may not import imp.
func badImport(name string, from int, imp string) string {
	if imp == module || strings.HasPrefix(imp, module+"/") {
		return badInside(name, from, strings.TrimPrefix(imp, module+"/"))
	}
	host, _, _ := strings.Cut(imp, "/")
	if !strings.Contains(host, ".") {
		if from == 0 && matchesAny(impure, imp) {
			return "a pure package has no I/O and no chance"
		}
		return ""
	}
	for _, lib := range libraries {
		if strings.HasPrefix(imp, lib.prefix) {
			if !matchesAny(lib.allowed, name) {
				return "only " + strings.Join(lib.allowed, ", ") + " may"
			}
			return ""
		}
	}
	if from == 0 {
		return "a pure package has no such library"
	}
	return ""
}

// badInside judges an arrow within the module.
func badInside(name string, from int, target string) string {
	to := layerOf(target)
	switch {
	case to < 0:
		return "it has no place in the import direction"
	case to > from:
		return "the arrow goes against the import direction"
	case target == "tui" && strings.HasPrefix(name, "tui/") && name != "tui/tuitest":
		return "a part never sees the root of the screen"
	case target == "plan/agent/model" && name == "plan/agent/demo", target == "plan/agent/demo" && name == "plan/agent/model":
		return "agents do not know each other"
	}
	return ""
}

func TestImportsFollowTheDirection(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		t.Run(goos, func(t *testing.T) {
			pkgs := listPackages(t, goos)
			if len(pkgs) < 5 {
				t.Fatalf("found %d packages only; the rules would prove nothing", len(pkgs))
			}
			for _, p := range pkgs {
				if p.Error != nil {
					t.Errorf("%s cannot be loaded: %s", p.name(), p.Error.Err)
				}
				for _, why := range badArrows(p) {
					t.Error(why)
				}
			}
		})
	}
}

func TestEveryPackageHasAComment(t *testing.T) {
	for _, p := range listPackages(t, runtime.GOOS) {
		want := "Package " + p.Name + " "
		if p.Name == "main" {
			want = "Command " + path.Base(p.ImportPath) + " "
		}
		if !strings.HasPrefix(p.Doc, want) {
			t.Errorf("%s: the package comment starts with %q, want %q", p.name(), p.Doc, want)
		}
	}
}

func TestTheRulesRefuse(t *testing.T) {
	cases := []struct {
		name    string
		from    string
		imports string
		want    string // part of the reason; empty if allowed
	}{
		{"the law may not read files", "plan", "os", "pure"},
		{"the law may not draw random numbers", "plan", "crypto/rand", "pure"},
		{"the law may use the standard library", "plan", "strings", ""},
		{"the law may use x/text", "plan", "golang.org/x/text/unicode/norm", ""},
		{"the tree may import the law", "plan/tree", "planmode/plan", ""},
		{"a document may parse Markdown", "plan/document", "github.com/yuin/goldmark", ""},
		{"the session may not parse Markdown itself", "plan/session", "github.com/yuin/goldmark/ast", "plan/document"},
		{"a pure package has no other library", "revdiff/record", "github.com/sergi/go-diff/diffmatchpatch", "pure"},
		{"the store may not import the reviewer", "store", "planmode/revdiff", "against"},
		{"the reviewer may import its grammar", "revdiff", "planmode/revdiff/record", ""},
		{"the grammar may not import the reviewer", "revdiff/record", "planmode/revdiff", "against"},
		{"an agent may import tools", "plan/agent", "planmode/plan/tool", ""},
		{"tools may not import agents", "plan/tool", "planmode/plan/agent", "against"},
		{"the session may import the reviewer", "plan/session", "planmode/revdiff", ""},
		{"the session may not import the screen", "plan/session", "planmode/tui", "against"},
		{"the screen may not import the command", "tui", "planmode/cmd/planmode", "against"},
		{"a part may not import the screen", "tui/card", "planmode/tui", "root"},
		{"the test driver of the screen may", "tui/tuitest", "planmode/tui", ""},
		{"Bubble Tea stays in the screen", "plan/session", "charm.land/bubbletea/v2", "only cmd"},
		{"the screen uses Bubble Tea", "tui/rows", "charm.land/bubbletea/v2", ""},
		{"the provider library stays in its agent", "tui", "charm.land/fantasy", "plan/agent/model"},
		{"one agent may not import another", "plan/agent/demo", "planmode/plan/agent/model", "each other"},
		{"a package nobody placed may not be imported", "cmd/planmode", "planmode/helpers", "no place"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			bad := badArrows(goPackage{ImportPath: module + "/" + c.from, Imports: []string{c.imports}})
			got := strings.Join(bad, "; ")
			if c.want == "" && got != "" {
				t.Errorf("refused: %s", got)
			}
			if c.want != "" && !strings.Contains(got, c.want) {
				t.Errorf("got %q, want a reason with %q", got, c.want)
			}
		})
	}
	if bad := badArrows(goPackage{ImportPath: module + "/util"}); len(bad) == 0 {
		t.Error("a package without a place is accepted")
	}
}
