package model

import (
	"encoding/json"
	"maps"
	"slices"
)

// usage counts the tokens of one answer. input excludes what was cached.
type usage struct {
	input, cacheRead, cacheWrite, output int
}

func (u usage) known() bool { return u.input+u.cacheRead+u.cacheWrite+u.output > 0 }

// context is how much of the window the conversation takes after this answer.
func (u usage) context() int { return u.input + u.cacheRead + u.cacheWrite + u.output }

// partial is a call while its pieces arrive.
type partial struct {
	call
	whole bool
}

// calls is the calls of an answer by their place in it.
type calls struct {
	by      map[int]*partial
	damaged string
}

func (c *calls) begin(at int, id, name string) *partial {
	if c.by == nil {
		c.by = map[int]*partial{}
	}
	if c.by[at] != nil {
		c.damaged = "two calls have the same place in the answer"
		return c.by[at]
	}
	c.by[at] = &partial{call: call{id: id, name: name}}
	return c.by[at]
}

// list returns the calls in the order of their places.
func (c *calls) list() []call {
	out := make([]call, 0, len(c.by))
	for _, at := range slices.Sorted(maps.Keys(c.by)) {
		p := c.by[at]
		if !p.whole {
			c.damaged = "a call in it has no end"
		}
		if len(p.args) == 0 {
			p.args = []byte("{}")
		}
		out = append(out, p.call)
	}
	return out
}

func (c *calls) evidence(finish string, u usage) evidence {
	list := c.list()
	return evidence{finish: finish, calls: list, damaged: c.damaged, usage: u}
}

// readerOf makes the reader of a wire.
func readerOf(w wire) reader {
	switch w {
	case wireAnthropic:
		return &anthropicReader{}
	case wireChat:
		return &chatReader{}
	case wireResponses:
		return &responsesReader{}
	case wireGoogle:
		return &googleReader{}
	}
	return nil
}

// wire is how a provider's API is spoken.
type wire string

// The wires. A framed wire carries events in binary frames.
const (
	wireAnthropic wire = "anthropic"
	wireChat      wire = "chat"
	wireResponses wire = "responses"
	wireGoogle    wire = "google"
	wireFramed    wire = "framed"
)

// finished says whether calls may run in an answer that ended with reason.
// Everything else, above all a limit, leaves them out.
func (w wire) finished(reason string) bool {
	switch w {
	case wireAnthropic:
		return reason == "tool_use" || reason == "end_turn" || reason == "stop_sequence"
	case wireChat:
		return reason == "tool_calls" || reason == "function_call" || reason == "stop"
	case wireResponses:
		return reason == "completed"
	case wireGoogle:
		return reason == "STOP"
	}
	return false
}

// anthropicReader reads the Messages API.
type anthropicReader struct {
	calls  calls
	stop   string
	finish string
}

type anthropicEvent struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
	Block struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"content_block"`
	Delta struct {
		Type    string `json:"type"`
		Partial string `json:"partial_json"`
		Stop    string `json:"stop_reason"`
	} `json:"delta"`
}

func (r *anthropicReader) event(data []byte) {
	var e anthropicEvent
	if json.Unmarshal(data, &e) != nil {
		r.calls.damaged = "an event of the answer is no JSON"
		return
	}
	switch e.Type {
	case "content_block_start":
		if e.Block.Type == "tool_use" {
			r.calls.begin(e.Index, e.Block.ID, e.Block.Name)
		}
	case "content_block_delta":
		if p := r.calls.by[e.Index]; e.Delta.Type == "input_json_delta" && p != nil {
			if p.whole {
				r.calls.damaged = "a call goes on after its end"
			}
			p.args = append(p.args, e.Delta.Partial...)
		}
	case "content_block_stop":
		if p := r.calls.by[e.Index]; p != nil {
			p.whole = true
		}
	case "message_delta":
		if e.Delta.Stop != "" {
			r.stop = e.Delta.Stop
		}
	case "message_stop":
		r.finish = r.stop
	}
}

func (r *anthropicReader) evidence() evidence { return r.calls.evidence(r.finish, usage{}) }

// responsesReader reads OpenAI's Responses API.
type responsesReader struct {
	calls  calls
	finish string
	sealed []json.RawMessage
}

type responsesEvent struct {
	Type     string          `json:"type"`
	Index    int             `json:"output_index"`
	Raw      json.RawMessage `json:"item"`
	Item     responsesItem   `json:"-"`
	Response struct {
		Status     string `json:"status"`
		Incomplete struct {
			Reason string `json:"reason"`
		} `json:"incomplete_details"`
	} `json:"response"`
}

type responsesItem struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Status    string `json:"status"`
}

func (r *responsesReader) event(data []byte) {
	var e responsesEvent
	if json.Unmarshal(data, &e) != nil || len(e.Raw) > 0 && json.Unmarshal(e.Raw, &e.Item) != nil {
		r.calls.damaged = "an event of the answer is no JSON"
		return
	}
	switch e.Type {
	case "response.output_item.added":
		if e.Item.Type == "function_call" {
			r.calls.begin(e.Index, e.Item.CallID, e.Item.Name)
		}
	case "response.output_item.done":
		if e.Item.Type == "function_call" {
			r.done(e)
		}
		if item, ok := sealedOf(e.Raw); ok {
			r.sealed = append(r.sealed, item)
		}
	case "response.completed":
		r.finish = "completed"
		if e.Response.Incomplete.Reason != "" || e.Response.Status != "" && e.Response.Status != "completed" {
			r.finish = "incomplete"
		}
	case "response.incomplete":
		if r.finish = e.Response.Incomplete.Reason; r.finish == "" {
			r.finish = "incomplete"
		}
	}
}

func (r *responsesReader) done(e responsesEvent) {
	p := r.calls.by[e.Index]
	switch {
	case p == nil:
		r.calls.damaged = "a call ends that did not begin"
		return
	case p.whole:
		r.calls.damaged = "two calls have the same place in the answer"
	case p.id != e.Item.CallID || p.name != e.Item.Name:
		r.calls.damaged = "a call ends under another name"
	case e.Item.Status != "" && e.Item.Status != "completed":
		return // it stays without an end
	}
	p.args, p.whole = []byte(e.Item.Arguments), true
}

func (r *responsesReader) evidence() evidence {
	e := r.calls.evidence(r.finish, usage{})
	e.sealed = r.sealed
	return e
}
