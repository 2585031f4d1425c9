package demo

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
)

// maxNote bounds, in cells, how much of a note is repeated in the plan.
const maxNote = 240

var (
	removePattern  = regexp.MustCompile(`(?i)\b(remove|delete|drop|omit|leave out|get rid of|not needed|unnecessary|cut)\b|删除|删掉|删去|去掉|移除|不需要|不用|多余`)
	insertPattern  = regexp.MustCompile(`(?i)^(please )?(also )?(add|insert)\b|^(请)?(再|还)?(添加|增加|加上|加一|补充|插入)`)
	stepPattern    = regexp.MustCompile(`(?i)\bstep (\d{1,3})\b|第\s*(\d{1,3})\s*步|步骤\s*(\d{1,3})`)
	answersPattern = regexp.MustCompile(`(?i)^(please )?(also )?(add|insert)( a| another| one)?( new| more)?( step)?\s*(to|that|which|for|:|，|：)?\s*`)
)

// reviser edits a plan line by line. Lines are kept in place until the end, so
// that every note finds the line it was written on.
type reviser struct {
	lang    lang
	doc     *document.Document
	outline outline
	lines   []editLine // from 1; the zeroth is unused
	log     []string
}

// editLine is one line with what happens to it.
type editLine struct {
	text  string
	gone  bool
	after []string
}

// revise returns the plan with every note answered where it was made and listed
// among the decisions.
func revise(markdown string, notes []plan.Annotation, l lang) string {
	r := newReviser(markdown, l)
	for _, n := range notes {
		line := r.locate(n)
		r.note(n, line, r.answer(n, line))
	}
	return r.result()
}

// reviseApart only lists the notes among the decisions and leaves the rest.
func reviseApart(markdown string, notes []plan.Annotation, l lang) string {
	r := newReviser(markdown, l)
	for _, n := range notes {
		r.note(n, 0, r.lang.f("taken up; the text itself could not be changed there", "已采纳；但该处文字无法直接修改"))
	}
	return r.result()
}

func newReviser(markdown string, l lang) *reviser {
	r := &reviser{lang: l, doc: document.Parse([]byte(markdown)), lines: []editLine{{}}}
	if own := lang(r.doc.Language()); own != "" {
		r.lang = own
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(markdown, "\n"), "\n") {
		r.lines = append(r.lines, editLine{text: line})
	}
	r.outline = outlineOf(r.doc, r.lines)
	return r
}

// locate returns the line of the plan that a note is about, 0 for all of it. A
// note on an older revision is looked for by its quote.
func (r *reviser) locate(n plan.Annotation) int {
	line := n.Line
	if n.Side == "old" && line > 0 {
		line, _ = document.Reanchor(n, r.doc) // 0 if it is gone
	}
	if line < 1 || line >= len(r.lines) {
		return 0
	}
	return line
}

// answer changes the plan at line for a note and says what was done.
func (r *reviser) answer(n plan.Annotation, line int) string {
	body := text.Line(n.Body)
	if at := r.outline.mentioned(body); line == 0 && at > 0 {
		line = at
	}
	b := r.outline.block(line)
	switch {
	case body == "" && !n.Suggests():
		return r.lang.f("it holds no words", "其中没有文字")
	case n.Delete && line > 0:
		return r.drop(line, max(line, n.End))
	case n.Replacement != "" && line > 0:
		return r.replace(line, max(line, n.End), n.Replacement)
	case removePattern.MatchString(body) && line > 0 && !isQuestion(body):
		return r.remove(b)
	case isQuestion(body):
		return r.reply(b, body)
	case line == 0:
		return r.addStep(r.outline.beforeLast(), body)
	case insertPattern.MatchString(body) && r.outline.isStep(b):
		return r.addStep(b.last, body)
	}
	return r.refine(b, body)
}

func (r *reviser) replace(first, last int, with string) string {
	last = min(last, len(r.lines)-1)
	for i := first; i <= last; i++ {
		r.lines[i].gone = true
	}
	r.lines[first].after = append(r.lines[first].after, strings.Split(strings.TrimSuffix(text.Clean(with), "\n"), "\n")...)
	return r.lang.f("replaced by your wording", "已替换为您的措辞")
}

