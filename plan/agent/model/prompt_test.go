package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"charm.land/fantasy"

	"planmode/plan/agent"
	"planmode/plan/tool"
	"planmode/store"
)

func TestWhateverAConversationHoldsEveryCallHasOneAnswerAndAGoodName(t *testing.T) {
	m := &resolved{provider: provider{kind: store.KindAnthropic}, model: store.Model{Name: "claude-sonnet-4-5"}}
	h := m.prompt("sys", []agent.Message{
		{Role: agent.RoleUser, Text: "go"},
		{Role: agent.RoleAssistant, Text: " \n", Calls: []tool.Call{
			{ID: "x", Name: "bash; rm -rf", Args: []byte(`"cut {`)}, {ID: "x", Name: "", Args: nil}, {ID: "ü/1", Name: strings.Repeat("n", 300), Args: []byte(`{"a":1}`)},
		}},
		{Role: agent.RoleUser, Results: []tool.Result{{Text: ""}, {Text: "bad \xff", Error: true}}},
		{Role: agent.RoleHandoff, Text: "the plan"},
		{Role: agent.RoleAssistant, Calls: []tool.Call{{ID: "x", Name: "ls", Args: []byte(`{}`)}}},
		{Role: agent.RoleUser, Text: "never mind"},
	})
	open, seen := map[string]bool{}, map[string]bool{}
	for _, msg := range h.out {
		for _, part := range msg.Content {
			switch p := part.(type) {
			case fantasy.ToolCallPart:
				var object map[string]any
				if seen[p.ToolCallID] || p.ToolCallID != word(p.ToolCallID, 64) || p.ToolName != name(p.ToolName) || json.Unmarshal([]byte(p.Input), &object) != nil {
					t.Errorf("call %+v", p)
				}
				open[p.ToolCallID], seen[p.ToolCallID] = true, true
			case fantasy.ToolResultPart:
				if !open[p.ToolCallID] {
					t.Errorf("a result without a call: %+v", p)
				}
				delete(open, p.ToolCallID)
			case fantasy.TextPart:
				if strings.TrimSpace(p.Text) == "" {
					t.Error("an empty text")
				}
			}
		}
	}
	if len(open) > 0 || len(seen) != 4 {
		t.Errorf("open %v of %v", open, seen)
	}
	if text := fmt.Sprint(h.out); !strings.Contains(text, endOfTurn) {
		t.Errorf("nothing closes the turn before the plan: %s", text)
	}
}

func TestAnImageGoesToModelsThatTakeThem(t *testing.T) {
	for _, takes := range []bool{true, false} {
		m := &resolved{model: store.Model{Images: takes}}
		out := m.prompt("", []agent.Message{{Role: agent.RoleUser, Text: "see", Images: []agent.Image{{Name: "a.png", MediaType: "image/png", Data: []byte("x")}}}}).out
		_, file := out[0].Content[1].(fantasy.FilePart)
		if file != takes || !takes && !strings.Contains(fmt.Sprint(out), "takes no images") {
			t.Errorf("takes images %v: %+v", takes, out)
		}
	}
}

func TestOnlyTheSystemPromptAndTheLastTwoAreMarkedForCaching(t *testing.T) {
	m := &resolved{provider: provider{kind: store.KindAnthropic}}
	h := m.prompt("sys", []agent.Message{{Role: agent.RoleUser, Text: "a"}, {Role: agent.RoleAssistant, Text: "b"}, {Role: agent.RoleUser, Text: "c"}, {Role: agent.RoleAssistant, Text: "d"}, {Role: agent.RoleUser, Text: "e"}})
	marks := ""
	for _, msg := range h.marked() {
		marks += map[bool]string{true: "x", false: "."}[len(msg.ProviderOptions) > 0]
	}
	if marks != "x..x.x" {
		t.Errorf("marks %s", marks)
	}
}
