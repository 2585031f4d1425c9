package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planmode/plan/session"
	"planmode/plan/tree"
)

// flow is a running screen on an emulated terminal, inside a synctest bubble.

// rest lets everything settle, dialogs become armed.

// child is a reviewer that waits until it is told to end.

func TestIdleWritesNothing(t *testing.T) {
	run(t, "ten seconds without an event", func(t *testing.T) {
		f := startFlow(t, newFake(t).user("hi").say("hello"), nil)
		f.rest()
		before := f.Bytes()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if n := f.Bytes() - before; n != 0 {
			t.Errorf("an idle screen wrote %d bytes", n)
		}
		f.quit()
	})
	run(t, "streaming costs few bytes a token", func(t *testing.T) {
		fk := newFake(t)
		fk.view.Running, fk.view.Since = true, time.Now()
		f := startFlow(t, fk, nil)
		f.rest()
		before, tokens, said := f.Bytes(), 500, ""
		for range tokens {
			said += "token "
			fk.change(func(v *session.View) { v.Live.Text = said })
			time.Sleep(20 * time.Millisecond)
		}
		f.rest()
		if per := (f.Bytes() - before) / tokens; per > 64 {
			t.Errorf("%d bytes a token", per)
		}
		f.quit()
	})
}

func TestAnotherBranchReplacesTheConversation(t *testing.T) {
	run(t, "a new epoch", func(t *testing.T) {
		f := startFlow(t, newFake(t).user("old branch"), nil)
		f.WaitFor("old branch")
		f.fake.mu.Lock()
		f.fake.items, f.fake.view.Epoch = nil, 1
		f.fake.mu.Unlock()
		f.fake.user("new branch")
		f.WaitFor("new branch")
		f.WaitGone("old branch")
		f.quit()
	})
}

func TestLiveTextGivesWayToItsEntry(t *testing.T) {
	run(t, "never twice, never gone", func(t *testing.T) {
		fk := newFake(t)
		fk.view.Live.Text = "the whole answer"
		f := startFlow(t, fk, nil)
		f.WaitFor("the whole answer")
		fk.mu.Lock()
		fk.view.Live.Text = ""
		fk.mu.Unlock()
		fk.add(tree.KindAssistant, tree.Assistant{Text: "the whole answer"})
		f.rest()
		if n := strings.Count(f.Screen(), "the whole answer"); n != 1 {
			t.Errorf("shown %d times", n)
		}
		f.quit()
	})
}
