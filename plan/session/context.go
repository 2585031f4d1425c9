package session

import (
	"strings"

	"planmode/plan/agent"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// mostRequest bounds the original request where it is told again.
const mostRequest = 32 << 10

// begin starts a conversation with what a compaction holds of the entries before
// it: the original request, word for word, and the summary.
func (c *conversation) begin(before []Item, b tree.Compaction) {
	if b.Request != "" {
		for _, e := range before {
			if e.ID != b.Request {
				continue
			}
			if m, err := tree.Decode[tree.User](e); err == nil {
				c.out = append(c.out, agent.Message{Role: agent.RoleUser, Text: cutText(m.Text, mostRequest)})
			}
			break
		}
	}
	if told := b.Told(); told != "" {
		c.out = append(c.out, agent.Message{Role: agent.RoleSummary, Text: told})
	}
}

// cleanContext makes only what is recorded from here on count for the agent. The
// person still sees everything, and the state is not touched.
func (s *Session) cleanContext() error {
	return s.record(tree.KindCompaction, tree.Compaction{Reason: tree.CleanContext, Covers: len(s.Items(0))})
}

// stillAsked is the index of the first of the entries at the end of a branch that
// the agent has not answered; a compaction keeps them. It is the length of the
// branch when the agent has answered all.
func stillAsked(branch []Item) int {
	first := len(branch)
	for i := len(branch) - 1; i >= 0; i-- {
		switch branch[i].Kind {
		case tree.KindAssistant, tree.KindToolCall, tree.KindToolResult, tree.KindCompaction:
			return first
		case tree.KindUser, tree.KindHandoff, KindFeedback, KindShell:
			first = i
		}
	}
	return first
}

// cutText is the beginning of a text, with a word about what is missing.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "\n[" + text.Count(len(s)-most, "more byte") + " left out]"
}
