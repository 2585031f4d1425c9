package tui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"planmode/tui/tuitest"
)

type flow struct {
	*tuitest.Emulated
	t      *testing.T
	fake   *fake
	app    *App
	cancel context.CancelFunc
}

func startFlow(t *testing.T, f *fake, change func(*Options)) *flow {
	s := tuitest.Emulate(t, 80, 24)
	o := Options{Conductor: f, Desk: NewDesk(), Theme: "dark", Notify: true, Program: s.Options()}
	if change != nil {
		change(&o)
	}
	app, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.Run(func() error { return app.Run(ctx) })
	fl := &flow{Emulated: s, t: t, fake: f, app: app, cancel: cancel}
	s.WaitFor("demo")
	return fl
}

func (f *flow) rest() { time.Sleep(time.Second); synctest.Wait() }

func (f *flow) quit() {
	f.t.Helper()
	f.cancel()
	if err := f.Wait(); err != nil {
		f.t.Fatal(err)
	}
}

func run(t *testing.T, name string, body func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, body) })
}
