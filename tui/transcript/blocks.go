package transcript

import (
	"html"
	"regexp"
	"strings"

	"planmode/plan/text"
)

// blocks splits Markdown where a renderer may start afresh: at blank lines that
// are outside of fences and followed by an unindented line which does not go on
// with a list. Text that defines reference links is one block, since a link may
// be used before or after its definition. The blocks joined by blank lines are
// the text again, but for blank lines at its ends and doubled ones.
func blocks(s string) []string {
	if definition.MatchString(s) {
		return []string{s}
	}
	var out, cur []string
	fence, blank := "", false
	for _, line := range strings.Split(s, "\n") {
		if fence == "" && strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		if blank && len(cur) > 0 && fence == "" {
			if startsBlock(line, cur[0]) {
				out = append(out, strings.Join(cur, "\n"))
				cur = nil
			} else {
				cur = append(cur, "")
			}
		}
		blank = false
		fence = fenceAfter(fence, line)
		cur = append(cur, line)
	}
	if len(cur) > 0 {
		out = append(out, strings.Join(cur, "\n"))
	}
	return out
}

var (
	definition = regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]+\]:`)
	listItem   = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)])(?:\s|$)`)
	fenceOpen  = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
)

// startsBlock says whether line, after a blank one, begins a block of its own
// although the open block began with first.
func startsBlock(line, first string) bool {
	if line[0] == ' ' || line[0] == '\t' {
		return false
	}
	return !(listItem.MatchString(first) && listItem.MatchString(line))
}

// fenceAfter is the open fence after line: its marker, or empty outside one.
func fenceAfter(fence, line string) string {
	m := fenceOpen.FindStringSubmatch(line)
	switch {
	case m == nil:
		return fence
	case fence == "" && m[1][0] == '`' && strings.Contains(strings.TrimLeft(line, " `"), "`"):
		return "" // inline code
	case fence == "":
		return m[1]
	case m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.TrimSpace(strings.TrimLeft(line, " ")[len(m[1]):]) == "":
		return ""
	}
	return fence
}

// What the renderer may be given: its time grows much faster than the text with
// nesting (4 KiB of ">" take minutes) and with brackets that stay open.
const (
	maxNesting  = 12
	maxIndent   = 40
	maxBrackets = 2000
)

var containers = regexp.MustCompile(`^(?:[ \t]*(?:>|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)))*[ \t]*`)

// tame says whether the renderer can be trusted with a block.
func tame(block string) bool {
	if strings.Count(block, "[") > maxBrackets {
		return false
	}
	fence := ""
	for _, line := range strings.Split(block, "\n") {
		inside := fence != ""
		fence = fenceAfter(fence, line)
		// Markers count in a fence as well: the renderer may see none there.
		if len(strings.Join(strings.Fields(containers.FindString(line)), "")) > maxNesting {
			return false
		}
		if !inside && len(line)-len(strings.TrimLeft(line, " ")) > maxIndent {
			return false
		}
	}
	return true
}

// entity matches what HTML would decode, with or without the semicolon.
var entity = regexp.MustCompile(`&(?:#[xX]?[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?`)

// defuse replaces the entities that decode to characters a screen must not see:
// the renderer would decode them after the text was cleaned.
func defuse(s string) string {
	return entity.ReplaceAllStringFunc(s, func(e string) string {
		if d := html.UnescapeString(e); d != e && text.Clean(d) != d {
			return "\uFFFD"
		}
		return e
	})
}

var (
	sgr      = regexp.MustCompile(`^\x1b\[[0-9;:]*m`)
	trailPad = regexp.MustCompile(`(?:\x1b\[[0-9;:]*m| )+$`)
)

// onlyColours removes every control character that is not part of a colour or
// attribute sequence, hyperlinks included. It is the second lock behind defuse.
func onlyColours(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			if m := sgr.FindString(s[i:]); m != "" {
				b.WriteString(m)
				i += len(m)
				continue
			}
			i += skipEscape(s[i:])
			continue
		}
		if s[i] >= 0x20 && s[i] != 0x7f || s[i] == '\n' {
			b.WriteByte(s[i])
		}
		i++
	}
	return b.String()
}

// skipEscape is the length of the escape sequence that s begins with; strings
// such as hyperlinks are skipped to their terminator.
func skipEscape(s string) int {
	if len(s) > 1 && s[1] == ']' {
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == 0x07:
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			}
		}
		return len(s)
	}
	return 1
}
