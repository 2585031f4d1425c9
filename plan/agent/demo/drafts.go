package demo

import (
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/tool"
)

// revising goes on with the attached draft after a message of the person.
func revising(t *talk, goal string) step {
	l, ref := t.lang, *t.turn.Draft
	title, markdown := revisionText(t, ref)
	if markdown == "" {
		if s, more := fetch(t, ref); more {
			return s
		}
		if t.fetched(ref) {
			return step{text: l.f("I cannot read the whole of %s, r%d, so I do not revise it. Start anew with /plan discard, or decide on it with /plan review.", "我无法完整读取 %s 的 r%d，因此不作修订。可用 /plan discard 重新开始，或用 /plan review 作出决定。", code(string(ref.Plan)), ref.Revision)}
		}
		if s, more := explore(t, goal); more {
			return s
		}
		return firstPlan(t, goal, ref.Plan)
	}
	if title == "" {
		title = titleOf(t, ref, markdown)
	}
	if isContinue(t.asking().Text) {
		if d, open := unanswered(t, ref); open {
			return answerNotes(t, d)
		}
		return step{text: l.f("The draft is %s, r%d. Tell me what to change, or decide on it with /plan review.", "草案是 %s，r%d。请告诉我要改什么，或用 /plan review 作出决定。", quote(title, l), ref.Revision)}
	}
	if isSmallTalk(goal) {
		return step{text: l.f("The draft %s, r%d, is attached. Tell me what to change and I hand in the next revision; /plan review opens it for your decision.", "已附有草案 %s，r%d。告诉我要改什么，我会提交下一个修订版；/plan review 可打开它供您决定。", quote(title, l), ref.Revision)}
	}
	notes := []plan.Annotation{{Body: goal}}
	return revised(t, ref.Plan, title, markdown, notes)
}

// unanswered finds the latest request for changes on the draft, if nothing was
// handed in since: an interrupted turn left it without an answer.
func unanswered(t *talk, ref plan.Ref) (tool.PlanDetails, bool) {
	sub, ok := last(t.exchanges, "submit_plan")
	for i, m := range slices.Backward(t.messages) {
		if ok && i < sub.batch {
			break
		}
		if m.Feedback != nil && m.Feedback.Plan == ref.Plan {
			return *m.Feedback, true
		}
	}
	if !ok {
		return tool.PlanDetails{}, false
	}
	d, known := sub.details()
	return d, known && d.Kind == tool.DetailChangesRequested && d.Plan == ref.Plan
}

// answerNotes hands in the revision that answers a request for changes. The notes
// are about the revision that was shown, which the person may have edited.
func answerNotes(t *talk, d tool.PlanDetails) step {
	ref := plan.Ref{Plan: d.Plan, Revision: d.Revision, Hash: d.Hash}
	title, markdown := revisionText(t, ref)
	if markdown == "" {
		if s, more := fetch(t, ref); more {
			return s
		}
		return step{text: t.lang.f("I cannot read the text of %s, r%d, so I cannot answer the notes on it. They are kept with the plan.",
			"我无法读取 %s 的 r%d，因此无法回应其批注。批注已随计划保存。", code(string(d.Plan)), d.Revision)}
	}
	if title == "" {
		title = titleOf(t, ref, markdown)
	}
	notes := slices.Clone(d.Annotations)
	if strings.TrimSpace(d.Request) != "" {
		notes = append(notes, plan.Annotation{Body: d.Request})
	}
	return revised(t, d.Plan, title, markdown, notes)
}

// revised hands in the next revision, in which every note is answered.
func revised(t *talk, id plan.ID, title, markdown string, notes []plan.Annotation) step {
	l := t.lang
	say := l.f("I answer your note in the next revision.", "我在下一个修订版中回应您的批注。")
	if len(notes) != 1 {
		say = l.f("I answer your %d notes in the next revision.", "我在下一个修订版中逐条回应您的 %d 条批注。", len(notes))
	}
	next := revise(markdown, notes, l)
	if body, err := document.Normalise([]byte(next)); err != nil || document.Parse(body).Check(contentLanguage(t)) != nil {
		// The text around a note may be such that a change there breaks the plan;
		// then the notes are answered apart from it.
		next = reviseApart(markdown, notes, l)
	}
	return submit(t, id, plainTitle(title, l), next, say)
}
