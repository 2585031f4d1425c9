package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"
)

type object map[string]any

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("encode a reply: " + err.Error())
	}
	return string(b)
}

// Stream is the whole answer as the wire carries it.
func Stream(wire Wire, r Reply) string {
	if r.Raw != "" {
		return r.Raw
	}
	if r.Piece == 0 {
		r.Piece = 16
	}
	var s events
	switch wire {
	case Anthropic:
		s.anthropic(r)
	case Responses:
		s.responses(r)
	case Google:
		s.google(r)
	default:
		s.chat(r)
	}
	return s.String()
}

// events builds a stream of server-sent events.
type events struct{ strings.Builder }

func (s *events) named(event string, v object) {
	v["type"] = event
	fmt.Fprintf(s, "event: %s\ndata: %s\n\n", event, encode(v))
}

func (s *events) data(v any) { fmt.Fprintf(s, "data: %s\n\n", encode(v)) }

// pieces cuts text into parts of n bytes, never inside a character.
func pieces(text string, n int) []string {
	var out []string
	for len(text) > 0 {
		end := min(n, len(text))
		for end < len(text) && text[end]&0xc0 == 0x80 {
			end++
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}

func finish(r Reply, withCalls, without string) string {
	switch {
	case r.Finish == "none":
		return ""
	case r.Finish != "":
		return r.Finish
	case len(r.Calls) > 0:
		return withCalls
	}
	return without
}

func (s *events) anthropic(r Reply) {
	s.named("message_start", object{"message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "content": []any{},
		"usage": object{"input_tokens": 100, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 0, "output_tokens": 1},
	}})
	at := 0
	block := func(start object, deltas ...object) {
		s.named("content_block_start", object{"index": at, "content_block": start})
		for _, d := range deltas {
			s.named("content_block_delta", object{"index": at, "delta": d})
		}
		s.named("content_block_stop", object{"index": at})
		at++
	}
	if r.Reasoning != "" {
		block(object{"type": "thinking", "thinking": "", "signature": ""},
			object{"type": "thinking_delta", "thinking": r.Reasoning}, object{"type": "signature_delta", "signature": "sig-1"})
	}
	if r.Text != "" {
		var deltas []object
		for _, p := range pieces(r.Text, r.Piece) {
			deltas = append(deltas, object{"type": "text_delta", "text": p})
		}
		block(object{"type": "text", "text": ""}, deltas...)
	}
	for _, c := range r.Calls {
		var deltas []object
		for _, p := range pieces(c.Args, r.Piece) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": p})
		}
		block(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}, deltas...)
	}
	if r.Fault != "" {
		s.named("error", object{"error": object{"type": r.Fault, "message": "Something is wrong"}})
		return
	}
	if f := finish(r, "tool_use", "end_turn"); f != "" {
		s.named("message_delta", object{"delta": object{"stop_reason": f}, "usage": object{"output_tokens": 50}})
		s.named("message_stop", object{})
	}
}

