package demo

import (
	"fmt"
	"slices"
	"strings"
)

// maxGoal bounds, in cells, how much of the person's words a plan repeats.
const maxGoal = 1500

// sheet is a plan being written.
type sheet struct {
	b    strings.Builder
	lang lang
}

// section starts one of the nine sections.
func (s *sheet) section(en, zh string) {
	if s.b.Len() > 0 {
		s.b.WriteByte('\n')
	}
	fmt.Fprintf(&s.b, "## %s\n\n", s.lang.pick(en, zh))
}

func (s *sheet) paragraph(text string) { s.b.WriteString(text + "\n") }
func (s *sheet) bullet(text string)    { s.b.WriteString("- " + text + "\n") }

// brief is what a plan is written from.
type brief struct {
	goal  string
	topic string
	kind  kind
	found findings
	lang  lang
}

func newBrief(t *talk, goal string) brief {
	return brief{goal: goal, topic: topicOf(goal, t.lang), kind: kindOf(goal), found: gather(t.now(), goal), lang: t.lang}
}

// compose writes the first revision of a plan.
func compose(b brief) string {
	s := &sheet{lang: b.lang}
	l := b.lang
	s.section("Goal", "目标")
	s.paragraph(l.f("The person asked: %s", "用户的要求：%s", quote(short(b.goal, maxGoal), l)))
	s.paragraph("")
	s.paragraph(l.f("Done means: %s, with the existing behaviour around it unchanged and a check that would fail without it.",
		"完成的标准：%s，周围的既有行为保持不变，并有一项在未改动时会失败的检查。", inert(b.topic)))
	s.section("Non-goals", "非目标")
	s.bullet(l.f("Changes that the goal does not need, such as reformatting untouched files.", "与目标无关的改动，例如重新格式化未涉及的文件。"))
	s.bullet(l.f("New dependencies, unless a step below turns out to be impossible without one.", "引入新的依赖，除非下面的某一步离开它就无法完成。"))
	b.evidence(s)
	b.decisions(s)
	b.changes(s)
	s.section("Execution steps", "执行步骤")
	for i, step := range b.steps() {
		s.paragraph(fmt.Sprintf("%d. %s", i+1, step))
	}
	b.verification(s)
	b.risks(s)
	return s.b.String()
}

// evidence lists what was found, and only that.
func (b brief) evidence(s *sheet) {
	l, f := b.lang, &b.found
	s.section("Current evidence", "当前证据")
	if len(f.files) == 0 && len(f.top) == 0 {
		s.bullet(l.f("The working directory holds no file that I could read.", "工作目录里没有我能读取的文件。"))
	} else {
		s.bullet(b.inventory())
	}
	if len(f.top) > 0 {
		top := f.top[:min(len(f.top), 12)]
		more := ""
		if n := len(f.top) - len(top); n > 0 {
			more = l.f(" and %d more", " 等另外 %d 项", n)
		}
		s.bullet(l.f("At the top: %s%s.", "顶层有：%s%s。", l.list(codes(shortAll(top))), more))
	}
	for _, k := range f.looks {
		s.bullet(b.lookLine(k))
	}
	for _, m := range f.matches {
		s.bullet(l.f("%s holds %s: %s", "%s 中出现 %s：%s", code(fmt.Sprintf("%s:%d", short(m.path, 80), m.line)), quote(m.keyword, l), code(m.text)))
	}
	if len(f.keywords) > 0 && len(f.matches) == 0 {
		s.bullet(l.f("A search for %s found nothing, so this starts from zero.", "搜索 %s 没有结果，因此需要从零开始。", l.list(quotes(f.keywords, l))))
	}
	for _, p := range f.problems[:min(len(f.problems), 4)] {
		s.bullet(l.f("Could not be looked at: %s", "无法查看：%s", inert(p)))
	}
}

func shortAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = short(s, 40)
	}
	return out
}

// inventory is the one sentence about all the files.
func (b brief) inventory() string {
	l, f := b.lang, &b.found
	var parts []string
	for _, c := range f.byLanguage() {
		parts = append(parts, l.f("%d %s", "%d 个 %s", c.n, c.name))
	}
	line := plural(l, len(f.files), f.cut)
	if len(parts) > 0 {
		line += l.f(" (%s)", "（%s）", l.list(parts))
	}
	if n := f.tests(); n > 0 {
		line += l.f(", %d of them tests", "，其中 %d 个是测试", n)
	} else {
		line += l.f(", no tests among them", "，其中没有测试")
	}
	return line + l.f(".", "。")
}

