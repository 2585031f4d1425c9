package pull

import (
	"regexp"
	"strings"

	"planmode/plan/text"
)

var (
	mention = regexp.MustCompile(`(?:^|[^\w@/.+-])(@[A-Za-z0-9][\w-]*(?:/[\w.-]+)?)`)
	closing = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+/[\w.-]+)?(?:#\d+|gh-\d+|https://github\.com/\S+/(?:issues|pull)/\d+)`)
	comment = regexp.MustCompile(`<!--`)
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
	if comment.MatchString(live) {
		out = append(out, "has an HTML comment, which nobody would see")
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
	for line := range strings.SplitSeq(strings.TrimSuffix(outside(body), "\n"), "\n") {
		walkSpans(line, func(text, code string) {
			out.WriteString(text)
			if code != "" {
				out.WriteString("\u00b7")
			}
		})
		out.WriteByte('\n')
	}
	return out.String()
}

// outside is the lines of a body that stand in no fence.
func outside(body string) string {
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
			out.WriteString(line)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// walkSpans gives the parts of one line: text, and the code span that follows it, which
// is empty after the last. A span that ends on another line counts as text, which errs
// to the safe side.
func walkSpans(line string, part func(text, code string)) {
	for {
		i := strings.IndexByte(line, '`')
		if i < 0 || i > 0 && line[i-1] == '\\' {
			part(line, "")
			return
		}
		rest := strings.TrimLeft(line[i:], "`")
		ticks := line[i : len(line)-len(rest)]
		end := closer(rest, len(ticks))
		if end <= 0 {
			part(line, "")
			return
		}
		part(line[:i], rest[:end])
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
