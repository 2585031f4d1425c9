package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"planmode/plan/process"
	"planmode/plan/pull"
	review "planmode/plan/pull/run"
	"planmode/plan/text"
)

// hashDigits is how much of the hash is typed to approve.
const hashDigits = 8

// lineGate asks on a terminal that is used line by line: the whole preview in pages,
// then one word. Everything that is not exactly an answer is none.
type lineGate struct {
	in     io.Reader
	out    io.Writer
	height int // lines of a page
}

// Ask implements review.Gate.
func (g lineGate) Ask(ctx context.Context, q review.Question) review.Reply {
	lines := make(chan string)
	process.Go("lines of the gate", func() {
		defer close(lines)
		in := bufio.NewScanner(g.in)
		in.Buffer(nil, review.MaxWish+2)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	})
	c := conversation{ctx: ctx, out: g.out, lines: lines}
	if !c.page(question(q), max(g.height-1, 5)) {
		return review.Reply{Reason: "the preview was not read to its end"}
	}
	return c.decide(q)
}

// question is all that is shown. The preview is whole; only what cannot be seen in it is
// written out.
func question(q review.Question) string {
	var b strings.Builder
	b.WriteString("This is exactly what would be posted. What cannot be seen is written out, as <U+202E>.\n\n")
	b.WriteString(text.Visible([]byte(q.Preview)))
	b.WriteString("\n")
	for _, k := range q.Known {
		b.WriteString(text.Line(k) + "\n")
	}
	fmt.Fprintf(&b, "The draft is saved as %s.\n", text.Line(q.Draft))
	return b.String()
}

// conversation is one gate.
type conversation struct {
	ctx   context.Context
	out   io.Writer
	lines <-chan string
}

// ask prints a prompt and waits for a line; false if there is none any more.
func (c conversation) ask(prompt string) (string, bool) {
	if _, err := io.WriteString(c.out, prompt); err != nil {
		return "", false
	}
	select {
	case line, ok := <-c.lines:
		return strings.TrimSuffix(line, "\r"), ok
	case <-c.ctx.Done():
		return "", false
	}
}

// page shows a text page by page; false unless it was shown to its end.
func (c conversation) page(s string, height int) bool {
	lines := strings.SplitAfter(strings.TrimSuffix(s, "\n"), "\n")
	for n := 0; n < len(lines); n += height {
		end := min(n+height, len(lines))
		if _, err := io.WriteString(c.out, strings.Join(lines[n:end], "")+"\n"); err != nil {
			return false
		}
		if end == len(lines) {
			return true
		}
		if line, ok := c.ask(fmt.Sprintf("-- lines %d to %d of %d: Enter for more --", n+1, end, len(lines))); !ok || line != "" {
			return false
		}
	}
	return true
}

func (c conversation) decide(q review.Question) review.Reply {
	revise := "REVISE to send it back with what is to be changed,\n"
	if q.Revise == 0 {
		revise = ""
	}
	answer, ok := c.ask(fmt.Sprintf("\nNothing was posted yet. Type the first %d digits of the hash above to post exactly this,\n%s"+
		"ABORT to keep the draft and post nothing. Anything else ends the review; the draft is kept.\n> ", hashDigits, revise))
	answer = strings.TrimSpace(answer)
	switch {
	case !ok:
		return review.Reply{Reason: "there was no answer at the gate"}
	case answer == string(pull.Abort):
		return review.Reply{Answer: pull.Abort}
	case answer == string(pull.Revise) && q.Revise > 0:
		return c.wish()
	case len(answer) >= hashDigits && strings.HasPrefix(q.SHA256, strings.ToLower(answer)):
		return review.Reply{Answer: pull.Approve, SHA256: answer}
	}
	return review.Reply{Reason: "what was typed at the gate is no answer"}
}

// wish reads what is to be changed, up to a line with a dot alone.
func (c conversation) wish() review.Reply {
	var b strings.Builder
	prompt := "What is to be changed? End with a line that is a dot.\n> "
	for {
		line, ok := c.ask(prompt)
		switch {
		case !ok:
			return review.Reply{Reason: "there was no end of what is to be changed"}
		case line == "." && strings.TrimSpace(b.String()) != "":
			return review.Reply{Answer: pull.Revise, Text: b.String()}
		case line == ".":
			prompt = "Nothing is said yet.\n> "
			continue
		case b.Len()+len(line) >= review.MaxWish:
			prompt = fmt.Sprintf("This line is not taken: all together is longer than %d bytes.\n> ", review.MaxWish)
			continue
		}
		b.WriteString(line + "\n")
		prompt = "> "
	}
}
