//go:build unix

package tool

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func outputOf(t *testing.T, r Result) OutputDetails {
	t.Helper()
	var d OutputDetails
	if err := json.Unmarshal(r.Details, &d); err != nil {
		t.Fatalf("details of %q: %v", r.Text, err)
	}
	return d
}

func TestBash(t *testing.T) {
	dir := t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "OPENAI_API_KEY=sk-1", "MY_OWN=sk-2", "PLAIN=yes")
	set := New(Options{Dir: dir, Env: env, Secrets: []string{"MY_OWN"}, Temp: "/somewhere"})
	for _, c := range []struct {
		name string
		args args
		want string
		exit int
	}{
		{"output and errors", args{"command": "echo out; echo err >&2"}, "out\nerr\n", 0},
		{"no output", args{"command": "true"}, "[no output]\n", 0},
		{"a failure", args{"command": "printf x; exit 3"}, "x\n[exit code 3]\n", 3},
		{"a signal", args{"command": "kill -KILL $$"}, "[ended by SIGKILL]\n", -1},
		{"the working directory", args{"command": "pwd"}, real + "\n", 0},
		{"no input", args{"command": "cat; read x || echo none"}, "none\n", 0},
		{"no keys, the rest of the environment", args{"command": "echo $OPENAI_API_KEY$MY_OWN$PLAIN $TMPDIR"}, "yes /somewhere\n", 0},
		{"a quick timeout", args{"command": "echo a; sleep 50", "timeout": 1}, "a\n[stopped after 1s; ask for a longer timeout if it needs one]\n", -1},
		{"output that is not text", args{"command": `printf 'a\377b'`}, "a\uFFFDb", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := do(t, set, "bash", c.args)
			if r.Text != c.want || r.Error != (c.exit != 0) {
				t.Errorf("got error %v, %q", r.Error, r.Text)
			}
			if d := outputOf(t, r); d.Exit != c.exit || d.Command != c.args["command"] || d.TimedOut != strings.Contains(c.want, "stopped") {
				t.Errorf("details %+v", d)
			}
		})
	}
	for _, bad := range []args{{"command": ""}, {"command": "a\x00b"}, {"command": "a", "timeout": 601}, {"command": "a", "timeout": 0}} {
		if r := do(t, set, "bash", bad); !r.Error || r.Details != nil {
			t.Errorf("%q ran: %q", bad, r.Text)
		}
	}
}

func TestBashBoundsItsOutput(t *testing.T) {
	r := do(t, New(Options{Dir: t.TempDir()}), "bash", args{"command": "echo first; yes 123456789 | head -c 1000000; echo last"})
	d := outputOf(t, r)
	if len(r.Text) > maxOutput+100 || d.Cut != 1000000+11-maxOutput {
		t.Errorf("%d bytes, %d cut", len(r.Text), d.Cut)
	}
	if !strings.HasPrefix(r.Text, "first\n") || !strings.HasSuffix(r.Text, "last\n") || !strings.Contains(r.Text, "bytes of output left out]") {
		t.Errorf("%.40q … %q", r.Text, r.Text[len(r.Text)-40:])
	}
}

func TestBashStreamsAndIsInterrupted(t *testing.T) {
	tool, _ := New(Options{Dir: t.TempDir()}).Find("bash")
	ctx, cancel := context.WithCancel(t.Context())
	var got strings.Builder
	r := tool.Run(ctx, Call{ID: "1", Name: "bash", Args: Marshal(args{"command": "echo started; sleep 60"})}, func(chunk string) {
		got.WriteString(chunk)
		cancel()
	})
	if got.String() != "started\n" || !r.Error || r.Text != "started\n[interrupted by the person; the command was stopped]\n" {
		t.Errorf("streamed %q, result %q", got.String(), r.Text)
	}
}

func FuzzStreamSendsWholeCharacters(f *testing.F) {
	f.Add([]byte("héllo 世界 👍\xff\xe4\xb8"), 1)
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		if piece < 1 {
			return
		}
		var got strings.Builder
		s := &stream{to: func(chunk string) {
			if !utf8.ValidString(chunk) {
				t.Errorf("chunk %q", chunk)
			}
			got.WriteString(chunk)
		}}
		for rest := data; len(rest) > 0; {
			n := min(piece, len(rest))
			s.write(rest[:n])
			rest = rest[n:]
		}
		if utf8.Valid(data) && got.String() != string(data) {
			t.Errorf("got %q of %q", got.String(), data)
		}
	})
}

func TestStreamEnds(t *testing.T) {
	n := 0
	s := &stream{to: func(chunk string) { n += len(chunk) }}
	for range 100 {
		s.write(make([]byte, 64<<10))
	}
	if n > maxStreamed+128<<10 {
		t.Errorf("streamed %d bytes", n)
	}
}
