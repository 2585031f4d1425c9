package demo

import (
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tool"
)

// planning decides the next step while planning: answer a submission, else
// revise the draft, else look around and write a plan.
func planning(t *talk) step {
	if sub, ok := last(t.now(), "submit_plan"); ok {
		return afterSubmission(t, sub)
	}
	if f := t.asking().Feedback; f != nil {
		return answerNotes(t, *f)
	}
	goal := t.goal()
	if t.turn.Draft != nil {
		return revising(t, goal)
	}
	if isSmallTalk(goal) {
		return step{text: introduction(t.lang)}
	}
	if s, more := explore(t, goal); more {
		return s
	}
	if s, more := asks(t, goal); more {
		return s
	}
	return firstPlan(t, goal, "")
}

// firstPlan writes the plan from what was found. id names the attached draft,
// whose text could not be had, if there is one.
func firstPlan(t *talk, goal string, id plan.ID) step {
	b := newBrief(t, goal)
	b.goal += heard(t)
	return submit(t, id, b.topic, compose(b), t.lang.f("I have seen enough and hand in the plan for your review.", "信息已经足够，现在提交计划供您审阅。"))
}

// submit hands in a plan if it passes the checks the host will make.
func submit(t *talk, id plan.ID, title, markdown, say string) step {
	body, err := document.Normalise([]byte(markdown))
	if err == nil {
		err = document.Parse(body).Check(contentLanguage(t))
	}
	if err != nil {
		return step{text: t.lang.f("I cannot write this plan so that it passes the checks: %s", "我无法写出能通过检查的计划：%s", short(err.Error(), 300))}
	}
	return step{text: say, calls: t.one("submit_plan", tool.SubmitArgs{
		PlanID: string(id), Title: title, Markdown: string(body), Options: approaches(t, id),
	})}
}

// contentLanguage is the setting that the host checks plans against.
func contentLanguage(t *talk) string {
	if t.turn.Language == "" {
		return document.Auto
	}
	return t.turn.Language
}

// afterSubmission goes on after the latest submission of this turn.
func afterSubmission(t *talk, sub exchange) step {
	l := t.lang
	d, known := sub.details()
	switch {
	case sub.result == nil:
		return step{text: l.f("The plan was not handed in: the call was interrupted.", "计划未能提交：调用被中断。")}
	case !known && sub.refused():
		return step{text: l.f("The plan could not be handed in: %s", "计划无法提交：%s", short(sub.result.Text, 300))}
	}
	switch d.Kind {
	case tool.DetailChangesRequested:
		return answerNotes(t, d)
	case tool.DetailInvalid, tool.DetailInvalidPlanID, tool.DetailUnchanged:
		return correct(t, sub, d)
	case tool.DetailApproved:
		return step{text: l.f("Approved.", "已批准。")}
	case tool.DetailAutoApproved:
		return step{text: l.f("Auto-approved, not reviewed.", "已自动批准，未经评审。")}
	case tool.DetailKeepPlanning:
		return step{text: l.f("We keep planning: tell me what should be different.", "继续规划：请告诉我需要改什么。")}
	case tool.DetailCancelled, tool.DetailInterrupted:
		return step{text: l.f("The review was dismissed; the draft stays as it is. /plan review opens it again.", "评审已关闭，草案保持不变。/plan review 可再次打开。")}
	case tool.DetailLeft:
		return step{text: l.f("You left planning; the draft is kept and nothing is approved.", "您已离开规划；草案已保留，未批准任何内容。")}
	}
	return step{text: l.f("I stop here, because the plan was not taken: %s", "我在此停下，因为计划未被接受：%s", short(sub.result.Text, 300))}
}

// correct tries once more after a refusal, guided by what the host said; a
// second refusal in a row ends the turn.
func correct(t *talk, sub exchange, d tool.PlanDetails) step {
	l := t.lang
	refusals := 0
	for _, e := range t.now() {
		if e.call.Name != "submit_plan" {
			continue
		}
		refusals++
		if k, ok := e.details(); ok && k.Kind == tool.DetailChangesRequested {
			refusals = 0
		}
	}
	reason := short(sub.result.Text, 300)
	if refusals > 1 {
		return step{text: l.f("My correction was refused as well, so I stop: %s", "我的修正也被拒绝，因此停止：%s", reason)}
	}
	args := arg[tool.SubmitArgs](sub)
	id := plan.ID(args.PlanID)
	switch {
	case d.Kind == tool.DetailUnchanged:
		return step{text: l.f("Nothing was left to change, so there is no new revision.", "没有可改动之处，因此没有新的修订版。")}
	case d.Kind == tool.DetailInvalidPlanID:
		id = d.Plan
		if id == "" && t.turn.Draft != nil && t.turn.Draft.Plan != plan.ID(args.PlanID) {
			id = t.turn.Draft.Plan
		}
	case !explored(t):
		return step{text: l.f("It was refused, and I cannot correct a plan that I did not write from the start: %s", "提交被拒绝，而我无法修正并非由我从头编写的计划：%s", reason)}
	default:
		if lang, ok := wantedLanguage(reason, args.Markdown); ok {
			t.lang = lang
		}
		b := newBrief(t, t.goal())
		b.found.matches, b.found.problems = nil, nil // quoted text is what a check may object to
		args.Title, args.Markdown = plainTitle(args.Title, t.lang), compose(b)
	}
	return submit(t, id, args.Title, args.Markdown, l.f("It was refused (%s); I correct that.", "提交被拒绝（%s），我来修正。", reason))
}

// explored says whether the plan of this turn comes from looking around.
func explored(t *talk) bool {
	_, ok := last(t.now(), "ls")
	return ok
}

// wantedLanguage reads out of a refusal that the headings have to be those of
// the other language.
func wantedLanguage(reason, markdown string) (lang, bool) {
	current := lang(document.Parse([]byte(markdown)).Language())
	for _, other := range []lang{english, chinese} {
		if other == current {
			continue
		}
		for _, name := range document.Names(string(other)) {
			if strings.Contains(reason, name) {
				return other, true
			}
		}
	}
	return "", false
}

// plainTitle is a title without anything that could be refused.
func plainTitle(s string, l lang) string {
	if s = short(s, maxTopic); s == "" {
		return l.f("Plan", "计划")
	}
	return s
}

// introduction answers small talk while planning.
func introduction(l lang) string {
	return l.f(`planning is on. I am a script, not a model, but I work on your real repository.

Tell me a goal, for example “Add a --version flag” or “修复登录错误”. I then

1. look around with read-only tools,
2. hand in a plan with nine sections, which opens in the reviewer,
3. answer each of your notes in the next revision, and
4. after your approval act the plan out in a temporary directory, never in the repository.`,
		`规划模式已开启。我是脚本而不是模型，但处理的是您真实的仓库。

请告诉我一个目标，例如“添加 --version 参数”或“Fix the login error”。随后我会：

1. 用只读工具查看仓库；
2. 提交一份包含九个部分的计划，并在评审器中打开；
3. 在下一个修订版中逐条回应您的批注；
4. 在您批准后，于临时目录中演示实施，绝不改动仓库。`)
}
