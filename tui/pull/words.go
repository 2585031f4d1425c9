package pull

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"planmode/plan/agent"
	"planmode/plan/text"
)

// Role is the name of a job for a person: a dimension by its own name.
func Role(job string) string { return text.Line(strings.TrimPrefix(job, chunk)) }

// activity is what a role does at the moment, in words: a call of a tool is named with
// the argument that tells it apart.
func activity(line string) string {
	name, args, _ := strings.Cut(line, " ")
	var fields map[string]any
	if json.Unmarshal([]byte(args), &fields) != nil {
		return text.Line(line)
	}
	for _, key := range []string{"pattern", "path", "query"} {
		if s, ok := fields[key].(string); ok && s != "" {
			return text.Line(name + " " + s)
		}
	}
	return text.Line(name)
}

// Figures are time, tokens and cost, as far as they are known, the most telling first.
func Figures(took time.Duration, u agent.Usage) []string {
	out := []string{elapsed(took)}
	if n := u.InputTokens + u.OutputTokens; n > 0 {
		out = append(out, tokens(n))
	}
	if u.Cost > 0 {
		out = append(out, fmt.Sprintf("$%.4f", u.Cost))
	}
	return out
}

func elapsed(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", max(d, 0).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d:%02d min", int(d.Minutes()), int(d.Seconds())%60)
}

func tokens(n int) string {
	switch {
	case n < 1000:
		return text.Count(n, "token")
	case n < 1_000_000:
		return fmt.Sprintf("%.1fk tokens", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM tokens", float64(n)/1_000_000)
}
