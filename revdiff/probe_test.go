//go:build linux || darwin

package revdiff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// help is the layout of a real answer: wrapped texts, short forms, groups.
const help = `Usage:
  revdiff [OPTIONS] [base] [against]

Application Options:
  -F, --only=                 show only these files, see --mentioned-only
                              --not-a-flag-start is taken for one, harmlessly
  -o, --output=               write annotations to file
      --compare-old=          compare mode
      --compare-new=          compare mode
      --exit-code-on-annotations
                              exit 10 when annotations are produced

Help Options:
  -h, --help                  Show this help message
`

// script writes a reviewer that counts its runs in the file "runs".
func script(t *testing.T, answer, version string) (path, dir string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, "rd")
	body := "#!/bin/sh\necho \"$1\" >> " + dir + "/runs\ncase $1 in\n--help) cat <<'X'\n" + answer + "X\n;;\n--version) echo '" + version + "' ;;\nesac\n"
	if err := os.WriteFile(path, []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, dir
}

func runs(t *testing.T, dir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n")
}

func TestProbeReadsFlagsAndVersionOnce(t *testing.T) {
	path, dir := script(t, help, "version: v1.12.0-0526193-20260804")
	cachePath := filepath.Join(t.TempDir(), "reviewers.json")
	probe := func() Reviewer {
		t.Helper()
		r, err := Probe(t.Context(), Reviewer{Name: "revdiff", Path: path}, os.Environ(), cachePath)
		if err != nil {
			t.Fatal(err)
		}
		if r.Name != "revdiff v1.12.0" || r.Version != "v1.12.0" || r.Degraded() != "" {
			t.Errorf("reviewer %+v", r)
		}
		if !r.probed("exit-code-on-annotations") || !r.has("only") || r.has("word-diff") || r.has("mentioned-only") {
			t.Errorf("flags %v", r.flags)
		}
		return r
	}
	probe()
	if n := runs(t, dir); n != 2 {
		t.Errorf("%d runs for the first probe", n)
	}
	probe()
	if n := runs(t, dir); n != 2 {
		t.Errorf("%d runs although the answer is cached", n)
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(1000, 0)); err != nil {
		t.Fatal(err)
	}
	probe()
	if n := runs(t, dir); n != 4 {
		t.Errorf("%d runs after the program changed", n)
	}
}

func TestProbe(t *testing.T) {
	old := strings.ReplaceAll(help, "--compare", "--comfort")
	tests := []struct {
		name, help, version, cache string
		wantName                   string
		degraded, fails            bool
	}{
		{"an unknown version is no reason to refuse", help, "version: unknown", "", "revdiff", false, false},
		{"a damaged cache is asked again", help, "version: v2.0.0", "{", "revdiff v2.0.0", false, false},
		{"an old one is degraded and says so", old, "version: v0.20.0-x", "", "revdiff v0.20.0", true, false},
		{"another program is not believed", "Usage: true\n", "", "", "revdiff", false, true},
		{"a version cannot smuggle escape sequences", help, "version: \x1b[2Jv1.0.0", "", "revdiff", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path, dir := script(t, tt.help, tt.version)
			cachePath := filepath.Join(dir, "cache.json")
			if tt.cache != "" {
				if err := os.WriteFile(cachePath, []byte(tt.cache), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Probe(t.Context(), Reviewer{Name: "revdiff", Path: path}, os.Environ(), cachePath)
			if (err != nil) != tt.fails {
				t.Fatalf("error %v", err)
			}
			if r.Name != tt.wantName || (r.Degraded() != "") != tt.degraded {
				t.Errorf("reviewer %+v, degraded %q", r, r.Degraded())
			}
			if tt.fails && r.flags != nil {
				t.Error("a failed probe changed the reviewer")
			}
		})
	}
}

func TestProbeOfTheBuiltInReviewerRunsNothing(t *testing.T) {
	r, err := Probe(t.Context(), Reviewer{Name: BuiltinName, Path: "/nowhere", Builtin: true}, nil, "")
	if err != nil || r.Name != BuiltinName {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestProbeWithoutAPlaceForTheCacheStillAnswers(t *testing.T) {
	path, _ := script(t, help, "version: v1.0.0")
	r, err := Probe(t.Context(), Reviewer{Path: path}, os.Environ(), filepath.Join(t.TempDir(), "missing", "cache"))
	if err != nil || r.Version != "v1.0.0" {
		t.Errorf("got %+v, %v", r, err)
	}
}
