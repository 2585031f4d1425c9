package tui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/tui/theme"
)

// keyTimes measures key to frame: Update, which draws, and View.
func keyTimes(s *still, n int) []time.Duration {
	keys := []tea.KeyPressMsg{{Code: 'a', Text: "a"}, {Code: tea.KeyPgUp}, {Code: tea.KeyBackspace}, {Code: tea.KeyPgDown}}
	times := make([]time.Duration, n)
	for i := range times {
		begun := time.Now()
		s.Update(keys[i%len(keys)])
		_ = s.View()
		times[i] = time.Since(begun)
	}
	slices.Sort(times)
	return times
}

func long(t testing.TB, entries int) *still {
	f := newFake(t)
	for i := range entries / 2 {
		f.user(fmt.Sprintf("question %d", i)).say(fmt.Sprintf("An answer with **markup** and `code`, number %d.\n\n- one\n- two", i))
	}
	return newStill(f, theme.Options{Dark: true}).sized(120, 40)
}

func BenchmarkKeyToFrame(b *testing.B) {
	for _, entries := range []int{10, 100_000} {
		b.Run(fmt.Sprintf("%d entries", entries), func(b *testing.B) {
			s := long(b, entries)
			b.ResetTimer()
			times := keyTimes(s, max(b.N, 100))
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
		})
	}
}

// BenchmarkResume measures a long session from its entries to the last screen.
func BenchmarkResume(b *testing.B) {
	f := newFake(b)
	for i := range 12_500 {
		f.user("question").say("An answer with **markup**.").tool(fmt.Sprint(i), "read", map[string]any{"path": "a.go"}, "line\nline", nil)
	}
	for b.Loop() {
		newStill(f, theme.Options{Dark: true}).sized(120, 40)
	}
}

// The bound is ten times the budget, so that it fails for what grows with the
// history and not for a busy machine.
func TestAKeyIsDrawnInTimeWhateverTheHistory(t *testing.T) {
	s := long(t, 20_000)
	times := keyTimes(s, 500)
	// The median, since the slowest ones tell how busy the machine is; the
	// benchmark prints those.
	if median := times[len(times)/2]; median > 25*time.Millisecond {
		t.Errorf("the median of key to frame is %s", median)
	}
}
