package revdiff

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func program(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	onPath := program(t, filepath.Join(dir, "bin", "revdiff"))
	named := program(t, filepath.Join(dir, "other", "rd"))
	self := program(t, filepath.Join(dir, "planmode"))
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(named, link); err != nil {
		t.Fatal(err)
	}
	program(t, filepath.Join(dir, "decoy", "revdiff", "x")) // a directory called revdiff
	bin := filepath.Join(dir, "bin")
	t.Chdir(bin)

	tests := []struct {
		name     string
		choice   Choice
		variable string
		path     string
		want     string // path
		hint     bool
		err      error
	}{
		{"auto takes the variable before PATH", ChooseAuto, named, bin, named, false, nil},
		{"the variable is trimmed", "", " " + named + "\n", bin, named, false, nil},
		{"a link to a program is a program", "", link, bin, link, false, nil},
		{"a blank variable is none", "", "  ", bin, onPath, false, nil},
		{"auto takes PATH", ChooseAuto, "", "/nowhere:" + bin, onPath, false, nil},
		{"auto falls back with a hint", ChooseAuto, "", "/nowhere", self, true, nil},
		{"a directory on PATH is passed over", "", "", filepath.Join(dir, "decoy"), self, true, nil},
		{"a relative entry of PATH is passed over", "", "", ".:", self, true, nil},
		{"revdiff takes the variable", ChooseRevdiff, named, "", named, false, nil},
		{"revdiff takes PATH", ChooseRevdiff, "", bin, onPath, false, nil},
		{"revdiff has no fallback", ChooseRevdiff, "", "/nowhere", "", false, ErrMissing},
		{"builtin ignores both", ChooseBuiltin, named, bin, self, false, nil},
		{"a missing file is not replaced", ChooseAuto, "/nowhere/rd", bin, "", false, ErrUnusable},
		{"a directory is not replaced", ChooseAuto, dir, bin, "", false, ErrUnusable},
		{"a file that cannot run is not replaced", ChooseRevdiff, text, bin, "", false, ErrUnusable},
		{"an unknown choice is refused", "vim", "", bin, "", false, ErrUnusable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{"REVDIFF_BIN": tt.variable, "PATH": tt.path}
			r, err := Find(FindOptions{Choice: tt.choice, Getenv: func(k string) string { return env[k] }, Self: self, Look: []string{"--theme=light"}})
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err == nil && r.Builtin != slices.Contains(r.Prefix, "--theme=light") {
				t.Errorf("only the built-in reviewer looks like the app, but %+v", r)
			}
			if r.Path != tt.want || r.Builtin != (tt.want == self) {
				t.Errorf("found %+v, want %s", r, tt.want)
			}
			if (r.Hint != "") != tt.hint {
				t.Errorf("hint %q", r.Hint)
			}
			if errors.Is(err, ErrUnusable) && tt.variable != "" && !strings.Contains(err.Error(), tt.variable) {
				t.Errorf("the error does not name %q: %v", tt.variable, err)
			}
		})
	}
}
