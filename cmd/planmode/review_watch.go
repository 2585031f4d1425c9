package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"planmode/plan/process"
	"planmode/plan/pull"
	review "planmode/plan/pull/run"
	"planmode/plan/text"
	"planmode/store"
	screen "planmode/tui/pull"
)

// watchReview carries out a review and shows it meanwhile: on a live board where
// standard error is a terminal that nobody else uses, else as lines.
func watchReview(ctx context.Context, title string, config store.Config, o review.Options) pull.Block {
	terminal := reviewTerminal()
	if terminal == nil {
		lines := &reviewLines{began: time.Now()}
		o.Watch = lines.show
		return review.Review(ctx, o)
	}
	defer terminal.Close()
	process.OnRestore(func() { _ = terminal.Restore() }) // on a panic there is nobody left to tell
	var b pull.Block
	err := screen.Show(ctx, screen.Options{
		Title: title, Terminal: terminal, Env: os.Environ(), Theme: config.Theme, ASCII: config.ASCII,
		Still: config.Motion == "reduced", Now: time.Now,
	}, func(ctx context.Context, s *screen.Screen) {
		o.Watch = s.Watch
		b = review.Review(ctx, o)
	})
	if err != nil && !errors.Is(err, screen.ErrLost) {
		complain(err)
	}
	return b
}

// reviewTerminal is the terminal for a live board, or nil where lines are better.
func reviewTerminal() *process.Terminal {
	if !term.IsTerminal(os.Stderr.Fd()) || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == "" {
		return nil
	}
	t, err := process.OpenTerminal()
	if err != nil {
		slog.Debug("no terminal for the board of a review", "error", err)
		return nil
	}
	if t.InUse() {
		_ = t.Close()
		return nil
	}
	return t
}

// reviewLines shows a review on standard error, a line for each thing that happens.
type reviewLines struct {
	mu    sync.Mutex
	began time.Time
}

func (l *reviewLines) show(p review.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := ""
	switch p.What {
	case "started":
		line = "started"
		if p.Repeated {
			line = "started again"
		}
	case "passed", "refused", "failed":
		line = fmt.Sprintf("%s in %.1f s", p.What, p.Elapsed.Seconds())
		if n := p.Usage.InputTokens + p.Usage.OutputTokens; n > 0 {
			line += fmt.Sprintf(", %d tokens", n)
		}
		if p.Usage.Cost > 0 {
			line += fmt.Sprintf(", $%.4f", p.Usage.Cost)
		}
		if p.What != "passed" {
			line += ": " + p.Line
		}
	default:
		return
	}
	fmt.Fprintf(os.Stderr, "%5.1f s  %s %s\n", time.Since(l.began).Seconds(), text.Pad(text.Line(p.Job), 20), text.Line(line))
}
