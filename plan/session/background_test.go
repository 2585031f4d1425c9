package session

import (
	"context"
	"sync/atomic"
	"testing"
)

func TestCloseEndsWhatGoesOnInTheBackgroundAndWaitsForIt(t *testing.T) {
	r := newRig(t)
	var over atomic.Bool
	began := make(chan struct{})
	r.aside("look", func(ctx context.Context) {
		close(began)
		<-ctx.Done()
		over.Store(true)
	})
	<-began
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if !over.Load() {
		t.Error("Close did not wait")
	}
	if r.aside("late", func(context.Context) { t.Error("it ran after Close") }) {
		t.Error("something began after Close")
	}
}
