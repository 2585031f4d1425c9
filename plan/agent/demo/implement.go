package demo

import (
	"regexp"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/document"
	"planmode/plan/text"
	"planmode/plan/tool"
)

// working decides the next step while an approved plan is open.
func (a *Agent) working(t *talk) step {
	if !t.isGo() {
		return a.workingAnswer(t)
	}
	if t.job == nil {
		if s, more := a.start(t); more {
			return s
		}
	}
	j := t.job
	j.mark(t)
	if s, ended := j.afterRefusal(t); ended {
		return s
	}
	if s, ended := j.afterCompletion(t); ended {
		return s
	}
	return j.next(t)
}

// start prepares the job of this turn; if it cannot, it returns what to do or say
// instead.
func (a *Agent) start(t *talk) (s step, instead bool) {
	p, s, more := planOfWork(t)
	if more {
		return s, true
	}
	if len(p.steps) == 0 {
		return step{text: t.lang.f("I have neither the text of the approved plan nor a way to read it. /plan show displays it; /plan complete or /plan abandon closes the work.",
			"我既没有已批准计划的文本，也无法读取它。/plan show 可显示它；/plan complete 或 /plan abandon 可结束该工作。")}, true
	}
	dir, ok := a.place(t.turn.Dir, *t.turn.Work)
	if !ok {
		return step{text: t.lang.f("I only write outside the working directory, and every temporary directory that I know is inside %s. Start planmode in your repository and say “continue”.",
			"我只在工作目录之外写入，而已知的临时目录都在 %s 之内。请在您的仓库中启动 planmode，然后说“继续”。", code(t.turn.Dir))}, true
	}
	t.job = newJob(t, p, dir)
	return step{}, false
}

// isGo says whether the turn is to work on the plan: it began with the plan, or
// with a message that says to go on.
func (t *talk) isGo() bool {
	m := t.asking()
	return m.Role == agent.RoleHandoff || m.Role == "" || isContinue(m.Text)
}

// workingAnswer answers anything else the person says while a plan is open.
func (a *Agent) workingAnswer(t *talk) step {
	s := chatting(t)
	if len(s.calls) == 0 {
		s.text += t.lang.f("\n\nThe approved plan %s, r%d, is open: say “continue” and I go on with it.",
			"\n\n已批准的计划 %s（r%d）仍在进行：说“继续”，我就接着做。", code(string(t.turn.Work.Plan)), t.turn.Work.Revision)
	}
	return s
}

// approvedPlan is what an implementation needs of the plan.
type approvedPlan struct {
	title string
	steps []string
	notes string // what the person said with the approval
}

// planOfWork finds the approved plan: in what was submitted, in the handoff, else
// by reading the revision, which takes a step of its own.
func planOfWork(t *talk) (p approvedPlan, s step, more bool) {
	ref := *t.turn.Work
	title, markdown := revisionText(t, ref)
	handed := ""
	for _, m := range slices.Backward(t.messages) {
		if m.Role == agent.RoleHandoff && m.Plan != nil && *m.Plan == ref {
			handed = m.Text
			break
		}
	}
	if markdown == "" {
		markdown = handed
	}
	p = approvedPlan{title: title, steps: document.Parse([]byte(markdown)).Steps(), notes: notesOf(handed, ref)}
	if len(p.steps) == 0 {
		if s, more := fetch(t, ref); more {
			return p, s, true
		}
	}
	if p.title == "" {
		p.title = titleOf(t, ref, "")
	}
	return p, step{}, false
}

// notesOf are the quoted lines that a handoff puts in front of the plan: the
// person's notes and the approach they chose, but not those they rejected.
func notesOf(handoff string, ref plan.Ref) string {
	head := handoff
	if at := strings.Index(handoff, string(ref.Hash)+" --"); at >= 0 {
		head = handoff[:at]
	} else if at := strings.Index(handoff, "\n## "); at >= 0 {
		head = handoff[:at]
	}
	var notes []string
	rejected := false
	for line := range strings.SplitSeq(head, "\n") {
		if line != "" && !strings.HasPrefix(line, "> ") {
			rejected = strings.Contains(line, "Do none of it")
		}
		if quoted, ok := strings.CutPrefix(line, "> "); ok && !rejected {
			notes = append(notes, quoted)
		}
	}
	return short(strings.Join(notes, " "), maxNote)
}

