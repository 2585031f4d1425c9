package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clocks are what package time offers beyond arithmetic on values: reading the
// clock, waiting for it, and asking the machine where it stands.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation"}

// clockUses returns every use of the clock in a Go file, as "file:line: time.X".
func clockUses(t *testing.T, name string, src any) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("parse %s: %v", name, err)
	}
	local := ""
	for _, imp := range file.Imports {
		if imp.Path.Value == `"time"` {
			local = "time"
			if imp.Name != nil {
				local = imp.Name.Name
			}
		}
	}
	var uses []string
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && local != "" && x.Name == local && slices.Contains(clocks, sel.Sel.Name) {
			uses = append(uses, fset.Position(sel.Pos()).String()+": time."+sel.Sel.Name)
		}
		return true
	})
	return uses
}

func TestPurePackagesReadNoClock(t *testing.T) {
	for _, p := range listPackages(t, "linux") {
		if layerOf(p.name()) != 0 {
			continue
		}
		for _, f := range p.GoFiles {
			for _, use := range clockUses(t, filepath.Join(p.Dir, f), nil) {
				t.Errorf("%s is pure, but reads the clock: %s", p.name(), use)
			}
		}
	}
}

func TestClockUsesAreFound(t *testing.T) {
	cases := []struct{ name, src, want string }{
		{"reading the clock is found", `package p; import "time"; var x = time.Now()`, "time.Now"},
		{"another name for the package does not hide it", `package p; import c "time"; var x = c.Since`, "time.Since"},
		{"arithmetic is no use of the clock", `package p; import "time"; var x = time.Second + time.Duration(2)`, ""},
		{"another package's Now is none either", `package p; import "time"; var y time.Time; var x = clock.Now()`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(clockUses(t, "p.go", c.src), " ")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
