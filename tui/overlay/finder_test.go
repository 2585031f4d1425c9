package overlay

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planmode/tui/theme"
)

func typed(f *Finder, s string) {
	for _, r := range s {
		f.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

var entries = []Found{
	{Label: "Add a cart", Detail: "today", Text: "id-1"},
	{Label: "登录迁移", Detail: "yesterday"},
	{Label: "Remove the cart", Text: "deep inside"},
	{Label: "hostile\x1b[2J\u202e"},
}

func TestFinderNarrows(t *testing.T) {
	cases := map[string]struct {
		query string
		want  int // of the first match, -1 for none
	}{
		"nothing typed gives the first":        {"", 0},
		"case does not matter":                 {"CART", 0},
		"every word must occur, in any order":  {"cart remove", 2},
		"the text behind the label is found":   {"deep", 2},
		"the detail is found":                  {"yester", 1},
		"Chinese is found":                     {"迁移", 1},
		"what occurs nowhere gives no choice":  {"zzz", -1},
		"deleting widens again":                {"cartx\b", 0},
		"a query that changes is a new search": {"cart\b\b\b\b登录", 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := NewFinder("Find", entries, theme.New(theme.Options{Dark: true}))
			for _, r := range c.query {
				if r == '\b' {
					f.Key(tea.KeyPressMsg{Code: tea.KeyBackspace})
					continue
				}
				typed(f, string(r))
			}
			got, done := f.Key(tea.KeyPressMsg{Code: tea.KeyEnter})
			if got != c.want || done != (c.want >= 0) {
				t.Errorf("chose %d, done %v", got, done)
			}
		})
	}
}

func TestFinderMovesAndCloses(t *testing.T) {
	f := NewFinder("Find", entries, theme.New(theme.Options{}))
	f.Key(tea.KeyPressMsg{Code: tea.KeyUp})
	for range 9 {
		f.Key(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	if got, _ := f.Key(tea.KeyPressMsg{Code: tea.KeyEnter}); got != 3 {
		t.Errorf("the last one is %d", got)
	}
	if got, done := f.Key(tea.KeyPressMsg{Code: tea.KeyEscape}); got != -1 || !done {
		t.Errorf("Esc gives %d, %v", got, done)
	}
}

func TestFinderFitsAnyPlace(t *testing.T) {
	for width := 1; width <= 90; width += 3 {
		for height := 1; height <= 20; height++ {
			f := NewFinder("Find 查找", entries, theme.New(theme.Options{Dark: true}))
			lines := f.View(width, height)
			if len(lines) > height {
				t.Fatalf("%dx%d: %d lines", width, height, len(lines))
			}
			for _, l := range lines {
				if ansi.StringWidth(l) > width {
					t.Fatalf("%dx%d: %q is too wide", width, height, l)
				}
				if s := ansi.Strip(l); strings.ContainsAny(s, "\x1b\u202e") {
					t.Fatalf("hostile text in %q", s)
				}
			}
		}
	}
}
