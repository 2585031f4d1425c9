package tui

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"planmode/revdiff"
)

type child struct {
	ended chan struct{}
	stop  chan struct{}
	once  sync.Once
	exit  revdiff.Exit
}

func (c *child) SetStdin(io.Reader) {}

func (c *child) SetStdout(io.Writer) {}

func (c *child) SetStderr(io.Writer) {}

func (c *child) Exit() revdiff.Exit { return c.exit }

func (c *child) Stop() { c.once.Do(func() { close(c.stop) }) }

func (c *child) Run() error {
	select {
	case <-c.ended:
	case <-c.stop:
		c.exit = revdiff.Exit{Started: true, Code: -1, Signal: "SIGTERM", ByUs: true}
	}
	return nil
}

func TestReview(t *testing.T) {
	reviewFlow := func(t *testing.T, exit revdiff.Exit) (*flow, *child, chan revdiff.Exit, context.CancelFunc) {
		c := &child{ended: make(chan struct{}), stop: make(chan struct{}), exit: exit}
		f := startFlow(t, newFake(t), func(o *Options) { o.Foreground = func(*revdiff.Job) Foreground { return c } })
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan revdiff.Exit, 1)
		go func() {
			e, err := f.app.opts.Desk.Review(ctx, &revdiff.Job{Path: "/r", Title: "Review\x1b[2J r2"})
			if err != nil {
				t.Log(err)
			}
			got <- e
		}()
		return f, c, got, cancel
	}
	run(t, "the screen is released and comes back, with what happened meanwhile", func(t *testing.T) {
		f, c, got, cancel := reviewFlow(t, revdiff.Exit{Started: true, Code: 10})
		defer cancel()
		f.Until("the main screen", func(string) bool { return !f.Alternate() })
		f.Until("the title of the review", func(string) bool { return f.Title() == "Review r2" })
		f.fake.user("meanwhile")
		go func() {
			if _, err := f.app.opts.Desk.Decide(t.Context(), aCard()); err == nil {
				t.Error("the card was answered by nobody")
			}
		}()
		synctest.Wait()
		close(c.ended)
		if e := <-got; e.Code != 10 || !e.Started {
			t.Errorf("exit %+v", e)
		}
		f.WaitFor("meanwhile")
		f.WaitFor("Approve Plan")
		f.rest()
		if _, _, shown := f.Cursor(); shown {
			t.Error("a cursor stands in the card")
		}
		if f.Bells() != 1 {
			t.Errorf("%d bells for one review and its card", f.Bells())
		}
		f.quit()
	})
	run(t, "what is being typed does not go to the reviewer", func(t *testing.T) {
		c := &child{ended: make(chan struct{}), stop: make(chan struct{}), exit: revdiff.Exit{Started: true}}
		f := startFlow(t, newFake(t), func(o *Options) { o.Foreground = func(*revdiff.Job) Foreground { return c } })
		f.Type("half a thou")
		f.WaitFor("half a thou")
		go func() {
			if _, err := f.app.opts.Desk.Review(t.Context(), &revdiff.Job{Path: "/r"}); err != nil {
				t.Log(err)
			}
		}()
		f.WaitFor("when you stop typing")
		time.Sleep(quiet / 2)
		f.Type("ght")
		f.WaitFor("half a thought")
		time.Sleep(quiet / 2)
		synctest.Wait()
		if !f.Alternate() {
			t.Error("the reviewer opened in the middle of a word")
		}
		f.Until("the main screen", func(string) bool { return !f.Alternate() })
		close(c.ended)
		f.Until("the screen again", func(string) bool { return f.Alternate() })
		f.WaitFor("half a thought")
		f.quit()
	})
	run(t, "the end of the request stops the reviewer", func(t *testing.T) {
		f, _, got, cancel := reviewFlow(t, revdiff.Exit{})
		f.Until("the main screen", func(string) bool { return !f.Alternate() })
		cancel()
		<-got
		f.WaitFor("demo")
		f.quit()
	})
	run(t, "the end of the screen stops the reviewer", func(t *testing.T) {
		f, _, got, cancel := reviewFlow(t, revdiff.Exit{})
		defer cancel()
		f.Until("the main screen", func(string) bool { return !f.Alternate() })
		f.quit()
		<-got
	})
	run(t, "a lost terminal ends the screen", func(t *testing.T) {
		f, c, _, cancel := reviewFlow(t, revdiff.Exit{Started: true, Lost: true})
		defer cancel()
		f.Until("the main screen", func(string) bool { return !f.Alternate() })
		close(c.ended)
		if err := f.Wait(); err != nil || !f.app.Lost() {
			t.Errorf("ended with %v, lost %t", err, f.app.Lost())
		}
	})
	run(t, "without a terminal to give, a review is refused", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		if _, err := f.app.opts.Desk.Review(t.Context(), &revdiff.Job{}); !errors.Is(err, errNoReviewer) {
			t.Errorf("got %v", err)
		}
		f.quit()
	})
}
