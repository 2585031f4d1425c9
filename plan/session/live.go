package session

import (
	"strings"
	"time"

	"planmode/plan/agent"
	"planmode/plan/tool"
)

// liveOutput bounds the tail of a running tool's output that a screen is shown.
const liveOutput = 4 << 10

// streamEvery is how old the saved copy of streaming text may become.
const streamEvery = time.Second

// live is what the running turn shows before it is an entry. mu guards it.
type live struct {
	text, reasoning strings.Builder
	calls           []LiveCall
	saved           time.Time // when the text was last kept on disk
}

func (l *live) view() Live {
	return Live{Text: l.text.String(), Reasoning: l.reasoning.String(), Calls: append([]LiveCall(nil), l.calls...)}
}

func (l *live) setCalls(calls []tool.Call) {
	l.calls = nil
	for _, c := range calls {
		l.calls = append(l.calls, LiveCall{ID: c.ID, Name: c.Name, Args: string(c.Args), Pending: true})
	}
}

func (l *live) call(id string) *LiveCall {
	for i := range l.calls {
		if l.calls[i].ID == id {
			return &l.calls[i]
		}
	}
	return nil
}

func (l *live) drop(id string) {
	for i := range l.calls {
		if l.calls[i].ID == id {
			l.calls = append(append([]LiveCall(nil), l.calls[:i]...), l.calls[i+1:]...)
			return
		}
	}
}

// Emit takes an event of the running agent.
func (t *turn) Emit(ev agent.Event) {
	s := t.s
	if status, ok := ev.(agent.Status); ok {
		s.setStatus(status.Text)
		return
	}
	if n, ok := ev.(agent.Notice); ok {
		s.say("warning", "%s", n.Text)
		return
	}
	if _, done := ev.(agent.MessageDone); done {
		t.finishMessage("")
		return
	}
	s.mu.Lock()
	var save string
	switch ev := ev.(type) {
	case agent.TextDelta:
		s.live.text.WriteString(ev.Text)
		if now := s.opt.Now(); now.Sub(s.live.saved) >= streamEvery {
			s.live.saved, save = now, s.live.text.String()
		}
	case agent.ReasoningDelta:
		s.live.reasoning.WriteString(ev.Text)
	case agent.Usage:
		s.usage = ev
	}
	s.mu.Unlock()
	if save != "" {
		t.keepStreaming(save)
	}
	s.poke()
}

// keepStreaming saves text that is not an entry yet. Its loss costs the last
// second of an unfinished message, so a failure is told once and no more.
func (t *turn) keepStreaming(text string) {
	if err := t.s.opt.Log.SaveStreaming(text); err != nil && !t.streamFailed {
		t.streamFailed = true
		t.s.say("warning", "The unfinished message could not be saved (%v). It is kept on screen and recorded when it ends.", err)
	}
}

func (s *Session) progress(id string) tool.Progress {
	return func(chunk string) {
		s.mu.Lock()
		if c := s.live.call(id); c != nil {
			c.Output += chunk
			if len(c.Output) > liveOutput {
				c.Output = c.Output[len(c.Output)-liveOutput:]
			}
		}
		s.mu.Unlock()
		s.poke()
	}
}

// unpend shows that it is the turn of a call now.
func (s *Session) unpend(id string) {
	s.mu.Lock()
	if c := s.live.call(id); c != nil {
		c.Pending = false
	}
	s.mu.Unlock()
	s.poke()
}

func (s *Session) waiting(id string, yes bool) {
	s.mu.Lock()
	if c := s.live.call(id); c != nil {
		c.Waiting = yes
	}
	s.mu.Unlock()
	s.poke()
}