func (b brief) lookLine(k look) string {
	l := b.lang
	line := l.f("Read %s", "已读 %s", code(short(k.path, 80)))
	switch {
	case len(k.names) > 0:
		return line + l.f(": it declares %s.", "：其中声明了 %s。", l.list(codes(k.names)))
	case k.headline != "":
		return line + l.f(": it begins with %s.", "：开头是 %s。", quote(k.headline, l))
	}
	return line + l.f(": nothing in it bears on the goal.", "：内容与目标无关。")
}

func (b brief) decisions(s *sheet) {
	l := b.lang
	s.section("Decisions and rationale", "决策与理由")
	if places := b.places(); len(places) > 0 {
		s.bullet(l.f("Work in %s, because that is where the words of the goal already occur.", "在 %s 中进行，因为目标里的词已经出现在那里。", l.list(codes(places))))
	} else {
		s.bullet(l.f("Keep the change in one new place, because nothing here deals with it yet.", "把改动集中在一个新的位置，因为目前没有代码涉及它。"))
	}
	s.bullet(l.f("Small steps, each of which leaves the project working, so that any of them can be the last.", "分成小步，每一步之后项目都可用，因此可以停在任何一步。"))
	if p := b.found.project(); p.test != "" {
		s.bullet(l.f("Use what the project has: %s decides, as %s implies.", "沿用项目已有的方式：以 %s 为准（依据 %s）。", code(p.test), code(p.manifest)))
	}
}

func (b brief) changes(s *sheet) {
	l := b.lang
	s.section("Proposed changes", "拟议改动")
	for _, p := range b.places() {
		s.bullet(l.f("%s: change what the goal touches and nothing else.", "%s：只修改与目标相关的部分。", code(p)))
	}
	if len(b.places()) == 0 {
		s.bullet(l.f("One new file for: %s.", "新增一个文件，用于：%s。", inert(b.topic)))
	}
	s.bullet(l.f("A test for the new behaviour, beside what it tests.", "为新行为添加测试，放在被测代码旁边。"))
	if readme := b.readme(); readme != "" {
		s.bullet(l.f("%s: a few lines, if someone has to know about it.", "%s：如果用户需要了解，补充几行说明。", code(readme)))
	}
}

func (b brief) verification(s *sheet) {
	l := b.lang
	s.section("Verification", "验证")
	if p := b.found.project(); p.test != "" {
		s.bullet(l.f("%s passes.", "%s 通过。", code(p.test)))
	} else {
		s.bullet(l.f("There is no known test command here; try the changed behaviour by hand and write down what was seen.", "这里没有已知的测试命令；手动验证改动后的行为并记录结果。"))
	}
	s.bullet(l.f("The new test fails when the change is taken back.", "撤销改动后，新增的测试会失败。"))
}

func (b brief) risks(s *sheet) {
	l := b.lang
	s.section("Risks", "风险")
	if len(b.found.matches) > 0 {
		s.bullet(l.f("Something outside the files above may rely on the present behaviour; step 1 looks for it.", "上述文件之外可能有代码依赖现有行为；第 1 步会检查。"))
	} else {
		s.bullet(l.f("The goal may be called something else in this code; step 1 looks again.", "目标在代码中可能使用了别的名称；第 1 步会再次查找。"))
	}
	if b.found.tests() == 0 {
		s.bullet(l.f("Without tests a mistake elsewhere would go unnoticed.", "由于没有测试，其他位置的错误可能不会被发现。"))
	}
	s.section("Assumptions", "假设")
	s.bullet(l.f("The files are as I read them; a change since then asks for another look.", "文件与我读取时一致；如果之后有变化，需要重新查看。"))
	s.bullet(l.f("This plan was written by the DEMO agent from a script: the evidence is real, the judgement is not.", "本计划由 DEMO 代理按脚本编写：证据是真实的，判断不是。"))
}

// places are the files to change: source files that are named after a word of the
// goal, then those that hold one, then whatever else holds one.
func (b brief) places() []string {
	var list []string
	put := func(name string) {
		if name = short(name, 80); len(list) < 3 && !testName.MatchString(name) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, name := range b.found.files {
		if len(list) < 2 && isSource(name) && b.found.isNamed(name) {
			put(name)
		}
	}
	for _, m := range b.found.matches {
		if isSource(m.path) {
			put(m.path)
		}
	}
	if len(list) == 0 {
		for _, m := range b.found.matches {
			put(m.path)
		}
	}
	return list
}

func (b brief) readme() string {
	for _, name := range b.found.top {
		if readmeName.MatchString(name) {
			return name
		}
	}
	return ""
}
