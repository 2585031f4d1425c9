package reviewer

import (
	"strings"

	"planmode/plan/text"
)

// lineKind is what a source line is in Markdown, as far as it matters for how
// the line is drawn.
type lineKind uint8

const (
	kindText lineKind = iota
	kindBlank
	kindHeading
	kindUnderline // of a heading written on two lines
	kindFence
	kindCode
	kindQuote
	kindList
	kindTable
	kindRule
	kindFront   // front matter
	kindComment // HTML comment
	kindTableRule
	kindFootnote   // the first line of one
	kindDefinition // of where a link leads
)

// lineInfo is the kind of a line, and for headings its level. A fence has level
// 1 where it opens; it and its code are flush when it is in nothing else.
type lineInfo struct {
	kind  lineKind
	level uint8
	flush bool
}

// heading is one row of the contents list. Line is 1-based.
type heading struct {
	line  int
	level int
	title string
}

// classify looks at every line once. It keeps the state that spans lines
// (fences, front matter, comments) and nothing else, so that its cost is a small
// multiple of reading the file.
func classify(lines []string) []lineInfo {
	infos := make([]lineInfo, len(lines))
	c := classifier{previous: kindBlank, front: len(lines) > 0 && strings.TrimRight(lines[0], " ") == "---" && closesFront(lines)}
	for i, line := range lines {
		infos[i] = c.next(i, line)
		if infos[i].kind == kindUnderline {
			infos[i-1] = lineInfo{kind: kindHeading, level: infos[i].level}
		}
	}
	return infos
}

// closesFront tells a front matter from a document that opens with a rule.
func closesFront(lines []string) bool {
	for _, line := range lines[1:min(len(lines), 100)] {
		switch strings.TrimRight(line, " ") {
		case "---", "...":
			return true
		case "":
			return false
		}
	}
	return false
}

type classifier struct {
	front    bool
	comment  bool
	fence    string // the run of backticks or tildes that is open
	flush    bool   // and it is not indented
	previous lineKind
}

func (c *classifier) next(i int, line string) lineInfo {
	info := c.classify(i, line)
	c.previous = info.kind
	return info
}

func (c *classifier) classify(i int, line string) lineInfo {
	body := strings.TrimLeft(line, " \t")
	switch {
	case c.front:
		c.front = i == 0 || !isFrontEnd(line)
		return lineInfo{kind: kindFront}
	case c.comment:
		c.comment = !strings.Contains(line, "-->")
		return lineInfo{kind: kindComment}
	case c.fence != "":
		if run := fenceRun(body); strings.HasPrefix(run, c.fence) && strings.TrimSpace(body[len(run):]) == "" {
			c.fence = ""
			return lineInfo{kind: kindFence, flush: c.flush}
		}
		return lineInfo{kind: kindCode, flush: c.flush}
	case body == "":
		return lineInfo{kind: kindBlank}
	}
	if run := fenceRun(body); run != "" && !(run[0] == '`' && strings.Contains(body[len(run):], "`")) {
		c.fence, c.flush = run, len(line) == len(body)
		return lineInfo{kind: kindFence, level: 1, flush: c.flush}
	}
	return c.block(body, len(line)-len(body))
}

// block classifies a line that is inside nothing, by how it begins.
func (c *classifier) block(body string, indent int) lineInfo {
	if level := headingLevel(body); level > 0 && indent < 4 {
		return lineInfo{kind: kindHeading, level: uint8(level)}
	}
	if c.previous == kindText && indent < 4 {
		if solid(body, '=') {
			return lineInfo{kind: kindUnderline, level: 1}
		}
		if solid(body, '-') && len(body) > 1 {
			return lineInfo{kind: kindUnderline, level: 2}
		}
	}
	switch {
	case strings.HasPrefix(body, "<!--"):
		c.comment = !strings.Contains(body, "-->")
		return lineInfo{kind: kindComment}
	case body[0] == '>':
		return lineInfo{kind: kindQuote}
	case (body[0] == '|' || body[0] == '-' || body[0] == ':') && isTableRule(body):
		return lineInfo{kind: kindTableRule}
	case body[0] == '|':
		return lineInfo{kind: kindTable}
	case body[0] == '[' && indent < 4:
		return lineInfo{kind: bracketKind(body)}
	case isRule(body):
		return lineInfo{kind: kindRule}
	case listMarker(body) > 0:
		return lineInfo{kind: kindList}
	}
	return lineInfo{kind: kindText}
}

// bracketKind tells footnotes and link definitions from text.
func bracketKind(body string) lineKind {
	end := strings.Index(body, "]:")
	switch {
	case end < 2 || strings.ContainsAny(body[1:end], "[]"):
		return kindText
	case body[1] == '^':
		return kindFootnote
	}
	return kindDefinition
}

func isFrontEnd(line string) bool {
	line = strings.TrimRight(line, " ")
	return line == "---" || line == "..."
}

// fenceRun is the run of three or more backticks or tildes a line begins with.
func fenceRun(body string) string {
	if !strings.HasPrefix(body, "```") && !strings.HasPrefix(body, "~~~") {
		return ""
	}
	return body[:len(body)-len(strings.TrimLeft(body, body[:1]))]
}

func headingLevel(body string) int {
	level := len(body) - len(strings.TrimLeft(body, "#"))
	if level < 1 || level > 6 || (len(body) > level && body[level] != ' ' && body[level] != '\t') {
		return 0
	}
	return level
}

func solid(body string, c byte) bool {
	body = strings.TrimRight(body, " \t")
	return body != "" && strings.Count(body, string(c)) == len(body)
}

func isRule(body string) bool {
	body = strings.ReplaceAll(strings.TrimRight(body, " \t"), " ", "")
	return len(body) >= 3 && (solid(body, '-') || solid(body, '*') || solid(body, '_'))
}

// listMarker is the length of a bullet or a number with the blank behind it.
func listMarker(body string) int {
	n := 0
	switch {
	case strings.IndexByte("-*+", body[0]) >= 0:
		n = 1
	default:
		for n < len(body) && n < 9 && body[n] >= '0' && body[n] <= '9' {
			n++
		}
		if n == 0 || n == len(body) || (body[n] != '.' && body[n] != ')') {
			return 0
		}
		n++
	}
	if n == len(body) {
		return n
	}
	if body[n] != ' ' && body[n] != '\t' {
		return 0
	}
	return n + 1
}

// headingsOf are the rows of the contents list.
func headingsOf(lines []string, infos []lineInfo) []heading {
	var out []heading
	for i, info := range infos {
		if info.kind != kindHeading {
			continue
		}
		title := strings.Trim(strings.TrimSpace(lines[i]), "#")
		out = append(out, heading{line: i + 1, level: int(info.level), title: plainTitle(title[:min(len(title), 400)])})
	}
	return out
}

// plainTitle is a title without its marks and without where its links lead.
func plainTitle(title string) string {
	title = text.Line(title)
	if !strings.ContainsAny(title, "`*_~[<\\") {
		return title
	}
	var b strings.Builder
	for _, p := range inline(title, faceText, hideMarks) {
		if p.face&faceRole != faceMarker {
			b.WriteString(p.text)
		}
	}
	return strings.TrimSpace(b.String())
}
