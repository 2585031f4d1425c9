package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
)

// awkward are words, names and lines that break careless writers of Markdown.
var awkward = []string{
	"\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u202egnp.exe", "\u200bzero", "a`b", "```", "~~~", "<!--", "-->", "<script>", "## Goal",
	"## Execution steps", "1. step", "- [ ] x", "| a | b |", "---", "===", "[x]: http://y", "![i](u)", "中文文件", "日本語 テキスト", "émoji 🧑‍🚀",
	"a\tb", "trailing  ", "\\", "*", "_x_", "%s %d %!", "{{.}}", "\ufeffbom", "\u2028sep", "\u0085nel", "\x00nul", "\xff\xfe", "x\rcr", "&lt;&#10;", ":1:", "12\t",
	"    indented", "> quote", "# comment", strings.Repeat("long ", 3000), strings.Repeat("长", 5000), "login", "Basket",
}

// seeds is how many repositories are tried: fewer when time is short.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 5
	}
	return n
}

func pick(r *rand.Rand, n int) string {
	var parts []string
	for range 1 + r.IntN(n) {
		parts = append(parts, awkward[r.IntN(len(awkward))])
	}
	return strings.Join(parts, []string{" ", "\n", "", "\n\n"}[r.IntN(4)])
}

// fileName makes a name that the file system takes.
func fileName(r *rand.Rand) string {
	name := strings.Map(func(c rune) rune {
		if c == '/' || c == 0 {
			return '-'
		}
		return c
	}, pick(r, 2))
	if len(name) > 80 {
		name = strings.ToValidUTF8(name[:80], "")
	}
	return name + []string{".go", ".py", ".md", "", ".rs", "/x.ts"}[r.IntN(6)]
}

// hostileRepository fills a directory with awkward names and contents.
func hostileRepository(t *testing.T, r *rand.Rand) map[string]string {
	t.Helper()
	files := map[string]string{}
	for range r.IntN(6) {
		name := fileName(r)
		if strings.Trim(name, "./") != "" && filepath.IsLocal(name) {
			files[fmt.Sprintf("%d", len(files))+name] = pick(r, 8)
		}
	}
	for _, name := range []string{"README.md", "go.mod", "main.go"} {
		if r.IntN(2) == 0 {
			files[name] = pick(r, 8)
		}
	}
	return files
}

// TestHostileRepositoriesAlwaysGetAPlanThatPasses relies on the fake host, which
// fails the test when a submission does not pass the checks.
func TestHostileRepositoriesAlwaysGetAPlanThatPasses(t *testing.T) {
	for seed := range seeds(30) {
		t.Run(fmt.Sprint("repository ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			c := newConversation(t, hostileRepository(t, r))
			goal, note, request := "Add login "+pick(r, 4), pick(r, 3), pick(r, 2)
			for range 2 {
				c.review = append(c.review, c.changes(request, func(markdown string) []plan.Annotation {
					line := r.IntN(strings.Count(markdown, "\n") + 3)
					return []plan.Annotation{{Line: line, Quote: pick(r, 1), Body: note}, {Line: line + 1, Body: pick(r, 2)}}
				}))
			}
			c.say(goal)
			if n := len(c.submitted()); n != 3 {
				t.Fatalf("%d submissions, want 3; it said %q", n, c.emitted.String())
			}
			if _, err := c.handOff(); err != nil {
				t.Fatal(err)
			}
			if len(c.calls("complete_plan")) != 1 {
				t.Errorf("the plan was not completed: %q", c.emitted.String())
			}
		})
	}
}

func TestHugeAndUnreadableFilesDoNotMatter(t *testing.T) {
	c := newConversation(t, map[string]string{
		"huge.go":    strings.Repeat("func login() {}\n", 200_000),
		"line.go":    strings.Repeat("login", 400_000),
		"binary.go":  "login\x00\x01\x02\xff",
		"中文 名字.go":   "package x\n",
		"README.md":  "",
		"secret.txt": "login",
	})
	if err := os.Chmod(filepath.Join(c.dir, "secret.txt"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(c.dir, "endless.go")); err != nil {
		t.Fatal(err)
	}
	c.say("Fix the login")
	markdown := c.submitted()[0].Markdown
	if len(markdown) > 16<<10 {
		t.Errorf("the plan has %d bytes", len(markdown))
	}
}

// oddHost answers every call with the same text, whatever was asked.
type oddHost struct {
	fakeHost
	text string
}

func (h *oddHost) Batch(ctx context.Context, calls []tool.Call) ([]tool.Result, bool, error) {
	if calls[0].Name == "submit_plan" {
		return h.fakeHost.Batch(ctx, calls)
	}
	var results []tool.Result
	for _, c := range calls {
		results = append(results, tool.Result{CallID: c.ID, Name: c.Name, Text: h.text})
	}
	return results, false, nil
}

func FuzzPlanPassesWhateverWasFound(f *testing.F) {
	f.Add("Add login", "main.go:1:func login() {}\n1\tpackage main\nREADME.md\n")
	f.Add("修复登录", "1\t# \x1b[31m\u202e\n[more follows; go on with offset 3]\n")
	f.Add("```\n## Goal\n<!--", "a`b.go:3:x\n```\n")
	f.Fuzz(func(t *testing.T, goal, out string) {
		h := &oddHost{text: out, fakeHost: fakeHost{t: t}}
		turn := agent.Turn{Mode: plan.ModePlanning, Now: testNow, Messages: []agent.Message{userSays("Add " + goal)}}
		if err := New(Options{Temp: t.TempDir(), Delay: noDelay}).Run(context.Background(), turn, h); err != nil {
			t.Fatal(err)
		}
		if len(h.refs) != 1 {
			t.Errorf("no plan was handed in for %q: %q", goal, h.emitted.String())
		}
	})
}
