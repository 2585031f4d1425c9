package transcript

import (
	"encoding/json"
	"iter"
)

type codexEntry struct {
	Type    string          `json:"type"`
	At      json.RawMessage `json:"timestamp"`
	Payload struct {
		Type    string  `json:"type"`
		ID      string  `json:"id"`
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"payload"`
}

// decodeCodex reads the messages of a rollout. Events mark where turns begin and end.
func decodeCodex(records iter.Seq[record], _ bool) (conversation, error) {
	var c conversation
	known, running := 0, false
	for r := range records {
		var e codexEntry
		if json.Unmarshal(r, &e) != nil {
			continue
		}
		switch e.Type {
		case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
			known++
		}
		switch e.Type + " " + e.Payload.Type {
		case "event_msg task_started", "event_msg turn_started":
			running, c.running = true, 0
		case "event_msg task_complete", "event_msg turn_completed", "event_msg turn_aborted":
			running, c.running = false, 0
		case "response_item message":
			text := e.Payload.Content.text("\n", "output_text")
			if e.Payload.Role != "assistant" || text == "" {
				continue
			}
			c.messages = append(c.messages, Message{ID: e.Payload.ID, Text: text, At: stamp(e.At)})
			if running {
				c.running++
			}
		}
	}
	if known == 0 {
		return conversation{}, ErrShape
	}
	return c, nil
}
