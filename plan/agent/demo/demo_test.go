package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
)

// goProject is an ordinary little repository.
var goProject = map[string]string{
	"README.md":           "# Shop\n\nA small shop.\n",
	"go.mod":              "module shop\n\ngo 1.26\n",
	"main.go":             "package main\n\nfunc main() {\n\tserve()\n}\n",
	"login.go":            "package main\n\n// Login checks a password.\nfunc Login(user, password string) bool {\n\treturn password != \"\"\n}\n",
	"login_test.go":       "package main\n\nimport \"testing\"\n\nfunc TestLogin(t *testing.T) {}\n",
	"store/basket.go":     "package store\n\ntype Basket struct{}\n",
	"docs/guide/intro.md": "# Intro\n",
}

func TestAgentIsNamedDemoAndHasNoModel(t *testing.T) {
	a := New(Options{})
	if a.Name() != "demo" || a.Model() != "" {
		t.Errorf("got name %q, model %q", a.Name(), a.Model())
	}
}

func TestSameRepositoryAndConversationGiveTheSameTurn(t *testing.T) {
	c := newConversation(t, goProject)
	c.turn.Messages = []agent.Message{{Role: agent.RoleUser, Text: "Fix the Login error"}}
	var runs []string
	for range 2 {
		h := &fakeHost{t: t, dir: c.dir}
		if err := c.agent.Run(context.Background(), c.turn, h); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, fmt.Sprintf("%s\n%+v", h.emitted.String(), h.messages))
	}
	if runs[0] != runs[1] {
		t.Errorf("two runs differ:\n%s\n---\n%s", runs[0], runs[1])
	}
}

func TestCallIDsNeverRepeatInASession(t *testing.T) {
	c := newConversation(t, goProject)
	c.review = append(c.review, c.changes("also update the README", nil))
	c.say("Add OAuth login")
	if _, err := c.handOff(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range c.turn.Messages {
		for _, call := range m.Calls {
			if seen[call.ID] {
				t.Errorf("id %s is used twice", call.ID)
			}
			seen[call.ID] = true
		}
	}
	// After a compaction the conversation starts over, yet ids go on being new.
	c.turn.Mode, c.turn.Work, c.turn.Messages = plan.ModePlanning, nil, nil
	c.say("Add OAuth login")
	for _, m := range c.turn.Messages {
		for _, call := range m.Calls {
			if seen[call.ID] {
				t.Errorf("id %s is used again after a compaction", call.ID)
			}
		}
	}
}

func TestAnEndedContextEndsTheTurnWithItsError(t *testing.T) {
	c := newConversation(t, goProject)
	ctx, cancel := context.WithCancel(context.Background())
	c.agent.delay = func(ctx context.Context, _ time.Duration) error {
		if c.emitted.Len() > 40 {
			cancel()
		}
		return ctx.Err()
	}
	c.turn.Messages = []agent.Message{{Role: agent.RoleUser, Text: "Add OAuth login"}}
	err := c.agent.Run(ctx, c.turn, c)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	if c.emitted.Len() > 80 {
		t.Errorf("went on talking: %q", c.emitted.String())
	}
}

func TestAHostThatSaysStopIsObeyed(t *testing.T) {
	c := newConversation(t, goProject)
	c.review = append(c.review, answer("keep_planning", "kept", true))
	said := c.say("Add OAuth login")
	if !strings.HasSuffix(strings.TrimSpace(said), "for your review.") {
		t.Errorf("spoke after the stop: %q", said)
	}
}

func TestSplitJoinsToTheText(t *testing.T) {
	cases := []struct {
		name, text string
		pieces     int
	}{
		{"nothing is no piece", "", 0},
		{"words keep the blank after them", "one two three", 3},
		{"Chinese comes a few characters at a time", "请为登录增加验证", 3},
		{"a word without end is cut", strings.Repeat("x", 100), 5},
		{"invalid bytes are kept", "a\xffb c", 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := split(c.text)
			if strings.Join(got, "") != c.text || len(got) != c.pieces {
				t.Errorf("got %q, want %d pieces", got, c.pieces)
			}
		})
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"", "a b", "你好 world", "\xff\xfe ", "e\u0301\u200d\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := strings.Join(split(s), ""); got != s {
			t.Errorf("pieces of %q join to %q", s, got)
		}
	})
}

func TestStreamingALongTextTakesBoundedTime(t *testing.T) {
	var total time.Duration
	a := New(Options{Delay: func(_ context.Context, d time.Duration) error { total += d; return nil }})
	if err := a.say(context.Background(), &fakeHost{t: t}, strings.Repeat("word ", 5000)); err != nil {
		t.Fatal(err)
	}
	if total > maxStream {
		t.Errorf("took %v, more than %v", total, maxStream)
	}
}
