package revdiff

import (
	"path/filepath"
	"reflect"
	"testing"

	"planmode/plan/process"
)

func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	got := environment([]string{
		"TERM=xterm", "HOME=/h", "PWD=/somewhere", "GIT_DIR=/x", "ANTHROPIC_API_KEY=secret",
		"REVDIFF_THEME=nord", "REVDIFF_WRAP_INDENT=", "REVDIFF_EXCLUDE=", "REVDIFF_INCLUDE=a",
		"REVDIFF_STAGED=true", "REVDIFF_UNTRACKED=1", "REVDIFF_OUTPUT=/o", "REVDIFF_HISTORY_DIR=/h",
		"REVDIFF_POST_FLUSH_COMMAND=rm", "REVDIFF_COLLAPSED=true", "REVDIFF_EXIT_CODE_ON_ANNOTATIONS=false",
		"REVDIFF_CONFIG=rel/config", "REVDIFF_KEYS=/abs/keys", "CONFIG=rel",
	}, "/")
	want := []string{
		"TERM=xterm", "HOME=/h", "REVDIFF_THEME=nord",
		"REVDIFF_CONFIG=" + filepath.Join(here, "rel/config"), "REVDIFF_KEYS=/abs/keys", "CONFIG=rel",
		"PWD=/", "REVDIFF_EXIT_CODE_ON_ANNOTATIONS=true",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestConfigPath(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		want string
	}{
		{"the variable wins", []string{"HOME=/h", "REVDIFF_CONFIG=/c"}, "/c"},
		{"the home directory is next", []string{"HOME=/a", "HOME=/h"}, "/h/.config/revdiff/config"},
		{"without either there is none", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := configPath(tt.env); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFilterConfig(t *testing.T) {
	tests := []struct {
		name, in, want string
		found          bool
	}{
		{"nothing unwanted is nothing to do", "[Application Options]\ntheme = nord\n; include = x\n", "[Application Options]\ntheme = nord\n; include = x\n", false},
		{"every unwanted option goes", "include = a\nexclude=b\nstaged = true\nuntracked = true\nexit-code-on-annotations = false\nhistory-dir = /h\npost-flush-command = x\ncollapsed = true\nwrap = true\n", "wrap = true\n", true},
		{"other spellings are found", "  HistoryDir = /h\nINCLUDE: a\nstaged\ntheme = x", "theme = x", true},
		{"CRLF lines stay as they are", "theme = x\r\ninclude = y\r\n", "theme = x\r\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, found := filterConfig(tt.in)
			if got != tt.want || found != tt.found {
				t.Errorf("got %q, %v", got, found)
			}
		})
	}
}

func TestOnlyTheBuiltInReviewerStartsWithoutCollectingGarbage(t *testing.T) {
	own := Reviewer{Name: BuiltinName, Path: "/bin/planmode", Prefix: []string{"reviewer"}, Builtin: true}
	other := Reviewer{Name: "revdiff", Path: "/bin/rd"}
	for _, c := range []struct {
		reviewer Reviewer
		env      []string
		want     string
	}{{own, nil, "off"}, {own, []string{"GOGC=50"}, "50"}, {other, nil, ""}} {
		job, err := Prepare(Request{Reviewer: c.reviewer, Env: c.env, New: textOne, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if got := process.Lookup(job.Env, QuickStart); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.reviewer.Name, c.env, got, c.want)
		}
	}
}
