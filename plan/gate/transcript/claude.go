package transcript

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

type claudeEntry struct {
	Type       string          `json:"type"`
	UUID       string          `json:"uuid"`
	Parent     *string         `json:"parentUuid"`
	Sidechain  bool            `json:"isSidechain"`
	Meta       bool            `json:"isMeta"`
	Visibility string          `json:"visibility"`
	At         json.RawMessage `json:"timestamp"`
	Message    struct {
		ID      string  `json:"id"`
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"message"`
}

// decodeClaude reads the entries of the active branch: from the newest entry along
// the parents to the root. A rewound conversation leaves dead branches behind. When
// the chain is broken, as after a compaction, all entries count in their order.
func decodeClaude(records iter.Seq[record], cut bool) (conversation, error) {
	var all []claudeEntry
	known := 0
	for r := range records {
		var e claudeEntry
		if json.Unmarshal(r, &e) != nil || e.Type == "" {
			continue
		}
		known++
		e.Message.Content = slices.Clone(e.Message.Content)
		all = append(all, e)
	}
	if known == 0 {
		return conversation{}, ErrShape
	}
	branch := claudeBranch(all, cut)
	if found := claudeMessages(branch); len(found) > 0 {
		return conversation{found, claudeRunning(branch)}, nil
	}
	return conversation{claudeMessages(all), claudeRunning(all)}, nil
}

// claudeBranch is the chain that ends in the newest entry, oldest first; nothing if
// it does not reach a root.
func claudeBranch(all []claudeEntry, cut bool) []claudeEntry {
	at := make(map[string]int, len(all))
	last := -1
	for i, e := range all {
		if e.UUID == "" {
			continue
		}
		at[e.UUID] = i
		if !e.Sidechain {
			last = i
		}
	}
	var chain []claudeEntry
	seen := map[int]bool{}
	for i := last; i >= 0 && !seen[i]; {
		seen[i] = true
		chain = append(chain, all[i])
		if all[i].Parent == nil || *all[i].Parent == "" {
			slices.Reverse(chain)
			return chain
		}
		next, ok := at[*all[i].Parent]
		if !ok {
			if !cut {
				return nil
			}
			slices.Reverse(chain)
			return chain
		}
		i = next
	}
	return nil
}

// claudeRunning counts the messages since the person last said something: a program
// that the agent started runs in that turn.
func claudeRunning(entries []claudeEntry) int {
	last := 0
	for i, e := range entries {
		if e.Type == "user" && !e.Sidechain && !e.Meta && isPrompt(e.Message.Content.text("\n", "text")) {
			last = i
		}
	}
	return len(claudeMessages(entries)) - len(claudeMessages(entries[:last]))
}

// isPrompt tells what a person said from what the program wrote in their name.
func isPrompt(text string) bool {
	for _, tag := range []string{"<local-command-", "<command-name>", "<system-reminder>", "<system-notification>"} {
		if strings.HasPrefix(text, tag) {
			return false
		}
	}
	return text != ""
}

// claudeMessages joins what was streamed in pieces under one id.
func claudeMessages(entries []claudeEntry) []Message {
	var out []Message
	place := map[string]int{}
	for _, e := range entries {
		hidden := e.Visibility == "llm_only" || e.Visibility == "assistant_only" || e.Visibility == "hidden"
		if e.Type != "assistant" || e.Sidechain || e.Meta || hidden {
			continue
		}
		text := e.Message.Content.text("\n", "text")
		if text == "" {
			continue
		}
		id := e.Message.ID
		if id == "" {
			id = e.UUID
		}
		if i, ok := place[id]; ok && id != "" {
			out[i].Text += "\n" + text
			continue
		}
		place[id] = len(out)
		out = append(out, Message{ID: id, Text: text, At: stamp(e.At)})
	}
	return out
}
