package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"planmode/plan"
	"planmode/plan/gate/transcript"
	"planmode/plan/process"
	"planmode/plan/text"
	"planmode/tui/showing"
)

// pick asks on the terminal which of the messages is meant, the newest first.
func (g *gateRun) pick(ctx context.Context, s transcript.Session) (transcript.Message, error) {
	terminal, err := openOwn(false)
	if err != nil {
		return transcript.Message{}, fmt.Errorf("choose a message: %w", err)
	}
	defer terminal.Close()
	type chosen struct {
		message transcript.Message
		err     error
	}
	done := make(chan chosen, 1)
	process.Go("ask which message is meant", func() {
		m, err := pickFrom(terminal.File(), s, time.Now())
		done <- chosen{m, err}
	})
	select {
	case c := <-done:
		return c.message, c.err
	case <-ctx.Done():
		return transcript.Message{}, ctx.Err()
	}
}

// pickFrom lists the messages and reads the number of one.
func pickFrom(tty io.ReadWriter, s transcript.Session, now time.Time) (transcript.Message, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Messages of %s, session %s, the newest first:\n\n", s.Harness, text.Line(s.ID))
	n := len(s.Messages)
	for i := range s.Messages {
		m := s.Messages[n-1-i]
		age := ""
		if !m.At.IsZero() {
			age = ago(now, plan.Time{Time: m.At})
		}
		fmt.Fprintf(&b, "%3d  %s  %s\n", i+1, text.Pad(age, 14), firstLine(m.Text, 56))
	}
	fmt.Fprintf(&b, "\nReview which one? Enter for 1, q to leave: ")
	if _, err := io.WriteString(tty, b.String()); err != nil {
		return transcript.Message{}, fmt.Errorf("list the messages: %w", err)
	}
	in := bufio.NewReader(tty)
	for {
		line, err := in.ReadString('\n')
		word := strings.TrimSpace(line)
		switch k, nerr := strconv.Atoi(word); {
		case err != nil && (word == "" || !errors.Is(err, io.EOF)):
			return transcript.Message{}, showing.ErrLeft
		case word == "":
			return s.Messages[n-1], nil
		case word == "q":
			return transcript.Message{}, showing.ErrLeft
		case nerr == nil && k >= 1 && k <= n:
			return s.Messages[n-k], nil
		}
		if _, err := fmt.Fprintf(tty, "A number from 1 to %d, Enter for 1, or q: ", n); err != nil {
			return transcript.Message{}, fmt.Errorf("ask which message: %w", err)
		}
	}
}