func (s *events) chat(r Reply) {
	chunk := func(delta object, finish any) {
		s.data(object{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}})
	}
	if r.Reasoning != "" {
		chunk(object{"role": "assistant", "reasoning_content": r.Reasoning}, nil)
	}
	for _, p := range pieces(r.Text, r.Piece) {
		chunk(object{"content": p}, nil)
	}
	for i, c := range r.Calls {
		chunk(object{"tool_calls": []any{object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}}}, nil)
		for _, p := range pieces(c.Args, r.Piece) {
			chunk(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": p}}}}, nil)
		}
	}
	if r.Fault != "" {
		s.data(object{"error": object{"type": r.Fault, "code": r.Fault, "message": "Something is wrong"}})
		return
	}
	if f := finish(r, "tool_calls", "stop"); f != "" {
		chunk(object{}, f)
		s.data(object{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": []any{},
			"usage": object{"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050, "prompt_tokens_details": object{"cached_tokens": 900}}})
		s.WriteString("data: [DONE]\n\n")
	}
}

func (s *events) responses(r Reply) {
	s.named("response.created", object{"response": object{"id": "resp_1", "status": "in_progress"}})
	at := 0
	if r.Reasoning != "" {
		item := object{"type": "reasoning", "id": "rs_1", "encrypted_content": "sig-1", "summary": []any{}}
		s.named("response.output_item.added", object{"output_index": at, "item": item})
		s.named("response.reasoning_summary_part.added", object{"output_index": at, "item_id": "rs_1", "summary_index": 0, "part": object{"type": "summary_text", "text": ""}})
		s.named("response.reasoning_summary_text.delta", object{"output_index": at, "item_id": "rs_1", "summary_index": 0, "delta": r.Reasoning})
		s.named("response.output_item.done", object{"output_index": at, "item": item})
		at++
	}
	if r.Text != "" {
		s.named("response.output_item.added", object{"output_index": at, "item": object{"type": "message", "id": "m_1", "role": "assistant", "content": []any{}}})
		for _, p := range pieces(r.Text, r.Piece) {
			s.named("response.output_text.delta", object{"output_index": at, "item_id": "m_1", "content_index": 0, "delta": p})
		}
		s.named("response.output_item.done", object{"output_index": at, "item": object{"type": "message", "id": "m_1", "role": "assistant"}})
		at++
	}
	for i, c := range r.Calls {
		item := object{"type": "function_call", "id": fmt.Sprintf("fc_%d", i), "call_id": c.ID, "name": c.Name, "arguments": ""}
		s.named("response.output_item.added", object{"output_index": at, "item": item})
		for _, p := range pieces(c.Args, r.Piece) {
			s.named("response.function_call_arguments.delta", object{"output_index": at, "item_id": item["id"], "delta": p})
		}
		done := object{"type": "function_call", "id": item["id"], "call_id": c.ID, "name": c.Name, "arguments": c.Args, "status": "completed"}
		s.named("response.output_item.done", object{"output_index": at, "item": done})
		at++
	}
	usage := object{"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050, "input_tokens_details": object{"cached_tokens": 900}, "output_tokens_details": object{"reasoning_tokens": 0}}
	switch f := finish(r, "completed", "completed"); {
	case r.Fault != "":
		s.named("error", object{"code": r.Fault, "message": "Something is wrong"})
	case f == "completed":
		s.named("response.completed", object{"response": object{"id": "resp_1", "status": "completed", "usage": usage}})
	case f != "":
		s.named("response.incomplete", object{"response": object{"id": "resp_1", "status": "incomplete", "incomplete_details": object{"reason": f}, "usage": usage}})
	}
}

func (s *events) google(r Reply) {
	chunk := func(parts []any, finish string) {
		candidate := object{"index": 0, "content": object{"role": "model", "parts": parts}}
		if finish != "" {
			candidate["finishReason"] = finish
		}
		s.data(object{"candidates": []any{candidate},
			"usageMetadata": object{"promptTokenCount": 1000, "cachedContentTokenCount": 900, "candidatesTokenCount": 50, "totalTokenCount": 1050}})
	}
	if r.Reasoning != "" {
		chunk([]any{object{"text": r.Reasoning, "thought": true}}, "")
	}
	for _, p := range pieces(r.Text, r.Piece) {
		chunk([]any{object{"text": p}}, "")
	}
	for _, c := range r.Calls {
		args := c.Args
		if args == "" {
			args = "{}"
		}
		call := fmt.Sprintf(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"id":%s,"name":%s,"args":%s},"thoughtSignature":"c2lnLTE="}]}}]}`, encode(c.ID), encode(c.Name), args)
		fmt.Fprintf(s, "data: %s\n\n", call)
	}
	if r.Fault != "" {
		s.data(object{"error": object{"code": 503, "message": "Something is wrong", "status": r.Fault}})
		return
	}
	if f := finish(r, "STOP", "STOP"); f != "" {
		chunk([]any{object{"text": ""}}, f)
	}
}
