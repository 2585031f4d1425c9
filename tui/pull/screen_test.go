package pull

import (
	"context"
	"testing"
	"time"

	"planmode/plan/pull/run"
	"planmode/tui/tuitest"
)

// shown is a screen on an emulated terminal with a review that the test steers.
type shown struct {
	*tuitest.Emulated
	progress chan run.Progress // closed: the review returns by itself
	stopped  chan struct{}     // closed when the review was told to stop
}

func show(t *testing.T, width, height int, now func() time.Time) *shown {
	s := &shown{Emulated: tuitest.Emulate(t, width, height), progress: make(chan run.Progress), stopped: make(chan struct{})}
	s.Run(func() error {
		return Show(context.Background(), Options{Title: "main..HEAD", Still: true, Now: now, Program: s.Options()}, func(ctx context.Context, screen *Screen) {
			for {
				select {
				case p, more := <-s.progress:
					if !more {
						return
					}
					screen.Watch(p)
				case <-ctx.Done():
					close(s.stopped)
					return
				}
			}
		})
	})
	return s
}

func TestTheScreenFollowsTheRunAndStaysWhenItEnds(t *testing.T) {
	s := show(t, 80, 24, time.Now)
	s.WaitFor("Reviewing main..HEAD")
	s.progress <- run.Progress{Job: "context", What: "started"}
	s.progress <- run.Progress{Job: "context", What: "activity", Line: `read {"path":"中文.go"}`}
	s.WaitFor("read 中文.go")
	s.progress <- run.Progress{Job: "context", What: "passed", Elapsed: time.Second}
	close(s.progress)
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	s.WaitFor("Reviewed main..HEAD")
	s.WaitFor("not reached")
	if s.Alternate() {
		t.Error("the board is on the alternate screen, so nothing of it stays")
	}
}

func TestEscStopsAtOnceWhenLittleIsLost(t *testing.T) {
	s := show(t, 40, 12, time.Now)
	s.WaitFor("Esc stops")
	s.Press("esc")
	<-s.stopped
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestEscAsksOnceWhenMuchWouldBeLost(t *testing.T) {
	clock := make(chan time.Time, 1)
	clock <- begun
	now := func() time.Time { t := <-clock; clock <- t; return t }
	s := show(t, 80, 24, now)
	s.WaitFor("Esc stops")
	<-clock
	clock <- at(60)
	s.Press("esc")
	s.WaitFor("Esc stops, any other key goes on")
	s.Press("x")
	s.WaitGone("any other key goes on")
	select {
	case <-s.stopped:
		t.Fatal("the run was stopped")
	default:
	}
	s.Press("esc")
	s.WaitFor("Esc stops, any other key goes on")
	s.Press("esc")
	<-s.stopped
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestCtrlCStopsWithoutAQuestion(t *testing.T) {
	s := show(t, 80, 24, func() time.Time { return begun })
	s.WaitFor("Esc stops")
	s.Press("ctrl+c")
	<-s.stopped
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
}
