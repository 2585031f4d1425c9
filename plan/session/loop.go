package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"planmode/plan"
	"planmode/plan/prompt"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// When an agent is told that it goes in circles, and when its turn is ended.
// Only calls count that returned what the very same call had returned in this
// turn: whoever still finds something new may go on for as long as they like.
// Outside planning the same answer may be what somebody waits for to change.
const (
	nudgeAfter     = 4
	endAfter       = 12
	endAfterNormal = 40
	longTurn       = 60 // calls while planning, new or not, after which it is asked to come to an end
)

// circles watches the calls of one turn.
type circles struct {
	seen  map[[sha256.Size]byte]bool
	stale int // calls in a row that brought nothing new
	calls int
}

// take follows a batch, and says whether there was anything new in it.
func (c *circles) take(calls []tool.Call, results []tool.Result) (fresh bool) {
	if c.seen == nil {
		c.seen = map[[sha256.Size]byte]bool{}
	}
	for i, call := range calls {
		var args bytes.Buffer
		if json.Compact(&args, call.Args) != nil {
			args.Write(call.Args)
		}
		key := sha256.Sum256([]byte(call.Name + "\x00" + args.String() + "\x00" + results[i].Text))
		fresh = fresh || !c.seen[key]
		c.seen[key] = true
	}
	c.calls += len(calls)
	if c.stale += len(calls); fresh {
		c.stale = 0
	}
	return fresh
}

// circle looks at a batch that was run, and returns a nudge if one is due. It ends
// the turn of an agent that does not heed it.
func (t *turn) circle(calls []tool.Call, results []tool.Result) string {
	before := t.circles
	t.circles.take(calls, results)
	if t.ended || len(calls) == 0 {
		return ""
	}
	now, last := t.circles, calls[len(calls)-1].Name
	planning := t.mode == plan.ModePlanning
	end := endAfterNormal
	if planning {
		end = endAfter
	}
	l := prompt.Loop{Tool: last, Planning: planning, Facts: prompt.Facts{}}
	switch {
	case now.stale >= end:
		t.ended = true
		t.s.setEnding(t.job, true)
		t.s.say(tree.Warning, "The agent made %d calls in a row that brought nothing new (the last one was %s), so the turn was ended. Nothing was decided; tell it how to go on.",
			now.stale, text.Line(last))
		return ""
	case before.stale < nudgeAfter && now.stale >= nudgeAfter:
		l.Calls, l.Stale = now.stale, true
	case planning && before.calls/longTurn < now.calls/longTurn:
		l.Calls = now.calls
	default:
		return ""
	}
	l.Facts = t.s.facts()
	return t.s.told(string(prompt.FormNudge), prompt.Nudge(l))
}

// afterBatch tells the agent what is due with the results of a batch.
func (t *turn) afterBatch(calls []tool.Call, results []tool.Result) {
	if len(results) == 0 {
		return
	}
	said := t.circle(calls, results)
	if said == "" && !t.ended {
		said = t.s.remind()
	}
	results[len(results)-1].Reminder = said
}