// drop removes lines that the person suggested to delete, but never the last step.
func (r *reviser) drop(first, last int) string {
	last = min(last, len(r.lines)-1)
	for i := first; i <= last; i++ {
		r.lines[i].gone = true
	}
	if len(r.outline.steps) > 0 && r.stepsLeft() == 0 {
		for i := first; i <= last; i++ {
			r.lines[i].gone = false
		}
		return r.lang.f("kept, because a plan needs at least one step", "保留，因为计划至少需要一个步骤")
	}
	return r.lang.f("removed", "已删除")
}

func (r *reviser) remove(b block) string {
	switch {
	case r.lines[b.first].gone:
		return r.lang.f("already removed for another note", "已因另一条批注移除")
	case b.kind == heading:
		return r.refine(b, r.lang.f("kept short after your note", "按您的批注从简"))
	case r.outline.isStep(b) && r.stepsLeft() == 1:
		return r.lang.f("kept, because a plan needs at least one step", "保留，因为计划至少需要一个步骤")
	}
	for i := b.first; i <= b.last; i++ {
		r.lines[i].gone = true
	}
	if r.outline.isStep(b) {
		return r.lang.f("the step is removed", "该步骤已删除")
	}
	return r.lang.f("removed", "已删除")
}

func (r *reviser) stepsLeft() int {
	n := 0
	for _, s := range r.outline.steps {
		if !r.lines[s.first].gone {
			n++
		}
	}
	return n
}

// reply puts the answer to a question behind the block it is about.
func (r *reviser) reply(b block, question string) string {
	l := r.lang
	answer := l.f("nothing that I read decides this, so it stays open until you say more", "我读到的内容无法回答，因此在您补充之前保持未决")
	if e := r.evidenceFor(question); e != "" {
		answer = l.f("what I read says this about it: %s", "我读到的相关内容是：%s", e)
	}
	if b.first > 0 && !r.lines[b.first].gone {
		line := l.f("Answer to %s: %s", "回答 %s：%s", quote(short(question, maxNote), l), answer)
		r.insertAfter(b, line)
		return l.f("answered there", "已在该处回答")
	}
	return answer
}

// evidenceFor finds the line of the evidence that shares a word with a question.
func (r *reviser) evidenceFor(question string) string {
	words := keywords(question)
	for _, s := range r.doc.Sections() {
		if s.Name != "Current evidence" {
			continue
		}
		for i := s.Heading.Line + 1; i <= s.End && i < len(r.lines); i++ {
			line := strings.TrimSpace(strings.TrimPrefix(r.lines[i].text, "- "))
			if line != "" && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(line), strings.ToLower(w)) }) {
				return short(line, 2*maxNote)
			}
		}
	}
	return ""
}

// insertAfter adds a line that belongs to a block: below an item as part of it,
// elsewhere as a paragraph.
func (r *reviser) insertAfter(b block, line string) {
	last := &r.lines[b.last]
	if b.kind == item {
		last.after = append(last.after, b.indent+"- "+line)
		return
	}
	last.after = append(last.after, "", line)
	if b.last+1 < len(r.lines) && r.lines[b.last+1].text != "" {
		last.after = append(last.after, "")
	}
}

// addStep adds a step behind line, or one of the whole plan in front of the last.
func (r *reviser) addStep(line int, body string) string {
	step := answersPattern.ReplaceAllString(body, "")
	if len([]rune(step)) < 3 {
		step = body
	}
	first := []rune(step)
	step = strings.ToUpper(string(first[:1])) + string(first[1:])
	if line < 1 || len(r.outline.steps) == 0 {
		return r.lang.f("noted here, there is no list of steps to add it to", "记录于此，没有可添加的步骤列表")
	}
	r.lines[line].after = append(r.lines[line].after, r.outline.marker+" "+inert(short(step, maxNote)))
	return r.lang.f("a step was added for it", "已为此增加一个步骤")
}

