package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/image"
	"planmode/tui/overlay"
	"planmode/tui/transcript"
)

// searched is how many of the last entries a search looks at.
const searched = 5000

// find shows a finder; then gets the chosen index.
func (m *model) find(title string, entries []overlay.Found, then func(int) tea.Cmd) tea.Cmd {
	d := overlay.NewFinder(title, entries, m.th)
	return m.raise(layer{dialog: d, press: answers(d.Key), then: func(answer any) tea.Cmd {
		if i, ok := answer.(int); ok && i >= 0 {
			return then(i)
		}
		return nil
	}})
}

// findSaid recalls a message of the person, of this session or an earlier one.
func (m *model) findSaid() tea.Cmd {
	var entries []overlay.Found
	var texts []string
	seen := map[string]bool{}
	for _, s := range slices.Backward(m.said) {
		if !seen[s] {
			seen[s] = true
			texts = append(texts, s)
			entries = append(entries, overlay.Found{Label: image.Plain(s)})
		}
	}
	if len(entries) == 0 {
		return m.tell(said, "Nothing was said yet")
	}
	return m.find("What you said", entries, func(i int) tea.Cmd {
		m.composer.SetText(texts[i])
		return m.draftChanged()
	})
}

// hitsMsg brings what a search can go to.
type hitsMsg struct{ hits []transcript.Hit }

func (m *model) findEntry() tea.Cmd {
	list := m.transcript.Searchable(searched)
	return func() tea.Msg { return hitsMsg{list()} }
}

func (m *model) hits(msg hitsMsg) tea.Cmd {
	if len(msg.hits) == 0 {
		return m.tell(said, "There is nothing to search yet")
	}
	entries := make([]overlay.Found, len(msg.hits))
	for i, h := range msg.hits {
		entries[i] = overlay.Found{Label: h.Label, Text: h.Text}
	}
	return m.find("Search the conversation", entries, func(i int) tea.Cmd {
		m.transcript.Reveal(msg.hits[i].Entry)
		return nil
	})
}

// step goes to the plan event before or after.
func (m *model) step(back bool) tea.Cmd {
	if m.transcript.Step(back) {
		m.transcript.List().FollowAtBottom()
		return nil
	}
	if back {
		return m.tell(said, "There is no earlier plan event")
	}
	m.transcript.List().Follow()
	return nil
}
