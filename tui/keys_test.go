package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"planmode/tui/keymap"
)

func TestMessages(t *testing.T) {
	run(t, "a message is sent and the composer is empty", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Type("hello there")
		f.Press("enter")
		f.WaitGone("hello there")
		f.rest()
		if sent, _, _ := f.fake.calls(); !slices.Equal(sent, []string{"hello there"}) {
			t.Errorf("sent %q", sent)
		}
		f.quit()
	})
	run(t, "messages keep their order", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		for _, s := range []string{"one", "two", "three"} {
			f.Type(s)
			f.Press("enter")
		}
		f.rest()
		if sent, _, _ := f.fake.calls(); !slices.Equal(sent, []string{"one", "two", "three"}) {
			t.Errorf("sent %q", sent)
		}
		f.quit()
	})
	run(t, "what could not be sent comes back", func(t *testing.T) {
		fk := newFake(t)
		fk.sendErr = errors.New("the disk is full")
		f := startFlow(t, fk, nil)
		f.Type("precious")
		f.Press("enter")
		f.WaitFor("not sent: the disk is full")
		f.WaitFor("> precious")
		f.quit()
	})
	run(t, "up takes the last queued message back", func(t *testing.T) {
		fk := newFake(t)
		fk.queue = []string{"first", "second"}
		f := startFlow(t, fk, nil)
		f.WaitFor("queued second")
		f.Press("up")
		f.WaitFor("> second")
		f.quit()
	})
	run(t, "new entries appear", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.WaitFor("Say what you want done")
		f.fake.user("hi").say("an **answer** that is long enough to be rendered apart from the loop " + strings.Repeat("word ", 60))
		f.WaitFor("an answer that")
		f.WaitGone("Say what you want done")
		f.quit()
	})
}

func TestKeys(t *testing.T) {
	run(t, "a single Esc does nothing, two interrupt", func(t *testing.T) {
		fk := newFake(t)
		fk.view.Running, fk.view.Since = true, time.Now()
		f := startFlow(t, fk, nil)
		f.Press("esc")
		f.rest()
		if fk.stopped != 0 {
			t.Fatal("one Esc interrupted")
		}
		f.Press("esc")
		time.Sleep(200 * time.Millisecond)
		f.Press("esc")
		f.rest()
		if fk.stopped != 1 {
			t.Errorf("interrupted %d times, want 1", fk.stopped)
		}
		f.Press("alt+esc")
		f.rest()
		if fk.stopped != 2 {
			t.Errorf("alt+esc did not interrupt")
		}
		f.quit()
	})
	run(t, "Ctrl+C clears the text and again quits", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Type("words")
		f.WaitFor("> words")
		f.Press("ctrl+c")
		f.WaitFor("Ctrl+C again quits")
		f.WaitGone("words")
		f.Press("ctrl+c")
		if err := f.Wait(); err != nil {
			t.Fatal(err)
		}
	})
	run(t, "the hint goes when a second Ctrl+C no longer quits", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Press("ctrl+c")
		f.WaitFor("Ctrl+C again quits")
		time.Sleep(keymap.QuitWindow + time.Millisecond)
		f.rest()
		if s := f.Screen(); strings.Contains(s, "again quits") {
			t.Errorf("the hint is still there:\n%s", s)
		}
		f.quit()
	})
	run(t, "Ctrl+C before and after a paste does not quit", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Press("ctrl+c")
		f.Paste("pasted")
		f.WaitFor("> pasted")
		f.Press("ctrl+c")
		f.WaitGone("pasted")
		f.Type("alive")
		f.WaitFor("> alive")
		f.quit()
	})
	run(t, "Ctrl+C twice with a pause does not quit", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Press("ctrl+c")
		time.Sleep(3 * time.Second)
		f.Press("ctrl+c")
		f.rest()
		f.Type("alive")
		f.WaitFor("> alive")
		f.quit()
	})
	run(t, "Ctrl+D quits only when nothing is written", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Type("x")
		f.Press("ctrl+d")
		f.rest()
		f.WaitFor("> x")
		f.Press("backspace", "ctrl+d")
		if err := f.Wait(); err != nil {
			t.Fatal(err)
		}
	})
	run(t, "Shift+Tab and the chord toggle Plan Mode", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		f.Press("shift+tab")
		f.rest()
		f.Press("ctrl+alt+p")
		f.rest()
		if _, plans, _ := f.fake.calls(); !slices.Equal(plans, []string{"toggle", "toggle"}) {
			t.Errorf("plan calls %q", plans)
		}
		f.quit()
	})
	run(t, "Ctrl+O expands and folds", func(t *testing.T) {
		f := startFlow(t, newFake(t).tool("1", "read", map[string]any{"path": "a"}, "secret line", nil), nil)
		f.WaitFor("1 line")
		f.Press("ctrl+o")
		f.WaitFor("secret line")
		f.Press("ctrl+o")
		f.WaitGone("secret line")
		f.quit()
	})
	run(t, "scrolling leaves the end and comes back", func(t *testing.T) {
		fk := newFake(t)
		for range 60 {
			fk.user("line")
		}
		fk.user("the last one")
		f := startFlow(t, fk, nil)
		f.WaitFor("the last one")
		f.Press("pgup")
		f.WaitGone("the last one")
		fk.user("news")
		f.rest()
		if strings.Contains(f.Screen(), "news") {
			t.Error("new entries moved a window that was scrolled up")
		}
		f.Press("ctrl+end")
		f.WaitFor("news")
		f.quit()
	})
}