// refine changes the wording of a block.
func (r *reviser) refine(b block, body string) string {
	note := inert(short(body, maxNote))
	if b.first < 1 || r.lines[b.first].gone {
		return r.lang.f("noted here", "记录于此")
	}
	switch b.kind {
	case item:
		r.lines[b.first].text = strings.TrimRight(r.lines[b.first].text, " \\") + r.lang.f(" — %s", "——%s", note)
	case paragraph:
		r.lines[b.last].text = strings.TrimRight(r.lines[b.last].text, " \\") + r.lang.f(" After your note: %s", " 按您的批注：%s", note)
	default:
		r.insertAfter(b, r.lang.f("After your note: %s", "按您的批注：%s", note))
	}
	if r.outline.isStep(b) {
		return r.lang.f("the step was refined", "该步骤已细化")
	}
	return r.lang.f("the text there was changed", "该处文字已修改")
}

// note lists a note and what became of it.
func (r *reviser) note(n plan.Annotation, line int, done string) {
	l := r.lang
	about := n.Quote
	if about == "" && line > 0 {
		about = r.lines[line].text
	}
	about = short(strings.TrimLeft(firstLine(about), "#*-> "), 60)
	said := n.Body
	if said == "" {
		said = n.Summary()
	}
	body := quote(short(said, maxNote), l)
	if about == "" {
		r.log = append(r.log, l.f("- You noted %s — %s.", "- 您的批注 %s——%s。", body, done))
		return
	}
	r.log = append(r.log, l.f("- On %s you noted %s — %s.", "- 针对 %s，您的批注 %s——%s。", quote(about, l), body, done))
}

// result writes the lines out, numbers the steps anew, and lists the notes at
// the end of the decisions.
func (r *reviser) result() string {
	at := 0
	for _, s := range r.doc.Sections() {
		if s.Name == "Decisions and rationale" {
			at = r.lastText(s.Heading.Line, s.End)
			break
		}
	}
	if at > 0 {
		sep := []string{}
		if !strings.HasPrefix(strings.TrimSpace(r.lines[at].text), "- ") || r.outline.fenced[at] {
			sep = []string{""}
		}
		r.lines[at].after = append(append(r.lines[at].after, sep...), r.log...)
	}
	var b strings.Builder
	for i := 1; i < len(r.lines); i++ {
		if !r.lines[i].gone {
			b.WriteString(r.lines[i].text + "\n")
		}
		for _, line := range r.lines[i].after {
			b.WriteString(line + "\n")
		}
	}
	if at == 0 {
		b.WriteString("\n## " + r.lang.f("Decisions and rationale", "决策与理由") + "\n\n" + strings.Join(r.log, "\n") + "\n")
	}
	return renumber(b.String())
}

// lastText is the last line of a section that is not blank.
func (r *reviser) lastText(first, last int) int {
	for i := min(last, len(r.lines)-1); i > first; i-- {
		if strings.TrimSpace(r.lines[i].text) != "" {
			return i
		}
	}
	return first
}

var orderedItem = regexp.MustCompile(`^( {0,3})(\d{1,9})([.)])(\s+\S)`)

// renumber counts the execution steps anew, so that the numbers people read are
// the numbers they say.
func renumber(markdown string) string {
	lines := strings.Split(markdown, "\n")
	doc := document.Parse([]byte(markdown))
	for _, s := range doc.Sections() {
		if s.Name != "Execution steps" {
			continue
		}
		fenced := fences(lines)
		n := 0
		for i := s.Heading.Line; i < s.End && i < len(lines); i++ {
			m := orderedItem.FindStringSubmatchIndex(lines[i])
			switch {
			case fenced[i]:
			case strings.HasPrefix(lines[i], "#"):
				n = 0
			case m != nil && m[3] == m[2]:
				n++
				lines[i] = strconv.Itoa(n) + lines[i][m[6]:]
			}
		}
		break
	}
	return strings.Join(lines, "\n")
}
