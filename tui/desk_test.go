package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"planmode/plan/session"
	"planmode/plan/tool"
)

func aCard() session.Card {
	return session.Card{Review: "rv", Ref: ref(2), Title: "OAuth", Steps: []string{"a"}, Outcome: "No annotations were recorded.", Start: session.RowKeep,
		Rows: []session.Row{session.RowApprove, session.RowRequestChanges, session.RowKeep, session.RowCancel, session.RowLeave}}
}

func TestDesk(t *testing.T) {
	run(t, "a card is not answered by keys meant for something else", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		got := make(chan session.Verdict, 1)
		go func() {
			v, err := f.app.opts.Desk.Decide(t.Context(), aCard())
			if err != nil {
				t.Error(err)
			}
			got <- v
		}()
		f.WaitFor("Approve Plan")
		f.Press("a", "enter", "a")
		synctest.Wait()
		if len(got) != 0 {
			t.Fatal("a card was answered before it was armed")
		}
		f.rest()
		f.Press("a")
		if v := <-got; v.Row != session.RowApprove || v.Review != "rv" || v.Hash != hash {
			t.Errorf("verdict %+v", v)
		}
		f.WaitGone("Approve Plan")
		if f.Bells() != 1 {
			t.Errorf("%d bells, want 1", f.Bells())
		}
		f.quit()
	})
	run(t, "a dialog that comes into sight when the one above ends shows when it is armed", func(t *testing.T) {
		one, endOne := context.WithCancel(t.Context())
		two, endTwo := context.WithCancel(t.Context())
		ended := make(chan error, 2)
		// They are there before the screen is, so only the one on top is drawn.
		f := startFlow(t, newFake(t), func(o *Options) {
			ask := func(ctx context.Context, title string) {
				_, err := o.Desk.Confirm(ctx, session.Confirmation{Title: title, Yes: "Go on", No: "Stay"})
				ended <- err
			}
			go ask(one, "The first?")
			go ask(two, "The second?")
			synctest.Wait()
		})
		f.rest()
		above, below, endBelow := endTwo, "The first?", endOne
		if strings.Contains(f.Screen(), below) {
			above, below, endBelow = endOne, "The second?", endTwo
		}
		above()
		f.WaitFor(below)
		f.rest()
		if !f.Bright("❯") {
			t.Errorf("it is armed and does not show it\n%s", f.Screen())
		}
		endBelow()
		f.WaitGone(below)
		f.quit()
	})
	run(t, "the end of a request removes its dialog", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error, 1)
		go func() {
			_, err := f.app.opts.Desk.Confirm(ctx, session.Confirmation{Title: "Abandon it?", Yes: "Abandon", No: "Keep"})
			got <- err
		}()
		f.WaitFor("Abandon it?")
		cancel()
		f.WaitGone("Abandon it?")
		if err := <-got; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		f.Type("still here")
		f.WaitFor("> still here")
		f.quit()
	})
	run(t, "Ctrl+C is the Esc of a dialog", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		got := make(chan session.Grant, 1)
		go func() {
			g, err := f.app.opts.Desk.Permit(t.Context(), session.Permit{Call: tool.Call{Name: "bash"}, Preview: tool.Preview{Title: "Run a command", Body: "make"}})
			if err != nil {
				t.Error(err)
			}
			got <- g
		}()
		f.WaitFor("Run a command")
		f.Press("ctrl+c")
		if g := <-got; g.Answer != session.GrantDeny {
			t.Errorf("grant %+v", g)
		}
		f.quit()
	})
	run(t, "the dialog below waits a moment for keys when the one above closes", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		got := make(chan session.Verdict, 1)
		go func() {
			v, err := f.app.opts.Desk.Decide(t.Context(), aCard())
			if err == nil {
				got <- v
			}
		}()
		f.WaitFor("Approve Plan")
		f.rest()
		choice := make(chan int, 1)
		go func() {
			c, err := f.app.opts.Desk.Ask(t.Context(), session.Question{Title: "Which?", Choices: []session.Choice{{Label: "one"}, {Label: "two"}}, Cancel: 1})
			if err == nil {
				choice <- c
			}
		}()
		f.WaitFor("Which?")
		f.rest()
		f.Press("esc")
		if c := <-choice; c != 1 {
			t.Errorf("choice %d", c)
		}
		f.WaitFor("Approve Plan")
		f.Press("a")
		synctest.Wait()
		if len(got) != 0 {
			t.Fatal("a key right after a dialog closed approved the plan below it")
		}
		f.quit()
	})
	run(t, "the end of the screen answers everything", func(t *testing.T) {
		f := startFlow(t, newFake(t), nil)
		got := make(chan error, 1)
		go func() {
			_, err := f.app.opts.Desk.Decide(context.Background(), aCard())
			got <- err
		}()
		f.WaitFor("Approve Plan")
		f.quit()
		if err := <-got; !errors.Is(err, ErrClosed) {
			t.Errorf("got %v", err)
		}
		if _, err := f.app.opts.Desk.Ask(context.Background(), session.Question{}); !errors.Is(err, ErrClosed) {
			t.Errorf("a later request got %v", err)
		}
	})
}

func TestTheFirstAnswerCounts(t *testing.T) {
	d := NewDesk()
	got := make(chan int, 1)
	go func() {
		n, err := d.Ask(context.Background(), session.Question{})
		if err != nil {
			t.Error(err)
		}
		got <- n
	}()
	<-d.wake
	r := d.pending()[0]
	if !d.resolve(r, 1) || d.resolve(r, 2) {
		t.Error("not exactly the first answer was taken")
	}
	if n := <-got; n != 1 {
		t.Errorf("answer %d", n)
	}
}