// next writes the file of the first step that is left, or completes the plan.
func (j *job) next(t *talk) step {
	l := j.lang
	for i, f := range j.files {
		if f.done {
			continue
		}
		say := ""
		if !t.wrote() {
			say = j.opening(len(j.files) - j.left())
		}
		say += l.f("Step %d of %d: %s\n", "第 %d 步，共 %d 步：%s\n", i+1, len(j.files), inert(f.step))
		return step{text: say, calls: t.one("write", writeArgs{Path: f.path, Content: f.content})}
	}
	return step{
		text: l.f("Every step is acted out in %s. I complete the plan.\n", "所有步骤都已在 %s 中演示。现在完成该计划。\n", code(j.dir)),
		calls: t.one("complete_plan", tool.CompleteArgs{
			PlanID: string(j.ref.Plan), Revision: j.ref.Revision,
			Summary: j.summary(), Verification: j.verification(),
		}),
	}
}

// wrote says whether a file was written in this turn.
func (t *talk) wrote() bool {
	_, ok := last(t.now(), "write")
	return ok
}

func (j *job) opening(done int) string {
	l := j.lang
	if done > 0 {
		return l.f("I go on in %s: %d of %d steps are there already.\n\n", "我在 %s 中继续：已有 %d 步完成，共 %d 步。\n\n", code(j.dir), done, len(j.files))
	}
	say := l.f("I act the plan out in %s: one file for each of %d steps. Your repository stays as it is, and nothing is run.\n\n",
		"我在 %s 中演示该计划：共 %d 个步骤，每步一个文件。您的仓库保持不变，也不会运行任何程序。\n\n", code(j.dir), len(j.files))
	if j.notes != "" {
		say += l.f("With the approval you said %s; I write that down with every step.\n\n", "批准时您说明了 %s；我会写入每一步。\n\n", quote(j.notes, l))
	}
	return say
}

var deniedPattern = regexp.MustCompile(`(?i)den(y|ied)|permi|refus|reject|not allowed|declin|拒绝|未授权|不允许`)

// afterRefusal ends the turn when a write of this turn was not carried out.
func (j *job) afterRefusal(t *talk) (step, bool) {
	e, ok := last(t.now(), "write")
	if !ok || e.ok() {
		return step{}, false
	}
	l, done := j.lang, len(j.files)-j.left()
	why := l.f("the write was interrupted", "写入被中断")
	if e.refused() {
		why = l.f("the write failed", "写入失败")
		if deniedPattern.MatchString(e.result.Text) {
			why = l.f("permission to write was denied", "写入未获许可")
		}
		// What follows the first sentence tells an agent how to go on, not the person.
		first, rest, _ := strings.Cut(firstLine(e.result.Text), ". ")
		if _, said, ok := strings.Cut(rest, "reason: "); ok {
			first = said
		}
		if reason := strings.TrimRight(text.Truncate(first, maxQuote), "."); reason != "" && !strings.HasPrefix(reason, "The person refused") {
			why += l.f(" (%s)", "（%s）", inert(reason))
		}
	}
	return step{text: l.f("I stopped because %s. %d of %d steps are written and the plan is not completed. Say “continue” and I try the remaining steps again.",
		"我停下了，因为%s。已写入 %d 步，共 %d 步，计划未完成。说“继续”，我会重试剩余的步骤。", why, done, len(j.files))}, true
}

// afterCompletion ends the turn after an attempt to complete the plan.
func (j *job) afterCompletion(t *talk) (step, bool) {
	e, ok := last(t.now(), "complete_plan")
	if !ok {
		return step{}, false
	}
	l := j.lang
	if e.ok() {
		return step{text: l.f("The plan is completed. The files are in %s.", "计划已完成。文件位于 %s。", code(j.dir))}, true
	}
	reason := l.f("the call was interrupted", "调用被中断")
	if e.result != nil {
		reason = inert(short(e.result.Text, 300))
	}
	return step{text: l.f("The plan could not be completed: %s. The files are in %s.", "计划无法完成：%s。文件位于 %s。", reason, code(j.dir))}, true
}
