package gate

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func parse(line string) (Request, bool, string, int) {
	r, ok, err := Parse(strings.Fields(line))
	var mistake *UsageError
	if errors.As(err, &mistake) {
		return r, ok, mistake.Text, mistake.Code
	}
	return r, ok, "", 0
}

func TestStrictOptionsAreFoundAnywhere(t *testing.T) {
	words := []string{"p.md", "--require-approval", "--result-file V"}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		line := "annotate --gate"
		for _, i := range order {
			line += " " + words[i]
		}
		for _, full := range []string{line + " --json", "--require-approval annotate --gate --json p.md --result-file V"} {
			r, ok, text, _ := parse(full)
			if !ok || text != "" || !r.Strict.RequireApproval || r.Strict.ResultFile != "V" || !slices.Equal(r.Words, []string{"p.md"}) {
				t.Errorf("%s: %+v, %v, %q", full, r, ok, text)
			}
		}
	}
}

func TestMistakesInStrictOptions(t *testing.T) {
	for line, want := range map[string]string{
		"annotate f --gate --json --require-approval --require-approval": "--require-approval may only be specified once",
		"annotate f --gate --json --result-file a --result-file b":       "--result-file may only be specified once",
		"annotate f --gate --json --result-file":                         "Missing value for --result-file",
		"annotate f --json --result-file --gate":                         "Missing value for --result-file",
		"annotate f --gate --json --result-file=a":                       "--result-file takes no value after =; write it as a word of its own",
		"annotate f --gate --json --require-approval=true":               "--require-approval takes no value after =; write it as a word of its own",
		"annotate-last --gate --json --require-approval":                 onlyAnnotate,
		"last --gate --json --result-file r":                             onlyAnnotate,
		"review --require-approval":                                      onlyAnnotate,
		"--require-approval":                                             onlyAnnotate,
		"--gate --json annotate f --require-approval":                    onlyAnnotate,
		"annotate f --json --require-approval":                           needGateJSON,
		"annotate f --gate --result-file r":                              needGateJSON,
		"annotate f --require-approval":                                  needGateJSON,
		"annotate f --require-approval --hook":                           needGateJSON,
		"annotate f --require-approval --help":                           needGateJSON,
		"annotate f --gate --json --hook --require-approval":             notWithHook,
		"annotate f g --gate --json --require-approval":                  "--require-approval and --result-file take exactly one target; there are 2 words: f g",
		"annotate f --gate --gate --json --require-approval":             "--require-approval and --result-file take exactly one target; there are 2 words: f --gate",
		"annotate --unknown --gate --json --require-approval":            "unknown option --unknown; a file of that name is written ./--unknown",
		"annotate --gate --json --require-approval":                      "Usage: planmode annotate <file.md | file.txt | file.html | https://... | folder/> [--gate] [--json] [--hook]",
	} {
		_, ok, text, code := parse(line)
		if !ok || text != want || code != ExitBroken {
			t.Errorf("%s: %d %q, want %q", line, code, text, want)
		}
	}
	if _, _, err := Parse([]string{"annotate", "f", "--result-file", ""}); err == nil {
		t.Error("an empty value was taken")
	}
	if r, _, text, _ := parse("annotate f --gate --json --result-file -x"); text != "" || r.Strict.ResultFile != "-x" {
		t.Errorf("a value with one dash: %q, %q", r.Strict.ResultFile, text)
	}
}

func TestOrdinaryFlags(t *testing.T) {
	for line, want := range map[string]struct {
		format  Format
		words   string
		ignored string
	}{
		"annotate f --gate --json":                     {Format{Gate: true, JSON: true}, "f", ""},
		"--json annotate --hook f":                     {Format{JSON: true, Hook: true}, "f", ""},
		"annotate f --gate --gate":                     {Format{Gate: true}, "f --gate", ""},
		"annotate --no-jina --browser x f --tailscale": {Format{}, "f", "--tailscale --no-jina --browser"},
		"annotate --markdown --render-html f":          {Format{}, "f", "--render-html"},
		"annotate -- f":                                {Format{}, "-- f", ""},
		"annotate --no-jna f":                          {Format{}, "--no-jna f", ""},
		"annotate --hook":                              {Format{Hook: true}, "", ""},
		"annotate please review docs/plan.md --json":   {Format{JSON: true}, "please review docs/plan.md", ""},
	} {
		r, ok, text, _ := parse(line)
		if !ok || text != "" || r.Format != want.format || strings.Join(r.Words, " ") != want.words || strings.Join(r.Ignored, " ") != want.ignored {
			t.Errorf("%s: %+v %v %q", line, r, ok, text)
		}
	}
	if r, _, _, _ := parse("annotate f --surface tmux"); r.Surface != "tmux" || len(r.Words) != 1 {
		t.Errorf("surface: %+v", r)
	}
	if r, _, _, _ := parse("annotate f --surface=zellij"); r.Surface != "zellij" {
		t.Errorf("surface=: %+v", r)
	}
}

func TestAnnotateLast(t *testing.T) {
	r, ok, text, _ := parse("last --session abc --pick --gate --stdin --exclude-active-turn")
	if !ok || text != "" || r.Command != AnnotateLast || r.Session != "abc" || !r.Pick || !r.Stdin || !r.PassOver || !r.Format.Gate {
		t.Errorf("%+v %q", r, text)
	}
	if _, _, text, code := parse("annotate-last file.md"); text == "" || code != ExitFailed {
		t.Errorf("a word too many: %d %q", code, text)
	}
	if r, _, text, _ := parse("annotate-last --help"); !r.Help || text != "" {
		t.Errorf("help: %+v %q", r, text)
	}
}

func TestWhatIsNoGateIsLeftAlone(t *testing.T) {
	for _, line := range []string{"", "--plan", "sessions list --json", "doctor", "--json"} {
		if r, ok, text, _ := parse(line); ok || text != "" {
			t.Errorf("%q was taken for a gate: %+v %q", line, r, text)
		}
	}
	if _, ok, text, code := parse("annotate"); !ok || text == "" || code != ExitFailed {
		t.Errorf("no target: %v %d %q", ok, code, text)
	}
}

func FuzzParseNeverLosesAStrictOption(f *testing.F) {
	f.Add("annotate f --gate --json --require-approval")
	f.Add("--result-file x annotate --hook")
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		r, ok, err := Parse(words)
		if !slices.Contains(words, "--require-approval") || err != nil {
			return
		}
		// The only way to lose it is to be the value of a result file, which begins with no two dashes.
		if !ok || !r.Strict.RequireApproval || r.Command != Annotate || !r.Format.Gate || !r.Format.JSON || r.Format.Hook {
			t.Fatalf("%q lost its option: %+v %v", words, r, ok)
		}
	})
}
