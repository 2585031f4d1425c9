package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planmode/plan/agent"
	"planmode/plan/tool"
)

// exchange is one call with its answer. A call that was interrupted has none.
type exchange struct {
	call   tool.Call
	result *tool.Result
	batch  int // index in talk.items of the batch it belongs to
}

// ok says whether the call was answered and did what it was asked to.
func (e exchange) ok() bool { return e.result != nil && !e.result.Error }

// refused says whether the call was answered with an error.
func (e exchange) refused() bool { return e.result != nil && e.result.Error }

// arg decodes the arguments of the call; the zero value if they are not a T.
func arg[T any](e exchange) T {
	var v T
	if json.Unmarshal(e.call.Args, &v) != nil {
		var zero T
		return zero
	}
	return v
}

// details decodes what a managed tool said; false if it said nothing.
func (e exchange) details() (tool.PlanDetails, bool) {
	var d tool.PlanDetails
	if e.result == nil || len(e.result.Details) == 0 || json.Unmarshal(e.result.Details, &d) != nil {
		return tool.PlanDetails{}, false
	}
	return d, d.Kind != ""
}

// talk is the conversation as the agent reads it: what was said to it, and what
// it called.
type talk struct {
	turn      agent.Turn
	messages  []agent.Message
	exchanges []exchange
	ask       int // index in messages of what started this turn; -1 if nothing did
	asked     int // number of exchanges before ask
	batches   int // batches of this turn so far
	lang      lang
	job       *job // the implementation of this turn, prepared once
}

// read takes in a turn. Results may sit on the message that made the calls or
// on one after it; only the ids of the calls count.
func read(turn agent.Turn) *talk {
	t := &talk{turn: turn, messages: turn.Messages, ask: -1}
	byID := map[string]int{}
	for i, m := range turn.Messages {
		if opens(turn.Messages, i) {
			t.ask, t.asked, t.batches = i, len(t.exchanges), 0
		}
		if len(m.Calls) > 0 {
			t.batches++
		}
		for _, c := range m.Calls {
			byID[c.ID] = len(t.exchanges)
			t.exchanges = append(t.exchanges, exchange{call: c, batch: i})
		}
		for _, r := range m.Results {
			if at, known := byID[r.CallID]; known {
				t.exchanges[at].result = &r
			}
		}
	}
	t.lang = t.language()
	return t
}

// opens says whether message i opens a turn: words of the person, or a plan handed
// over. A plan right behind words only reminds of itself; the words count.
func opens(messages []agent.Message, i int) bool {
	said := func(m agent.Message) bool { return m.Role == agent.RoleUser && m.Text != "" }
	m := messages[i]
	return said(m) || m.Role == agent.RoleHandoff && (i == 0 || !said(messages[i-1]))
}

// add takes in a batch that was just run.
func (t *talk) add(calls []tool.Call, results []tool.Result) {
	t.batches++
	for _, c := range calls {
		e := exchange{call: c, batch: len(t.messages) + t.batches}
		if at := slices.IndexFunc(results, func(r tool.Result) bool { return r.CallID == c.ID }); at >= 0 {
			e.result = &results[at]
		}
		t.exchanges = append(t.exchanges, e)
	}
}

// now are the exchanges of this turn.
func (t *talk) now() []exchange { return t.exchanges[t.asked:] }

// last returns the latest exchange of list with the named tool.
func last(list []exchange, name string) (exchange, bool) {
	for _, e := range slices.Backward(list) {
		if e.call.Name == name {
			return e, true
		}
	}
	return exchange{}, false
}

// asking is the message that started the turn; the zero value if there is none.
func (t *talk) asking() agent.Message {
	if t.ask < 0 {
		return agent.Message{}
	}
	return t.messages[t.ask]
}

// goal is what the person wants: the latest message of theirs that says more
// than "continue" and is not the outcome of a review.
func (t *talk) goal() string {
	for _, m := range slices.Backward(t.messages) {
		if m.Role == agent.RoleUser && m.Feedback == nil && strings.TrimSpace(m.Text) != "" && !isContinue(m.Text) {
			return m.Text
		}
	}
	return ""
}

// call makes a call with an id of its own. The ids must differ within a session
// even after a part of the conversation was compacted away, hence the time.
func (t *talk) call(n int, name string, args any) tool.Call {
	raw := tool.Marshal(args)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %d %s %s", t.turn.Now.UnixNano(), len(t.exchanges), n, name, raw))
	return tool.Call{ID: "demo-" + hex.EncodeToString(sum[:6]), Name: name, Args: raw}
}

// one makes a batch of a single call.
func (t *talk) one(name string, args any) []tool.Call {
	return []tool.Call{t.call(0, name, args)}
}
