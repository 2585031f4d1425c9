package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"

	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/store"
)

// endOfTurn closes a turn that ended with results, where the provider would take
// what follows for more of the same turn.
const endOfTurn = "(The turn ended here.)"

// history writes a conversation as the library wants it. What older versions,
// other models or a crash left in it is brought into a form that every provider
// accepts: one odd name must not make a session useless.
type history struct {
	m      *resolved
	out    fantasy.Prompt
	ids    map[string]bool // call ids that were used
	last   []string        // ids of the calls that still wait for results
	closed bool            // the last message answered calls
	sealed sealed          // reasoning of this turn that the library does not write
}

func (m *resolved) prompt(system string, messages []agent.Message) *history {
	h := &history{m: m, ids: map[string]bool{}}
	if strings.TrimSpace(system) != "" {
		h.out = append(h.out, fantasy.NewSystemMessage(system))
	}
	for _, msg := range messages {
		h.add(msg)
	}
	return h
}

func (h *history) add(msg agent.Message) {
	switch {
	case msg.Role == agent.RoleAssistant:
		h.closeCalls()
		h.assistant(textParts(msg.Text), msg.Calls)
	case len(msg.Results) > 0:
		h.results(msg.Results)
		if strings.TrimSpace(msg.Text) != "" {
			h.person(msg)
		}
	default:
		h.closeCalls()
		h.person(msg)
	}
}

// person adds what the person, or planmode in its own name, said.
func (h *history) person(msg agent.Message) {
	if h.closed {
		h.say(endOfTurn)
	}
	parts := textParts(msg.Text)
	for _, img := range msg.Images {
		if h.m.model.Images {
			parts = append(parts, fantasy.FilePart{Filename: img.Name, Data: img.Data, MediaType: img.MediaType})
			continue
		}
		parts = append(parts, fantasy.TextPart{Text: fmt.Sprintf("[The image %s was attached here. This model takes no images, so it was left out.]", img.Name)})
	}
	if len(parts) > 0 {
		h.push(fantasy.MessageRoleUser, parts)
	}
}

func (h *history) say(text string) {
	h.push(fantasy.MessageRoleAssistant, textParts(text))
}

func (h *history) push(role fantasy.MessageRole, parts []fantasy.MessagePart) {
	h.closed = false
	h.out = append(h.out, fantasy.Message{Role: role, Content: parts})
}

// assistant adds a message of the model as it was kept: text, then calls.
func (h *history) assistant(parts []fantasy.MessagePart, calls []tool.Call) {
	for range calls {
		parts = append(parts, fantasy.ToolCallPart{})
	}
	h.whole(parts, calls)
}

// whole adds a message of the model: its parts in their order, where a call
// stands for the next of calls. Reasoning goes back as it came.
func (h *history) whole(parts []fantasy.MessagePart, calls []tool.Call) {
	h.last = nil
	var out []fantasy.MessagePart
	for _, part := range parts {
		switch part := part.(type) {
		case fantasy.ToolCallPart:
			c := calls[len(h.last)]
			id := h.id(c.ID)
			h.last = append(h.last, id)
			out = append(out, fantasy.ToolCallPart{ToolCallID: id, ToolName: name(c.Name), Input: arguments(c.Args)})
		case fantasy.TextPart:
			out = append(out, textParts(part.Text)...)
		default:
			out = append(out, part)
		}
	}
	if len(out) > 0 {
		h.push(fantasy.MessageRoleAssistant, out)
	}
}

// seal keeps reasoning for the message that was just added.
func (h *history) seal(items []json.RawMessage) {
	if len(items) == 0 || len(h.last) == 0 {
		return
	}
	if h.sealed == nil {
		h.sealed = sealed{}
	}
	h.sealed[h.last[0]] = items
}

// results answers the calls of the last message, in their order: every call
// gets exactly one answer, whatever is missing.
func (h *history) results(results []tool.Result) {
	var parts []fantasy.MessagePart
	for i, id := range h.last {
		r := tool.Result{Text: "interrupted before it had a result", Error: true}
		if i < len(results) {
			r = results[i]
		}
		parts = append(parts, answerPart(id, r))
	}
	h.last = nil
	if len(parts) > 0 {
		h.push(fantasy.MessageRoleTool, parts)
		h.closed = true
	}
}

func (h *history) closeCalls() {
	if len(h.last) > 0 {
		h.results(nil)
	}
}

func answerPart(id string, r tool.Result) fantasy.ToolResultPart {
	text := strings.ToValidUTF8(r.Text, "\uFFFD")
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	if r.Reminder != "" {
		text += "\n\n" + strings.ToValidUTF8(r.Reminder, "\uFFFD")
	}
	if r.Error {
		return fantasy.ToolResultPart{ToolCallID: id, Output: fantasy.ToolResultOutputContentError{Error: errors.New(text)}}
	}
	return fantasy.ToolResultPart{ToolCallID: id, Output: fantasy.ToolResultOutputContentText{Text: text}}
}

// textParts is text as a part, or nothing: providers refuse text without a
// letter in it.
func textParts(text string) []fantasy.MessagePart {
	if text = strings.ToValidUTF8(text, "\uFFFD"); strings.TrimSpace(text) == "" {
		return nil
	}
	return []fantasy.MessagePart{fantasy.TextPart{Text: text}}
}

// id makes a call id that every provider takes and that was not used before.
func (h *history) id(given string) string {
	base := word(given, 56)
	if base == "" {
		base = "call"
	}
	id := base
	for n := 2; h.ids[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	h.ids[id] = true
	return id
}

// name makes a tool name that every provider takes.
func name(given string) string {
	if n := word(given, 64); n != "" {
		return n
	}
	return "unnamed"
}

func word(s string, longest int) string {
	w := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
	return w[:min(len(w), longest)]
}

// arguments makes an object of whatever a call had: providers take no other, and
// one that was damaged is shown to the model as it was.
func arguments(raw json.RawMessage) string {
	var object map[string]json.RawMessage
	if utf8.Valid(raw) && json.Unmarshal(raw, &object) == nil && object != nil {
		return string(raw)
	}
	given := strings.ToValidUTF8(string(raw[:min(len(raw), 2000)]), "\uFFFD")
	b, err := json.Marshal(map[string]string{"not_valid_json": given})
	if err != nil {
		return "{}"
	}
	return string(b)
}

// marked is the prompt with marks up to where the provider may cache it: the
// system prompt, which holds the tools too, and the last two things that were
// not the model's.
func (h *history) marked() fantasy.Prompt {
	if k := h.m.provider.kind; k != store.KindAnthropic && k != store.KindBedrock {
		return h.out
	}
	mark := fantasy.ProviderOptions{anthropic.Name: &anthropic.ProviderCacheControlOptions{CacheControl: anthropic.CacheControl{Type: "ephemeral"}}}
	out := append(fantasy.Prompt(nil), h.out...)
	left := 2
	for i := len(out) - 1; i >= 0; i-- {
		switch role := out[i].Role; {
		case role == fantasy.MessageRoleSystem:
			out[i].ProviderOptions = mark
		case role != fantasy.MessageRoleAssistant && left > 0:
			out[i].ProviderOptions = mark
			left--
		}
	}
	return out
}

// tools describes the tools to the library. One whose schema is no object is
// left out.
func tools(specs []tool.Spec) []fantasy.Tool {
	var out []fantasy.Tool
	for _, s := range specs {
		var schema map[string]any
		if json.Unmarshal(s.Schema, &schema) != nil || schema == nil {
			continue
		}
		out = append(out, fantasy.FunctionTool{Name: s.Name, Description: s.Description, InputSchema: schema})
	}
	return out
}
