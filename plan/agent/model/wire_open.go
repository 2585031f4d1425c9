package model

import "encoding/json"

// chatReader reads Chat Completions, which everybody speaks a little
// differently.
type chatReader struct {
	calls  calls
	finish string
	usage  usage
}

type chatEvent struct {
	Choices []struct {
		Index  int    `json:"index"`
		Finish string `json:"finish_reason"`
		Delta  struct {
			Calls []chatCall `json:"tool_calls"`
		} `json:"delta"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

type chatCall struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func (r *chatReader) event(data []byte) {
	var e chatEvent
	if json.Unmarshal(data, &e) != nil {
		r.calls.damaged = "an event of the answer is no JSON"
		return
	}
	if u := e.Usage; u != nil && u.Prompt+u.Completion > 0 {
		cached := min(u.Details.Cached, u.Prompt)
		r.usage = usage{input: u.Prompt - cached, cacheRead: cached, output: u.Completion}
	}
	for _, c := range e.Choices {
		if c.Index != 0 {
			r.calls.damaged = "the answer comes in several versions"
		}
		for _, tc := range c.Delta.Calls {
			r.piece(tc)
		}
		if c.Finish != "" {
			r.finish = c.Finish
		}
	}
}

// piece adds a fragment. A call begins with the first of its place that says
// anything, and a fragment that names another call there belongs to neither.
func (r *chatReader) piece(c chatCall) {
	p := r.calls.by[c.Index]
	if p == nil {
		if c.Function.Name == "" && c.Function.Arguments == "" {
			return
		}
		p = r.calls.begin(c.Index, c.ID, c.Function.Name)
		p.whole = true // the wire marks no end of a call: the end of the answer is
	} else if c.ID != "" && c.ID != p.id || c.Function.Name != "" && c.Function.Name != p.name {
		r.calls.damaged = "two calls have the same place in the answer"
	}
	p.args = append(p.args, c.Function.Arguments...)
}

func (r *chatReader) evidence() evidence { return r.calls.evidence(r.finish, r.usage) }

// googleReader reads Gemini's streamGenerateContent.
type googleReader struct {
	calls  calls
	finish string
	usage  usage
}

type googleEvent struct {
	Candidates []struct {
		Finish  string `json:"finishReason"`
		Content struct {
			Parts []struct {
				Call *struct {
					ID   string          `json:"id"`
					Name string          `json:"name"`
					Args json.RawMessage `json:"args"`
				} `json:"functionCall"`
			} `json:"parts"`
		} `json:"content"`
	} `json:"candidates"`
	Usage *struct {
		Prompt   int `json:"promptTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
		Answer   int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

func (r *googleReader) event(data []byte) {
	var e googleEvent
	if json.Unmarshal(data, &e) != nil {
		r.calls.damaged = "an event of the answer is no JSON"
		return
	}
	if u := e.Usage; u != nil && u.Prompt > 0 {
		cached := min(u.Cached, u.Prompt)
		r.usage = usage{input: u.Prompt - cached, cacheRead: cached, output: u.Answer + u.Thoughts}
	}
	if len(e.Candidates) == 0 {
		return
	}
	for _, part := range e.Candidates[0].Content.Parts {
		if c := part.Call; c != nil {
			p := r.calls.begin(len(r.calls.by), c.ID, c.Name)
			if p.args, p.whole = c.Args, true; string(c.Args) == "null" {
				p.args = nil // what this wire writes for nothing
			}
		}
	}
	if f := e.Candidates[0].Finish; f != "" {
		r.finish = f
	}
}

func (r *googleReader) evidence() evidence { return r.calls.evidence(r.finish, r.usage) }
