package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// mayStart are the packages that start goroutines by themselves: the one that
// catches panics for all others, and the test driver of the screen.
var mayStart = []string{"plan/process", "tui/tuitest"}

// bareStarts returns every place in a Go file that starts a goroutine in which
// a panic would not be caught, as "file:line: what".
func bareStarts(t *testing.T, name string, src any) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("parse %s: %v", name, err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		what := ""
		switch n := n.(type) {
		case *ast.GoStmt:
			what = "go statement"
		case *ast.CallExpr:
			what = bareCall(n)
		}
		if what != "" {
			found = append(found, fset.Position(n.Pos()).String()+": "+what)
		}
		return true
	})
	return found
}

// bareCall names a call that runs its function in a goroutine of its own:
// WaitGroup.Go, errgroup's Go, and a timer whose function does not go through
// process.Go.
func bareCall(c *ast.CallExpr) string {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	x, _ := sel.X.(*ast.Ident)
	switch {
	case sel.Sel.Name == "Go" && (x == nil || x.Name != "process"):
		return "Go of something else than package process"
	case sel.Sel.Name == "AfterFunc" && x != nil && x.Name == "time" && len(c.Args) == 2 && !goesThrough(c.Args[1]):
		return "time.AfterFunc with a bare function"
	}
	return ""
}

// goesThrough says whether f is a function that only calls process.Go.
func goesThrough(f ast.Expr) bool {
	lit, ok := f.(*ast.FuncLit)
	if !ok || len(lit.Body.List) != 1 {
		return false
	}
	call, ok := lit.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := call.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == "process" && sel.Sel.Name == "Go"
}

func TestGoroutinesStartThroughProcess(t *testing.T) {
	for _, p := range listPackages(t, runtime.GOOS) {
		if matchesAny(mayStart, p.name()) {
			continue
		}
		for _, f := range p.GoFiles {
			for _, start := range bareStarts(t, filepath.Join(p.Dir, f), nil) {
				t.Errorf("%s starts a goroutine whose panic would leave the terminal raw; use process.Go: %s", p.name(), start)
			}
		}
	}
}

func TestBareStartsAreFound(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"a go statement", "go f()", "go statement"},
		{"a wait group", "wg.Go(f)", "Go of something else"},
		{"a timer", "time.AfterFunc(d, f)", "time.AfterFunc"},
		{"a timer with a function of its own", "time.AfterFunc(d, func() { f() })", "time.AfterFunc"},
		{"a timer that goes through the one door is fine", `time.AfterFunc(d, func() { process.Go("x", f) })`, ""},
		{"the one door is fine", `process.Go("x", f)`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(bareStarts(t, "p.go", "package p\nfunc g() { "+c.body+" }"), " ")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
