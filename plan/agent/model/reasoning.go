package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// sealed is reasoning as the Responses API gave it, by the id of the first call
// that followed it. The library leaves it out of what it writes, and without it
// a model begins to think anew after every call.
type sealed map[string][]json.RawMessage

// sealedItem is what goes back of a reasoning item: all that it says, under no
// id, because nothing is stored on the other side.
type sealedItem struct {
	Type      string          `json:"type"`
	Summary   json.RawMessage `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
}

// sealedOf reads a reasoning item; false if there is nothing to pass back.
func sealedOf(item json.RawMessage) (json.RawMessage, bool) {
	var s sealedItem
	if json.Unmarshal(item, &s) != nil || s.Type != "reasoning" || s.Encrypted == "" {
		return nil, false
	}
	if len(s.Summary) == 0 || s.Summary[0] != '[' {
		s.Summary = json.RawMessage("[]")
	}
	b, err := json.Marshal(s)
	return b, err == nil
}

// replace puts the reasoning into the body of a request.
func (s sealed) replace(req *http.Request) error {
	if req.Body == nil {
		return nil
	}
	body, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	if with, ok := s.insert(body); ok {
		body = with
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.ContentLength = int64(len(body))
	if req.Header.Get("Content-Length") != "" {
		req.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return nil
}

// insert puts each piece of reasoning before the message that it led to. A body
// of another form stays as it is.
func (s sealed) insert(body []byte) ([]byte, bool) {
	var request map[string]json.RawMessage
	var input []json.RawMessage
	if json.Unmarshal(body, &request) != nil || json.Unmarshal(request["input"], &input) != nil {
		return nil, false
	}
	var out []json.RawMessage
	for _, item := range input {
		var head struct {
			Type   string `json:"type"`
			CallID string `json:"call_id"`
		}
		if json.Unmarshal(item, &head) == nil && head.Type == "function_call" && len(s[head.CallID]) > 0 {
			text := len(out)
			for text > 0 && isAssistant(out[text-1]) {
				text--
			}
			said := append([]json.RawMessage(nil), out[text:]...)
			out = append(append(out[:text], s[head.CallID]...), said...)
		}
		out = append(out, item)
	}
	written, err := json.Marshal(out)
	if err != nil {
		return nil, false
	}
	request["input"] = written
	b, err := json.Marshal(request)
	return b, err == nil
}

func isAssistant(item json.RawMessage) bool {
	var head struct {
		Role string `json:"role"`
	}
	return json.Unmarshal(item, &head) == nil && head.Role == "assistant"
}
