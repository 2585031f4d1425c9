package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan/text"
	"planmode/store"
)

func getenv(env map[string]string) func(string) string {
	return func(name string) string { return env[name] }
}

// find returns the findings about one thing.
func find(r Report, what string) (found Report) {
	for _, c := range r {
		if c.What == what {
			found = append(found, c)
		}
	}
	return found
}

func TestTerminal(t *testing.T) {
	good := Terminal{In: true, Out: true, Device: true, Width: 80, Height: 24, Profile: colorprofile.TrueColor}
	redirected, none, small, plain := good, Terminal{}, good, good
	redirected.Out = false
	small.Width = 19
	plain.Profile = colorprofile.ASCII
	for name, c := range map[string]struct {
		terminal Terminal
		env      map[string]string
		what     string
		level    Level
		detail   string
	}{
		"an ordinary terminal":             {good, map[string]string{"TERM": "xterm"}, "terminal.TERM", OK, "xterm"},
		"TERM is not set":                  {good, nil, "terminal.TERM", Warn, "not set"},
		"a dumb terminal":                  {good, map[string]string{"TERM": "dumb"}, "terminal.TERM", Fail, "does not start"},
		"a terminal":                       {good, nil, "terminal.tty", OK, "are a terminal"},
		"redirected output is no fault":    {redirected, nil, "terminal.tty", OK, "redirected"},
		"no terminal is no failure":        {none, nil, "terminal.tty", Warn, "no terminal"},
		"the size":                         {good, nil, "terminal.size", OK, "80 columns, 24 rows"},
		"a small window":                   {small, nil, "terminal.size", Warn, "19 columns"},
		"an unknown size":                  {none, nil, "terminal.size", Warn, "not known"},
		"colours":                          {good, nil, "terminal.colour", OK, "truecolor"},
		"no colours":                       {plain, nil, "terminal.colour", Warn, "none"},
		"no colours are wanted":            {good, map[string]string{"NO_COLOR": "1"}, "terminal.colour", OK, "NO_COLOR"},
		"colours without a terminal":       {none, nil, "terminal.colour", OK, "not examined"},
		"no multiplexer":                   {good, nil, "terminal.multiplexer", OK, "none"},
		"tmux":                             {good, map[string]string{"TMUX": "x"}, "terminal.multiplexer", OK, "tmux"},
		"zellij over ssh":                  {good, map[string]string{"ZELLIJ": "0", "SSH_TTY": "x"}, "terminal.multiplexer", OK, "over ssh"},
		"no locale":                        {good, nil, "terminal.locale", Warn, "no UTF-8 locale"},
		"a UTF-8 locale":                   {good, map[string]string{"LANG": "de_DE.utf8"}, "terminal.locale", OK, "LANG=de_DE.utf8"},
		"LC_ALL beats LANG":                {good, map[string]string{"LANG": "C.UTF-8", "LC_ALL": "C"}, "terminal.locale", Warn, "LC_ALL=C is not"},
		"LC_ALL beats LC_CTYPE beats LANG": {good, map[string]string{"LC_CTYPE": "C", "LC_ALL": "C.UTF-8"}, "terminal.locale", OK, "LC_ALL"},
	} {
		t.Run(name, func(t *testing.T) {
			var r Report
			r.terminal(Surroundings{Getenv: getenv(c.env), Terminal: c.terminal})
			got := find(r, c.what)
			if len(got) != 1 || got[0].Level != c.level || !strings.Contains(got[0].Detail, c.detail) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestEveryFindingThatIsNotRightSaysWhatToDo(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{"config", "data", "elsewhere"} {
		if err := os.Mkdir(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := `{"theme": "pink", "reviewer": "revdiff", "keys": {"quit": ["x"], "nothing": ["f1"], "expand": ["ctrl+d"]}}`
	if err := os.WriteFile(filepath.Join(home, "config", "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"state": "elsewhere", "data/plans": "elsewhere"} {
		if err := os.Symlink(filepath.Join(home, target), filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "")
	r := Examine(context.Background(), surroundings(home, map[string]string{"TERM": "dumb"}))
	for _, c := range r {
		if (c.Level != OK) != (c.Todo != "") {
			t.Errorf("%+v", c)
		}
	}
	for what, level := range map[string]Level{
		"terminal.TERM": Fail, "reviewer": Fail, "git": Warn, "store.state": Fail, "store.data": Warn, "store.files": Warn,
		"config": Warn, "keys": Warn,
	} {
		found := find(r, what)
		if len(found) == 0 || found[len(found)-1].Level != level {
			t.Errorf("%s: %+v, want %s", what, found, level)
		}
	}
	if n := len(find(r, "keys")); n != 3 {
		t.Errorf("%d findings about keys: %+v", n, find(r, "keys"))
	}
}

// surroundings are the same on every machine: no PATH, no terminal.
func surroundings(home string, env map[string]string) Surroundings {
	return Surroundings{
		Getenv: getenv(env), Dir: home, Self: os.Args[0], Now: func() time.Time { return time.Unix(0, 0) },
		Dirs: store.Dirs{
			Config: filepath.Join(home, "config"), Data: filepath.Join(home, "data"),
			State: filepath.Join(home, "state"), Run: filepath.Join(home, "run"),
		},
		Build: Build{Version: "v1", Commit: "abc", Go: "go1", System: "os/arch"},
	}
}

func TestExaminingChangesNothing(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATH", "")
	r := Examine(context.Background(), surroundings(home, nil))
	if r.Count(Fail) > 0 {
		t.Errorf("%+v", r)
	}
	if names, err := os.ReadDir(home); err != nil || len(names) > 0 {
		t.Errorf("left %v, %v", names, err)
	}
}

const hostile = "x\x1b[2J\x1b]0;owned\a\u009b31m\u202eabc\nok    forged  line"

var report = Report{
	{OK, "terminal.TERM", hostile, ""},
	{Warn, "config", hostile, "Correct " + hostile},
	{Fail, "reviewer", "世界 is missing", "Install it <here> & now."},
}

func TestTextIsCleanAndALineEach(t *testing.T) {
	var b bytes.Buffer
	if err := report.Text(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), text.Hidden) {
			t.Errorf("%q", line)
		}
	}
	golden.RequireEqual(t, b.String())
}

func TestJSONIsWholeAndHarmless(t *testing.T) {
	var b bytes.Buffer
	if err := report.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Failed, Warnings int
		Checks           Report
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Failed != 1 || back.Warnings != 1 || len(back.Checks) != 3 || back.Checks[0] != report[0] {
		t.Errorf("%+v, %v", back, err)
	}
	golden.RequireEqual(t, b.String())
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 5 << 20: "5.0 MiB", 3 << 40: "3.0 TiB", 1<<20 - 1: "1024.0 KiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
