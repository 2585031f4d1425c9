package transcript

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"time"
)

// decodeGemini reads both formats of Gemini CLI: a log of records, and the older
// single object with a list of messages. A record that comes again under its id
// replaces the earlier one.
func decodeGemini(records iter.Seq[record], _ bool) (conversation, error) {
	type entry struct {
		ID       string          `json:"id"`
		Type     string          `json:"type"`
		At       json.RawMessage `json:"timestamp"`
		Content  content         `json:"content"`
		Messages []record        `json:"messages"`
		Session  string          `json:"sessionId"`
		Set      json.RawMessage `json:"$set"`
	}
	var out []Message
	place := map[string]int{}
	known := 0
	var take func(r record)
	take = func(r record) {
		var e entry
		if json.Unmarshal(r, &e) != nil {
			return
		}
		if e.Type != "" || e.Session != "" || e.Set != nil || e.Messages != nil {
			known++
		}
		for _, m := range e.Messages {
			take(m)
		}
		for i := range e.Content {
			if e.Content[i].Type == "" {
				e.Content[i].Type = "text" // parts have no kind in this format
			}
		}
		text := e.Content.text("\n", "text")
		if e.Type != "gemini" || text == "" {
			return
		}
		m := Message{ID: e.ID, Text: text, At: stamp(e.At)}
		if i, ok := place[e.ID]; ok && e.ID != "" {
			out[i] = m
			return
		}
		place[e.ID] = len(out)
		out = append(out, m)
	}
	for r := range records {
		take(r)
	}
	if known == 0 {
		return conversation{}, ErrShape
	}
	return conversation{messages: out}, nil
}

// decodeCopilot reads the events of Copilot CLI.
func decodeCopilot(records iter.Seq[record], _ bool) (conversation, error) {
	var out []Message
	known := 0
	for r := range records {
		var e struct {
			Type string          `json:"type"`
			At   json.RawMessage `json:"timestamp"`
			Data struct {
				Content content `json:"content"`
				ID      string  `json:"messageId"`
			} `json:"data"`
		}
		if json.Unmarshal(r, &e) != nil || !strings.Contains(e.Type, ".") {
			continue
		}
		known++
		if text := e.Data.Content.text("\n", "text"); e.Type == "assistant.message" && text != "" {
			out = append(out, Message{ID: e.Data.ID, Text: text, At: stamp(e.At)})
		}
	}
	if known == 0 {
		return conversation{}, ErrShape
	}
	return conversation{messages: out}, nil
}

// decodePi reads a session of Pi: the branch that ends in the newest entry.
func decodePi(records iter.Seq[record], cut bool) (conversation, error) {
	type entry struct {
		Type    string          `json:"type"`
		ID      string          `json:"id"`
		Parent  *string         `json:"parentId"`
		At      json.RawMessage `json:"timestamp"`
		Message struct {
			Role    string  `json:"role"`
			Content content `json:"content"`
		} `json:"message"`
	}
	by := map[string]entry{}
	header, leaf := false, ""
	for r := range records {
		var e entry
		if json.Unmarshal(r, &e) != nil {
			continue
		}
		if e.Type == "session" {
			header = true
			continue
		}
		if e.ID != "" {
			by[e.ID], leaf = e, e.ID
		}
	}
	if !header && (!cut || leaf == "") {
		return conversation{}, ErrShape
	}
	var out []Message
	for id, seen := leaf, map[string]bool{}; id != "" && !seen[id]; {
		seen[id] = true
		e, ok := by[id]
		if !ok {
			if cut {
				break
			}
			return conversation{}, ErrShape // a parent that is not there: which branch is active is not known
		}
		if text := e.Message.Content.text("\n", "text"); e.Type == "message" && e.Message.Role == "assistant" && text != "" {
			out = append(out, Message{ID: e.ID, Text: text, At: stamp(e.At)})
		}
		id = ""
		if e.Parent != nil {
			id = *e.Parent
		}
	}
	slices.Reverse(out)
	return conversation{messages: out}, nil
}

// decodeKimi reads the event stream of Kimi Code. The text of a message comes in
// parts; a step that ends, a call of a tool or a new prompt ends the message.
func decodeKimi(records iter.Seq[record], _ bool) (conversation, error) {
	type entry struct {
		Type    string          `json:"type"`
		Time    json.RawMessage `json:"time"`
		Version string          `json:"protocol_version"`
		Event   struct {
			Type string `json:"type"`
			UUID string `json:"uuid"`
			Part part   `json:"part"`
		} `json:"event"`
	}
	var out []Message
	var text strings.Builder
	var at time.Time
	id := ""
	end := func() {
		if s := strings.Trim(text.String(), "\n"); strings.TrimSpace(s) != "" {
			out = append(out, Message{ID: id, Text: s, At: at})
		}
		text.Reset()
	}
	known := 0
	for r := range records {
		var e entry
		if json.Unmarshal(r, &e) != nil {
			continue
		}
		if e.Version != "" || strings.HasPrefix(e.Type, "context.") || strings.HasPrefix(e.Type, "turn.") {
			known++
		}
		switch {
		case e.Type == "context.append_loop_event" && e.Event.Type == "content.part":
			if e.Event.Part.Type == "text" {
				text.WriteString(e.Event.Part.Text)
				at = stamp(e.Time)
			}
		case e.Type == "context.append_loop_event" && e.Event.Type == "step.begin":
			end()
			id = e.Event.UUID
		case e.Type == "context.append_loop_event" && (e.Event.Type == "step.end" || e.Event.Type == "tool.call"), strings.HasPrefix(e.Type, "turn."):
			end()
		}
	}
	end()
	if known == 0 {
		return conversation{}, ErrShape
	}
	return conversation{messages: out}, nil
}

// DecodeExport reads what `opencode export` prints of one session.
func DecodeExport(b []byte) (Session, error) {
	var e struct {
		Info struct {
			ID        string `json:"id"`
			Directory string `json:"directory"`
			Time      struct {
				Updated json.RawMessage `json:"updated"`
			} `json:"time"`
		} `json:"info"`
		Messages []struct {
			Info struct {
				ID   string `json:"id"`
				Role string `json:"role"`
				Time struct {
					Created json.RawMessage `json:"created"`
				} `json:"time"`
			} `json:"info"`
			Parts content `json:"parts"`
		} `json:"messages"`
	}
	if i := strings.IndexByte(string(b), '{'); i > 0 {
		b = b[i:] // it says which session it exports before the object
	}
	if json.Unmarshal(b, &e) != nil || e.Info.ID == "" {
		return Session{}, ErrShape
	}
	s := Session{Harness: OpenCode, ID: e.Info.ID, Cwd: e.Info.Directory, Modified: stamp(e.Info.Time.Updated)}
	for _, m := range e.Messages {
		if text := m.Parts.text("\n\n", "text"); m.Info.Role == "assistant" && text != "" {
			s.Messages = append(s.Messages, Message{ID: m.Info.ID, Text: text, At: stamp(m.Info.Time.Created)})
		}
	}
	if len(s.Messages) == 0 {
		return Session{}, ErrNoMessage
	}
	s.Messages = newest(s.Messages)
	return s, nil
}
