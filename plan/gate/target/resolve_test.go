package target

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan/gate"
	"planmode/plan/tool/web"
)

// tree is a directory with files; a name that ends in / is a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o700)
		} else if err == nil {
			err = os.WriteFile(path, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// page serves pages without a network.
func page(pages map[string]web.Page) func(context.Context, web.Options, string) (web.Page, error) {
	return func(_ context.Context, o web.Options, address string) (web.Page, error) {
		if p, ok := pages[address]; ok {
			return p, nil
		}
		if !o.Private {
			return web.Page{}, web.ErrPrivate
		}
		return web.Page{}, errors.New("the server answered 404 Not Found")
	}
}

func sample(t *testing.T) Options {
	root := tree(t, map[string]string{
		"plan.md": "# Plan\r\n\r\nDo it.\r\n", "docs/deep.md": "deep", "docs/Mixed.TXT": "mixed", "a/same.md": "1", "b/same.md": "2", "two words.md": "two",
		"node_modules/x/hidden.md": "no", "code.go": "package x", ".env": "SECRET=1", ".env.example": "A=1", "page.html": "<title>T</title><h1>Head</h1><p>Text <b>bold</b></p><script>evil()</script>",
		"set.yaml": "# c\na: 1\n", "bin.md": "a\x00b", "utf16.md": "\xff\xfeh\x00i\x00", "odd.md": "\ufeffa\xffb\x1b[2J\n", "empty.md": "", "hollow/": "", "readme": "x",
		"tilde.md": "t", "-": "dash",
	})
	return Options{Cwd: root, Home: root, Fetch: page(map[string]web.Page{"https://example.com/x": {URL: "https://example.com/x", Title: "X", Text: "# X\n\ntext"}})}
}

func TestResolve(t *testing.T) {
	o := sample(t)
	for _, c := range []struct {
		name  string
		words string // separated by |
		path  string // of the answer, relative to the root; an address as it is
		text  string
		fails string // the beginning of the error
	}{
		{"a file", "plan.md", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"by its absolute path", filepath.Join(o.Cwd, "plan.md"), "plan.md", "# Plan\n\nDo it.\n", ""},
		{"with the sign before it", "@plan.md", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"in quotes", `"two words.md"`, "two words.md", "two", ""},
		{"with both", `@"two words.md"`, "two words.md", "two", ""},
		{"with blanks", "two words.md", "two words.md", "two", ""},
		{"at home", "~/tilde.md", "tilde.md", "t", ""},
		{"through ..", "docs/../plan.md", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"a bare name is searched", "deep.md", "docs/deep.md", "deep", ""},
		{"in any case", "DEEP.MD", "docs/deep.md", "deep", ""},
		{"a path in another case", "DOCS/mixed.txt", "docs/Mixed.TXT", "mixed", ""},
		{"several files of a name", "same.md", "", "", "Ambiguous filename \"same.md\" — found 2 matches:\n  a/same.md\n  b/same.md"},
		{"nothing is searched where nobody writes", "hidden.md", "", "", "File not found: hidden.md"},
		{"nothing", "none.md", "", "", "File not found: none.md"},
		{"the name of the error is as it was written", "@none.md", "", "", "File not found: @none.md"},
		{"code", "code.go", "", "", "File type not supported: .go\nSupported types: .md, "},
		{"a file without an ending", "readme", "", "", "File type not supported: readme"},
		{"secrets", ".env", "", "", "File type not supported: .env"},
		{"their sample", ".env.example", ".env.example", "A=1", ""},
		{"settings", "set.yaml", "set.yaml", "# c\na: 1\n", ""},
		{"an empty file", "empty.md", "empty.md", "", ""},
		{"binary", "bin.md", "", "", "Cannot review "},
		{"UTF-16", "utf16.md", "utf16.md", "hi", ""},
		{"what is no UTF-8, and an escape", "odd.md", "odd.md", "a\ufffdb␛[2J\n", ""},
		{"HTML", "page.html", "page.html", "# Head\n\nText **bold**\n", ""},
		{"a page", "https://example.com/x", "https://example.com/x", "# X\n\ntext\n", ""},
		{"a page with the sign", "@https://example.com/x", "https://example.com/x", "# X\n\ntext\n", ""},
		{"a page of the own network", "http://10.0.0.1/", "", "", "Failed to fetch URL: http://10.0.0.1/: it is not a public address; --allow-private"},
		{"an empty folder", "hollow", "", "", "No annotatable files (markdown, plain-text, config, or HTML) found in "},
		{"prose around a name", "please|review|docs/deep.md|now", "docs/deep.md", "deep", ""},
		{"prose around a bare name", "look|at|deep.md", "docs/deep.md", "deep", ""},
		{"a word that is a folder is no target", "review|docs|in|plan.md", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"a dot is none either", ".|plan.md", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"a folder with a slash is one", "review|a/|please", "a", "# File: same.md\n\n1\n\n", ""},
		{"the same file twice", "plan.md|and|./plan.md", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"the same word twice", "plan.md|plan.md", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"two files", "plan.md|docs/deep.md", "", "", "Ambiguous annotate arguments: 2 of them each resolve to an existing target.\n  plan.md -> " + o.Cwd},
		{"a file and a page", "plan.md|https://example.com/x", "", "", "Ambiguous annotate arguments: 2"},
		{"prose alone", "do|the|thing", "", "", "Could not resolve the arguments below to a file, URL, or folder; nothing in them matches an existing path:\n\n  do\n  the\n  thing\n"},
		{"a flag nobody knows", "--no-jna|plan.md", "", "", "File not found: --no-jna"},
		{"a flag after the name", "plan.md|--no-jna", "plan.md", "# Plan\n\nDo it.\n", ""},
		{"two dashes", "--|plan.md", "", "", "File not found: --"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Resolve(t.Context(), o, strings.Split(c.words, "|"))
			if c.fails != "" {
				var known *Error
				if !errors.As(err, &known) || !strings.HasPrefix(known.Text, c.fails) {
					t.Errorf("error %v, want %q", err, c.fails)
				}
				return
			}
			path, rerr := filepath.Rel(o.Cwd, got.Path)
			if rerr != nil {
				path = got.Path
			}
			if err != nil || path != c.path || string(got.Markdown) != c.text {
				t.Errorf("%q with %q, %v; want %q with %q", path, got.Markdown, err, c.path, c.text)
			}
		})
	}
}

func TestStrictTakesTheWordAsItIs(t *testing.T) {
	o := sample(t)
	o.Strict = true
	if _, err := Resolve(t.Context(), o, []string{"please review plan.md"}); err == nil || err.Error() != "File not found: please review plan.md" {
		t.Errorf("%v", err)
	}
}

func TestHTMLAsItIsWritten(t *testing.T) {
	o := sample(t)
	o.Raw = true
	got, err := Resolve(t.Context(), o, []string{"page.html"})
	if err != nil || !strings.Contains(string(got.Markdown), "<script>") || got.Converted || !got.Plain {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTheSizeOfAFileIsBounded(t *testing.T) {
	root := tree(t, map[string]string{"fits.md": strings.Repeat("x", MaxBytes), "not.md": strings.Repeat("x", MaxBytes+1)})
	o := Options{Cwd: root}
	if _, err := Resolve(t.Context(), o, []string{"fits.md"}); err != nil {
		t.Errorf("2 MiB: %v", err)
	}
	if _, err := Resolve(t.Context(), o, []string{"not.md"}); err == nil || err.Error() != "File too large to annotate (max 2MB): "+filepath.Join(root, "not.md") {
		t.Errorf("one byte more: %v", err)
	}
}

func TestStandardInputAndTheHooksEvent(t *testing.T) {
	root := tree(t, map[string]string{"plan.md": "# Plan\n"})
	for _, c := range []struct {
		name, words, stdin, text, fails string
	}{
		{"the text itself", "-", "# Piped\r\n", "# Piped\n", ""},
		{"no text", "-", "", "", "No text received on stdin."},
		{"too much", "-", strings.Repeat("x", MaxBytes+1), "", "File too large to annotate (max 2MB): standard input"},
		{"the file of the event", "", `{"tool_input":{"file_path":"plan.md"}}`, "# Plan\n", ""},
		{"under another name", "", `{"tool_input":{"filePath":"` + root + `/plan.md"}}`, "# Plan\n", ""},
		{"no event", "", "", "", "No target, and no hook event on stdin"},
		{"a broken one", "", "{", "", "Failed to parse hook event from stdin: "},
		{"one without a file", "", `{"tool_input":{"command":"ls"}}`, "", "No file in the hook event on stdin"},
		{"one with a file that is no name", "", `{"tool_input":{"file_path":{"a":1}}}`, "", "No file in the hook event on stdin"},
		{"one that is not there", "", `{"tool_input":{"file_path":"x.md"}}`, "", "File not found: x.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Cwd: root, Hook: true, Stdin: strings.NewReader(c.stdin)}
			got, err := Resolve(t.Context(), o, strings.Fields(c.words))
			if c.fails != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.fails) {
					t.Errorf("error %v, want %q", err, c.fails)
				}
				return
			}
			if err != nil || string(got.Markdown) != c.text {
				t.Errorf("%q, %v", got.Markdown, err)
			}
		})
	}
	if _, err := Resolve(t.Context(), Options{Cwd: root}, []string{"-"}); err == nil {
		t.Error("a terminal was read as a text")
	}
	if _, err := Resolve(t.Context(), Options{Cwd: root, Stdin: io.Reader(nil)}, nil); err == nil || !strings.HasPrefix(err.Error(), "Usage: planmode annotate ") {
		t.Errorf("no words: %v", err)
	}
}

