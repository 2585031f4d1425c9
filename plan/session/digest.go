package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planmode/plan/agent"
	"planmode/plan/text"
)

const (
	digestSaid   = 400  // bytes of each thing the person said
	digestAnswer = 2000 // bytes of the last answer
	digestMost   = 40   // things listed of a kind
)

// digest is a summary that needs no model: what was asked, which files were read
// and changed, what was run, and the last answer.
func digest(before []agent.Message) string {
	var asked, changed, read, ran []string
	answer := ""
	for _, m := range before {
		switch {
		case m.Role == agent.RoleSummary:
			asked = append(asked, "(before that)\n"+cutText(m.Text, digestAnswer))
		case m.Role == agent.RoleUser && m.Text != "":
			asked = append(asked, cutText(m.Text, digestSaid))
		case m.Role == agent.RoleAssistant && m.Text != "":
			answer = m.Text
		}
		for _, c := range m.Calls {
			var args struct{ Path, Command string }
			_ = json.Unmarshal(c.Args, &args) // what cannot be read names nothing
			switch c.Name {
			case "edit", "write":
				changed = append(changed, args.Path)
			case "bash":
				ran = append(ran, args.Command)
			default:
				read = append(read, args.Path)
			}
		}
	}
	var b strings.Builder
	list(&b, "The person said, oldest first:", asked)
	list(&b, "Files that were read:", unique(read))
	list(&b, "Files that a change was tried on:", unique(changed))
	list(&b, "Commands that were tried:", unique(ran))
	if answer != "" {
		list(&b, "The last answer was:", []string{cutText(answer, digestAnswer)})
	}
	return strings.TrimSpace(b.String())
}

// unique keeps the first of each, in order, without what is empty.
func unique(all []string) []string {
	var out []string
	for _, s := range all {
		if s = text.Line(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// list writes items, the newest ones if there are too many.
func list(b *strings.Builder, head string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "%s\n", head)
	if extra := len(items) - digestMost; extra > 0 {
		fmt.Fprintf(b, "- (%d earlier ones are left out)\n", extra)
		items = items[extra:]
	}
	for _, s := range items {
		fmt.Fprintf(b, "- %s\n", strings.ReplaceAll(strings.TrimSpace(text.Clean(s)), "\n", "\n  "))
	}
	b.WriteString("\n")
}
