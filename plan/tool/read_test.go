package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadShowsNumberedLines(t *testing.T) {
	many := strings.Repeat("line\n", 2500)
	dir := files(t, map[string]string{
		"a.txt": "one\ntwo\nthree", "crlf.txt": "one\r\ntwo\r\n", "empty": "", "many": many, "binary": "a\x00b", "latin1": "caf\xe9 au lait\n",
		"long": strings.Repeat("x", 5000) + "\nend\n", "中文.md": "# 标题\n", "link": "-> a.txt", "d/": "", "dangling": "-> nowhere",
		"esc": "a\x1b[31mb\n", "tail": "ok\n" + strings.Repeat("é", 4095) + "\nmore\n",
	})
	outside := files(t, map[string]string{"o.txt": "out\n"})
	set := New(Options{Dir: dir})
	for _, c := range []struct {
		name string
		args args
		want string // the whole text, or with … in it its beginning and its end
		bad  bool
	}{
		{"a file without a final newline", args{"path": "a.txt"}, "1\tone\n2\ttwo\n3\tthree\n", false},
		{"an absolute path", args{"path": filepath.Join(dir, "a.txt")}, "1\tone\n2\ttwo\n3\tthree\n", false},
		{"a path outside", args{"path": filepath.Join(outside, "o.txt")}, "1\tout\n", false},
		{"a path that climbs", args{"path": "d/../a.txt", "limit": 1}, "1\tone\n[more follows; go on with offset 2]\n", false},
		{"through a symbolic link", args{"path": "link", "offset": 3}, "3\tthree\n", false},
		{"from an offset", args{"path": "a.txt", "offset": 2, "limit": 1}, "2\ttwo\n[more follows; go on with offset 3]\n", false},
		{"the last lines exactly", args{"path": "a.txt", "offset": 2, "limit": 2}, "2\ttwo\n3\tthree\n", false},
		{"carriage returns are not shown", args{"path": "crlf.txt"}, "1\tone\n2\ttwo\n", false},
		{"an empty file", args{"path": "empty"}, "[the file is empty]\n", false},
		{"more lines than are shown at once", args{"path": "many"}, "1\tline\n…2000\tline\n[more follows; go on with offset 2001]\n", false},
		{"the rest", args{"path": "many", "offset": 2400}, "2400\tline\n…2500\tline\n", false},
		{"a Chinese name", args{"path": "中文.md"}, "1\t# 标题\n", false},
		{"escape sequences reach the agent as they are", args{"path": "esc"}, "1\ta\x1b[31mb\n", false},
		{"a long line is cut", args{"path": "long"}, "1\txxx…x [line cut, 5001 bytes long]\n2\tend\n", false},
		{"a character across the end of the first look", args{"path": "tail", "limit": 1}, "1\tok\n[more follows; go on with offset 2]\n", false},
		{"a binary file", args{"path": "binary"}, "binary is not shown: it is a binary file, 3 bytes.", false},
		{"another encoding", args{"path": "latin1"}, "latin1 is not shown: it is not UTF-8 text, 13 bytes.", false},
		{"past the end", args{"path": "a.txt", "offset": 9}, "read a.txt: the file has only 3 lines; offset 9 is past its end", true},
		{"a missing file", args{"path": "nope"}, "read nope: no such file or directory", true},
		{"a dangling link", args{"path": "dangling"}, "read dangling: no such file or directory", true},
		{"a directory", args{"path": "d"}, "read d: it is a directory; use ls", true},
		{"an offset below one", args{"path": "a.txt", "offset": 0}, `read was not run: argument "offset" must be at least 1; it is 0.`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := do(t, set, "read", c.args)
			start, end, _ := strings.Cut(c.want, "…")
			if r.Error != c.bad || !strings.HasPrefix(r.Text, start) || !strings.HasSuffix(r.Text, end) || !strings.Contains(c.want, "…") && r.Text != c.want {
				t.Errorf("got error %v, %.300q", r.Error, r.Text)
			}
		})
	}
}

func TestReadBoundsWhatItReturns(t *testing.T) {
	dir := files(t, map[string]string{"wide": strings.Repeat(strings.Repeat("y", 1900)+"\n", 1000)})
	r := do(t, New(Options{Dir: dir}), "read", args{"path": "wide"})
	if len(r.Text) > maxReadBytes+maxLineBytes || !strings.Contains(r.Text, "go on with offset") {
		t.Errorf("%d bytes, ends %q", len(r.Text), r.Text[len(r.Text)-60:])
	}
	huge := filepath.Join(dir, "huge")
	f, err := os.Create(huge)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "text")
	if err := errors.Join(f.Truncate(1<<40), f.Close()); err != nil {
		t.Skip("this file system has no files with holes")
	}
	if r := do(t, New(Options{Dir: dir}), "read", args{"path": "huge"}); r.Error || !strings.Contains(r.Text, "binary") {
		t.Errorf("a file of holes: %.100q", r.Text)
	}
}

func TestReadStopsWithItsContext(t *testing.T) {
	dir := files(t, map[string]string{"a": "text\n"})
	tool, _ := New(Options{Dir: dir}).Find("read")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := tool.Run(ctx, Call{ID: "1", Name: "read", Args: Marshal(args{"path": "a"})}, nil)
	if !r.Error || !strings.Contains(r.Text, "canceled") {
		t.Errorf("got %+v", r)
	}
}

func FuzzNumberedLinesGiveTheFileBack(f *testing.F) {
	f.Add("a\nb\n", 2)
	f.Add("a\r\n\r\nb", 1)
	f.Fuzz(func(t *testing.T, content string, limit int) {
		if limit < 1 || limit > 50 || len(content) > 1500 || strings.Contains(content, "\r") || content != strings.ToValidUTF8(content, "") {
			return
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		set := New(Options{Dir: dir, Env: []string{}})
		var back strings.Builder
		lines := strings.Count(content, "\n")
		for offset := 1; offset <= lines+1; offset += limit {
			r := do(t, set, "read", args{"path": "f", "offset": offset, "limit": limit})
			if r.Error || strings.Contains(r.Text, "is not shown") || strings.HasPrefix(r.Text, "[") {
				return
			}
			for line := range strings.Lines(r.Text) {
				if number, text, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(number, "[") {
					back.WriteString(text)
				}
			}
		}
		if got := strings.TrimSuffix(back.String(), "\n"); got != strings.TrimSuffix(content, "\n") {
			t.Errorf("got %q from %q", got, content)
		}
	})
}
