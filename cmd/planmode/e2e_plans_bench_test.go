//go:build unix

package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"planmode/plan"
)

// BenchmarkPlansBrowser opens `/plans` on 10,000 plans: how long until the newest
// are on the screen, and until all are there.
func BenchmarkPlansBrowser(b *testing.B) {
	w := newWorld(b)
	first := withPlan(b, w.home)
	plans := filepath.Join(w.home, "data", "plans")
	manifest, err := os.ReadFile(filepath.Join(plans, string(first), "manifest.json"))
	if err != nil {
		b.Fatal(err)
	}
	for n := range 9999 {
		id := plan.NewID(first.Created().Add(-time.Duration(n+1)*time.Second), "listed", [4]byte{byte(n), byte(n >> 8)})
		dir := filepath.Join(plans, string(id))
		if err := os.Mkdir(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), bytes.ReplaceAll(manifest, []byte(first), []byte(id)), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	r := w.start()
	var shown, whole spread
	for b.Loop() {
		r.say("/plans")
		begun := time.Now()
		r.WaitFor("of 10000)")
		shown = append(shown, time.Since(begun))
		r.WaitFor("(10000 of 10000)")
		whole = append(whole, time.Since(begun))
		b.StopTimer()
		r.Press("esc")
		r.WaitGone("of 10000)")
		b.StartTimer()
	}
	report(b, "/plans with 10,000 plans: first screen, median", "ms-first", shown.median(), 50)
	report(b, "/plans with 10,000 plans: all of them, median", "ms-all", whole.median(), 150)
	r.quit()
}
