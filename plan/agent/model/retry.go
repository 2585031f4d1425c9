package model

import (
	"context"
	"fmt"
	"time"

	"charm.land/fantasy"

	"planmode/plan/agent"
)

// maxTries is how often one question is asked.
const maxTries = 5

// firstWait is the wait before the second try; each further one is twice as
// long.
const firstWait = 2 * time.Second

// ask gets one answer, with as many tries as it takes. It returns neither an
// answer nor an error when an answer was cut after something of it was shown:
// the history then holds what came, and the turn goes on from there.
func (r *run) ask(ctx context.Context) (*answer, error) {
	c := fantasy.Call{Prompt: r.history.marked(), Tools: r.tools, ProviderOptions: r.options, MaxOutputTokens: r.m.limit(), UserAgent: userAgent}
	for try := 1; ; try++ {
		r.host.Emit(agent.Status{Text: "waiting for " + r.m.name})
		got, w, err := r.a.stream(ctx, request{m: r.m, call: c, seal: r.history.sealed, text: r.text(), think: r.think})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			return got, nil
		}
		f := r.m.classify(err, w)
		if got.text != "" && f.again {
			return nil, r.cut(got, f)
		}
		if got.thought {
			r.host.Emit(agent.MessageDone{Model: r.m.name}) // else it would be shown twice in one
		}
		if err := r.pause(ctx, f, try); err != nil {
			return nil, err
		}
	}
}

// text shows text, and takes the status away when it begins.
func (r *run) text() func(string) {
	begun := false
	return func(s string) {
		if !begun {
			begun = true
			r.host.Emit(agent.Status{})
		}
		r.host.Emit(agent.TextDelta{Text: s})
	}
}

func (r *run) think(s string) { r.host.Emit(agent.ReasoningDelta{Text: s}) }

// cut keeps what came of an answer that broke off, and tells both sides.
func (r *run) cut(got *answer, f *failure) error {
	r.host.Emit(agent.MessageDone{Model: r.m.name})
	if r.mishaps++; r.mishaps > maxMishaps {
		return f
	}
	r.host.Emit(agent.Notice{Text: fmt.Sprintf("The answer broke off (%s). What came of it is kept, nothing in it was run, and the model is asked to go on.", f.reason)})
	r.history.whole(textParts(got.text), nil)
	r.history.tell("The connection broke in the middle of your last message; the text above is what arrived, and no tool call of it was run. Go on from there without repeating it.")
	return nil
}

// pause waits before the next try, or says that there is none.
func (r *run) pause(ctx context.Context, f *failure, try int) error {
	if !f.again {
		return f
	}
	if try >= maxTries {
		return fmt.Errorf("%w (tried %d times)", f, try)
	}
	delay := firstWait << (try - 1)
	if f.wait > maxWait {
		f.todo = fmt.Sprintf("%s asks to wait %s", r.m.provider.name, f.wait.Round(time.Second))
		return f
	}
	if f.wait > 0 {
		delay = f.wait
	}
	for left := delay; left > 0; left -= time.Second {
		seconds := int((left + time.Second - 1) / time.Second)
		r.host.Emit(agent.Status{Text: fmt.Sprintf("retrying in %d s (%d of %d): %s", seconds, try+1, maxTries, f.reason)})
		if err := r.a.opt.Wait(ctx, min(left, time.Second)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// tell adds words of planmode itself.
func (h *history) tell(text string) {
	h.push(fantasy.MessageRoleUser, textParts("[planmode] "+text))
}
