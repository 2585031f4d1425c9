package demo

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tool"
)

var (
	orPattern  = regexp.MustCompile(`(?i)^(.*\S)(?:\s+or\s+|\s*还是\s*|\s*或者\s*)([^.,;:?!。，；：？！]{1,40})`)
	askPattern = regexp.MustCompile(`(?i)\bask me\b|先问我|问我`)
)

// approaches are the two ways that a goal such as "keep the carts in files or in a
// database" leaves open. A revision offers what the one before it offered.
func approaches(t *talk, id plan.ID) []tool.OptionArgs {
	if sub, ok := last(t.exchanges, "submit_plan"); ok && id != "" {
		if before := arg[tool.SubmitArgs](sub); len(before.Options) > 0 {
			return before.Options
		}
	}
	m := orPattern.FindStringSubmatch(short(t.goal(), 200))
	if m == nil {
		return nil
	}
	second := strings.Fields(m[2])
	first := strings.Fields(m[1])
	if at := lastIndexFold(first, second[0]); at >= 0 {
		first = first[at:]
	} else {
		first = first[max(len(first)-len(second), 0):]
	}
	l := t.lang
	options := []tool.OptionArgs{
		{Label: strings.Join(first, " "), Description: l.f("The first of the two ways that you named.", "您提到的第一种方式。"), Recommended: true},
		{Label: strings.Join(second, " "), Description: l.f("The second of the two ways that you named.", "您提到的第二种方式。")},
	}
	if document.CheckOptions(tool.SubmitArgs{Options: options}.Offered()) != nil {
		return nil
	}
	return options
}

func lastIndexFold(words []string, word string) int {
	for i, w := range slices.Backward(words) {
		if strings.EqualFold(w, word) {
			return i
		}
	}
	return -1
}

// asks makes the questions that a goal with "ask me" wants asked, once and where
// there is somebody to answer them.
func asks(t *talk, goal string) (step, bool) {
	if _, done := last(t.now(), tool.AskName); done || !askPattern.MatchString(goal) {
		return step{}, false
	}
	if !slices.ContainsFunc(t.turn.Tools, func(s tool.Spec) bool { return s.Name == tool.AskName }) {
		return step{}, false
	}
	l := t.lang
	args := tool.QuestionArgs{Questions: []tool.Inquiry{
		{Header: l.f("Scope", "范围"), Question: l.f("How far should the first version go?", "第一个版本要做到什么程度？"), Options: []tool.Answer{
			{Label: l.f("The smallest useful form", "最小可用形式"), Description: l.f("one path, no settings", "一条路径，没有设置"), Recommended: true},
			{Label: l.f("All of it at once", "一次全部完成"), Description: l.f("with settings and documents", "包含设置和文档")},
		}},
		{Header: l.f("Tests", "测试"), Question: l.f("Which tests do you want first?", "您希望先写哪些测试？"), Options: []tool.Answer{
			{Label: l.f("Unit tests", "单元测试")},
			{Label: l.f("One test of the whole", "一个整体测试"), Description: l.f("slower, closer to the user", "较慢，但更接近用户")},
		}},
	}}
	return step{text: l.f("I have two questions first.\n", "我先问两个问题。\n"), calls: t.one(tool.AskName, args)}, true
}

// heard is what the person answered to them, in a sentence for the plan.
func heard(t *talk) string {
	e, ok := last(t.now(), tool.AskName)
	var d tool.QuestionDetails
	if !ok || e.result == nil || json.Unmarshal(e.result.Details, &d) != nil {
		return ""
	}
	var parts []string
	for _, q := range d.Questions {
		said := q.Choice + q.Text
		if !q.Answered {
			said = t.lang.f("not answered", "未回答")
		}
		parts = append(parts, short(q.Question, 80)+" "+short(said, 200))
	}
	return " (" + strings.Join(parts, "; ") + ")"
}
