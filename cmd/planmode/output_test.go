package main

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 0: "0s", 59 * time.Second: "59s", time.Minute: "1m", 90 * time.Minute: "1h",
		47 * time.Hour: "1d", 13 * 24 * time.Hour: "1w", 800 * 24 * time.Hour: "2y",
	} {
		if got := age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

const listedID = "20260101T000000-0123456789ab"

// listed are summaries as package archive gives them: clean, of any length.
func listed(now time.Time) []archive.Summary {
	return []archive.Summary{
		{ID: listedID, Directory: "/w", First: text.Line("x\x1b[2J\x1b]0;owned\a\u009b31m\u202eabc\nplanmode: forged"), Entries: 2, Modified: plan.Stamp(now.Add(-time.Minute)), Created: plan.Stamp(now)},
		{
			ID: "20260102T000000-aaaaaaaaaaaa", Directory: "/a/very/long/path/that/says/most/at/its/very/end", Title: "购物车购物车购物车购物车购物车购物车购物车购物车",
			Entries: 100000, Modified: plan.Stamp(now.Add(-40 * 24 * time.Hour)), Created: plan.Stamp(now), Mode: plan.ModePlanning,
			Plan: &archive.Plan{ID: "20260101T000000-x-00000000", Revision: 12, Title: "Add a shopping cart, with everything that belongs to one", Draft: true},
			Work: plan.Implementing, Holder: &store.Holder{PID: 4711, Host: "box", Since: now}, Problems: []string{"line 3: damaged"}, Parent: "other",
		},
	}
}

func TestSessionTable(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	golden.RequireEqual(t, sessionTable(listed(now), now, 0))
	for line := range strings.Lines(sessionTable(listed(now), now, 80)) {
		if w := text.Width(strings.TrimRight(line, "\n")); w > 80 {
			t.Errorf("%d cells: %s", w, line)
		}
	}
}

func TestSessionRows(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	golden.RequireEqual(t, table(sessionRows(listed(now)[1])))
}

func TestManualPage(t *testing.T) {
	page, err := manPage(rootCommand())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".SH NAME", "sessions", "doctor", "rm", "adopt", ".SH FILES", ".SH COMPLETION"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(page, "`") || strings.Contains(page, "powershell script") {
		t.Error(page)
	}
}
