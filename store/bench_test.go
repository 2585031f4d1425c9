package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
	"planmode/store"
)

// bigText is a text of exactly 256 KiB that differs for every n.
func bigText(n int) string {
	head := fmt.Sprintf("# Plan %d\n", n)
	return head + strings.Repeat("x", plan.MaxPlanBytes-len(head)-1) + "\n"
}

// bareSubmit is the least a durable submission can do: the revision and the
// manifest, each written and synced, linked or renamed, and its directory synced.
func bareSubmit(b *testing.B, dir string, n int, text string, manifest []byte) {
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		_ = f.Close()
		return path
	}
	syncDir := func(path string) {
		d, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := d.Sync(); err != nil {
			b.Fatal(err)
		}
		_ = d.Close()
	}
	temp := write("revisions/.tmp", []byte(text))
	if err := os.Link(temp, filepath.Join(dir, fmt.Sprintf("revisions/r%d.md", n))); err != nil {
		b.Fatal(err)
	}
	_ = os.Remove(temp)
	syncDir(filepath.Join(dir, "revisions"))
	if err := os.Rename(write(".tmp", manifest), filepath.Join(dir, "manifest.json")); err != nil {
		b.Fatal(err)
	}
	syncDir(dir)
}

// BenchmarkSubmit compares the submission of a 256 KiB plan with the bare system
// calls, in turn, so that both see the same disk. The budget is a ratio of 1.5.
func BenchmarkSubmit(b *testing.B) {
	s := openIn(b, b.TempDir(), store.Options{Now: time.Now})
	m, ref := submit(b, s, first(bigText(0)))
	manifest, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(s.RevisionPath(ref))), "manifest.json"))
	if err != nil {
		b.Fatal(err)
	}
	bareDir := b.TempDir()
	if err := os.Mkdir(filepath.Join(bareDir, "revisions"), 0o700); err != nil {
		b.Fatal(err)
	}
	var ours, bare time.Duration
	for n := 1; b.Loop(); n++ {
		text := bigText(n)
		begin := time.Now()
		bareSubmit(b, bareDir, n, text, manifest)
		bare += time.Since(begin)
		if n%10 == 0 { // few plans have more revisions
			m, _ = submit(b, s, first(bigText(0)))
		}
		begin = time.Now()
		submit(b, s, next(m.PlanID, 1, text))
		ours += time.Since(begin)
	}
	b.ReportMetric(float64(ours)/float64(bare), "ratio")
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "µs/submit")
}

// BenchmarkPlans lists 10,000 plans; the budget is 150 ms warm.
func BenchmarkPlans(b *testing.B) {
	home := b.TempDir()
	s := openIn(b, home, store.Options{})
	m, ref := submit(b, s, first("# One\n"))
	from, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(s.RevisionPath(ref))), "manifest.json"))
	if err != nil {
		b.Fatal(err)
	}
	for n := range 9999 {
		id := plan.NewID(start.Add(time.Duration(n)*time.Second), "listed", [4]byte{byte(n), byte(n >> 8), 1})
		dir := filepath.Join(home, "data/plans", string(id))
		if err := os.Mkdir(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		text := strings.ReplaceAll(string(from), string(m.PlanID), string(id))
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if list, err := s.Plans(); err != nil || len(list) != 10000 {
			b.Fatalf("%d plans, %v", len(list), err)
		}
	}
}

// BenchmarkOpenLog reads a session of 50,000 entries.
func BenchmarkOpenLog(b *testing.B) {
	home := b.TempDir()
	path := written(b, home)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	line, err := tree.AppendHeader(nil, tree.Header{Session: sessionID, Version: 1, Cwd: "/w"})
	parent := plan.EntryID("")
	for n := 0; n < 50000 && err == nil; n++ {
		e := entry(b, 4*n, parent)
		parent = e.ID
		if line, err = tree.AppendLine(line, e); err == nil {
			_, err = f.Write(line)
		}
		line = line[:0]
	}
	if err != nil || f.Close() != nil {
		b.Fatal(err)
	}
	s := openIn(b, home, store.Options{})
	for b.Loop() {
		l, err := s.ReadLog(sessionID)
		if err != nil || l.Tree().Len() != 50000 {
			b.Fatalf("%d entries, %v", l.Tree().Len(), err)
		}
		_ = l.Close()
	}
}
