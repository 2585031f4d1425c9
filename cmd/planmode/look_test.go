package main

import (
	"slices"
	"strings"
	"testing"

	"planmode/store"
)

func TestTheReviewerLooksLikeTheApp(t *testing.T) {
	for _, c := range []struct {
		config store.Config
		want   []string
	}{
		{store.Config{Theme: "auto"}, nil},
		{store.Config{Theme: "light", ASCII: true}, []string{"--theme=light", "--ascii"}},
		{store.Config{Theme: "dark"}, []string{"--theme=dark"}},
	} {
		if got := look(c.config); !slices.Equal(got, c.want) {
			t.Errorf("theme %q, ascii %t: flags %q, want %q", c.config.Theme, c.config.ASCII, got, c.want)
		}
	}
}

func TestTheUsageNamesTheIDThatResumeMayHave(t *testing.T) {
	help := rootCommand().UsageString()
	if !strings.Contains(help, "--resume [ID] ") || strings.Contains(help, chooseSession+`"`) {
		t.Errorf("usage:\n%s", help)
	}
	for line := range strings.Lines(help) {
		if len(line) > 81 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
}
