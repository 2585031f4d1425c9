package demo

import (
	"context"
	"time"
	"unicode"

	"planmode/plan/agent"
)

// The pace of streaming: short answers appear at reading speed, long ones in
// bounded time.
const (
	piecePause = 14 * time.Millisecond
	maxStream  = 2500 * time.Millisecond
)

// say streams text in small pieces.
func (a *Agent) say(ctx context.Context, host agent.Host, text string) error {
	pieces := split(text)
	if len(pieces) == 0 {
		return ctx.Err()
	}
	pause := min(piecePause, maxStream/time.Duration(len(pieces)))
	for _, p := range pieces {
		if err := ctx.Err(); err != nil {
			return err
		}
		host.Emit(agent.TextDelta{Text: p})
		if err := a.delay(ctx, pause); err != nil {
			return err
		}
	}
	return nil
}

// split cuts text into pieces as a model would send them: a word with the space
// after it, or a few characters of a script without spaces. Joined, the pieces
// are the text.
func split(text string) []string {
	var pieces []string
	start, wide := 0, 0
	cut := func(end int) {
		if end > start {
			pieces = append(pieces, text[start:end])
		}
		start, wide = end, 0
	}
	for i, r := range text {
		size := len(string(r))
		switch {
		case unicode.IsSpace(r):
			cut(i + size)
		case unicode.Is(unicode.Han, r):
			if wide++; wide == 3 {
				cut(i + size)
			}
		case i-start >= 24:
			cut(i)
		}
	}
	cut(len(text))
	return pieces
}

// wait is the Delay of an agent that runs in real time.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
