package reviewer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// The budgets are 80 ms, 150 ms and 1 s to the first frame, and 5 ms from a key
// to its frame.

func benchFiles(b *testing.B, n int) (old, new string) {
	b.Helper()
	dir := b.TempDir()
	old, new = filepath.Join(dir, "plan-r1.md"), filepath.Join(dir, "plan-r2.md")
	for i, path := range []string{old, new} {
		if err := os.WriteFile(path, []byte(strings.Join(sampleLines(n, uint64(i)), "\n")+"\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return old, new
}

func benchOptions(b *testing.B, n int) map[string]Options {
	old, new := benchFiles(b, n)
	rich := filepath.Join(b.TempDir(), "rich.md")
	if err := os.WriteFile(rich, []byte(strings.Join(richLines(n), "\n")+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	return map[string]Options{"only": {Only: new}, "rich": {Only: rich}, "compare": {Old: old, New: new, CompactContext: defaultContext}}
}

func firstFrame(b *testing.B, o Options) *Model {
	m, _, err := prepare(o, nil)
	if err != nil {
		b.Fatal(err)
	}
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.View()
	return m
}

func BenchmarkFirstFrame(b *testing.B) {
	for _, n := range []int{400, 5_000, 50_000} {
		for name, o := range benchOptions(b, n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					firstFrame(b, o)
				}
			})
		}
	}
}

// BenchmarkSideBySide is the key that puts both texts beside each other, which
// pairs the lines of every change, and its frame.
func BenchmarkSideBySide(b *testing.B) {
	for _, n := range []int{400, 50_000} {
		old, new := benchFiles(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				m := firstFrame(b, Options{Old: old, New: new, CompactContext: defaultContext})
				m.Update(tea.WindowSizeMsg{Width: 160, Height: 40})
				b.StartTimer()
				m.Update(tea.KeyPressMsg{Code: '|', Text: "|"})
				m.View()
			}
		})
	}
}

func BenchmarkKeyToFrame(b *testing.B) {
	for _, n := range []int{400, 50_000} {
		for name, o := range benchOptions(b, n) {
			for _, key := range []string{"j", "]", ")", "r", "G"} {
				b.Run(fmt.Sprintf("%s/%d/%s", name, n, key), func(b *testing.B) {
					m := firstFrame(b, o)
					for b.Loop() {
						m.Update(tea.KeyPressMsg{Code: rune(key[0]), Text: key})
						m.View()
					}
				})
			}
		}
	}
}