func TestAFolderIsOneTextWithItsFiles(t *testing.T) {
	root := tree(t, map[string]string{"d/a.md": "# A\n\none", "d/b/c.yaml": "x: ```\ny: 2\n", "d/code.go": "package x", "d/z.md": "last\n"})
	got, err := Resolve(t.Context(), Options{Cwd: root}, []string{"d"})
	if err != nil || got.Subject != gate.SubjectFolder || got.Name != "d/" || len(got.Parts) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	lines := strings.Split(string(got.Markdown), "\n")
	for i, first := range []string{"# A", "x: ```", "last"} {
		if p := got.Parts[i]; lines[p.Line-1] != first {
			t.Errorf("%s begins at line %d: %q", p.Path, p.Line, lines[p.Line-1])
		}
	}
	if strings.Contains(string(got.Markdown), "package x") || !strings.Contains(string(got.Markdown), "````\nx: ```\n") {
		t.Errorf("%s", got.Markdown)
	}
}

func TestAgainSeesWhatChanged(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "one\n", "p.html": "<p>one"})
	o := Options{Cwd: root}
	for _, name := range []string{"a.md", "p.html", "."} {
		shown, err := Resolve(t.Context(), o, []string{name})
		if err != nil {
			t.Fatal(err)
		}
		if _, changed, err := Again(t.Context(), o, shown); changed || err != nil {
			t.Errorf("%s changed by itself: %v", name, err)
		}
	}
	shown, _ := Resolve(t.Context(), o, []string{"a.md"})
	if err := os.WriteFile(filepath.Join(root, "a.md"), []byte("two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if now, changed, err := Again(t.Context(), o, shown); !changed || err != nil || string(now.Markdown) != "two\n" {
		t.Errorf("%q, %v, %v", now.Markdown, changed, err)
	}
	os.Remove(filepath.Join(root, "a.md"))
	if _, changed, err := Again(t.Context(), o, shown); !changed || err == nil {
		t.Error("a file that is gone is as it was")
	}
}

func FuzzTheHooksEventNamesAFileOrFails(f *testing.F) {
	f.Add(`{"tool_input":{"file_path":"a.md"}}`)
	f.Add(`{"file_path":"a.md","tool_input":null}`)
	f.Fuzz(func(t *testing.T, event string) {
		word, err := fromHook(strings.NewReader(event))
		if (word == "") != (err != nil) {
			t.Fatalf("%q gave %q and %v", event, word, err)
		}
	})
}
