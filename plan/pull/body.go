package pull

import (
	"regexp"
	"strings"

	"planmode/plan/text"
)

var (
	mention = regexp.MustCompile(`(?:^|[^\w@/.+-])(@[A-Za-z0-9][\w-]*(?:/[\w.-]+)?)`)
	closing = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+/[\w.-]+)?(?:#\d+|gh-\d+|https://github\.com/\S+/(?:issues|pull)/\d+)`)
	secrets = regexp.MustCompile(`gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bsk-[A-Za-z0-9_-]{20,}|xox[abeprs]-[A-Za-z0-9-]{10,}|\bAIza[\w-]{35}|glpat-[\w-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`)
)

// Hazards names what a text would do besides being read, were it posted: call people,
// close issues, hide characters, or give a secret away.
func Hazards(body string) []string {
	var out []string
	if why := tooLong(body); why != "" {
		out = append(out, why)
	}
	if err := text.Valid([]byte(body)); err != nil && body != "" {
		out = append(out, "has a character that cannot be seen: "+err.Error())
	}
	if secrets.MatchString(body) {
		out = append(out, "holds what looks like a secret")
	}
	live := prose(body)
	if m := mention.FindStringSubmatch(live); m != nil {
		out = append(out, "calls "+m[1]+"; put it between backticks")
	}
	if m := closing.FindString(live); m != "" {
		out = append(out, "would close an issue: "+oneLine(m))
	}
	return out
}

func (c *checks) body(at, body string) {
	for _, why := range Hazards(body) {
		c.add(at, "%s", why)
	}
}

// prose is a body without its code, in which nothing is live.
func prose(body string) string {
	var out strings.Builder
	var open string
	for line := range strings.SplitSeq(body, "\n") {
		fence, info := fenceOf(line)
		switch {
		case open == "" && fence != "":
			open = fence
		case open != "":
			if fence != "" && fence[0] == open[0] && len(fence) >= len(open) && info == "" {
				open = ""
			}
		default:
			out.WriteString(withoutSpans(line))
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// withoutSpans leaves the code spans of one line out. A span that ends on another line
// stays, which errs to the safe side.
func withoutSpans(line string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(line, '`')
		if i < 0 || i > 0 && line[i-1] == '\\' {
			return out.String() + line
		}
		rest := strings.TrimLeft(line[i:], "`")
		ticks := line[i : len(line)-len(rest)]
		end := closer(rest, len(ticks))
		if end < 0 {
			return out.String() + line
		}
		out.WriteString(line[:i] + "\u00b7")
		line = rest[end+len(ticks):]
	}
}

// closer is where a run of exactly n backticks begins.
func closer(s string, n int) int {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if run == n {
			return at
		}
		at += run
	}
	return -1
}
