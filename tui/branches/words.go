package branches

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// Filter says which entries are nodes.
type Filter int

// The filters, in the order in which a key goes through them.
const (
	Messages Filter = iota // what was said, and what became of plans
	Plans                  // what became of plans
	Labelled
	Everything
	filters
)

func (f Filter) String() string {
	return [...]string{"messages and plans", "plan events", "labelled", "everything"}[f]
}

// said are the kinds of entries that somebody said.
var said = map[plan.Kind]bool{
	tree.KindUser: true, tree.KindAssistant: true, tree.KindHandoff: true, tree.KindCompaction: true,
	session.KindFeedback: true, session.KindShell: true,
}

// planned are the kinds that tell what became of plans.
var planned = map[plan.Kind]bool{
	plan.KindPlanningEntered: true, plan.KindRevisionAttached: true, plan.KindRevisionSubmitted: true,
	plan.KindChangesRequested: true, plan.KindReviewClosed: true, plan.KindPlanApproved: true, plan.KindPlanningLeft: true,
	plan.KindDraftDetached: true, plan.KindWorkCompleted: true, plan.KindWorkAbandoned: true,
	plan.KindWorkRecovered: true, plan.KindWorkAdopted: true, tree.KindAnnotations: true,
}

// lets says whether a filter lets an entry through. Records of moves and labels
// are shown as what they did, never as themselves.
func (f Filter) lets(e *session.Item, labelled bool) bool {
	switch {
	case e.Kind == tree.KindLeaf || e.Kind == tree.KindLabel:
		return false
	case f == Everything || labelled:
		return true
	case f == Messages:
		return said[e.Kind] || planned[e.Kind]
	case f == Plans:
		return planned[e.Kind]
	}
	return false
}

// line is an entry in one line: who or what, and what it says. Both are clean.
func line(e session.Item) (who, what string) {
	if ev, ok, err := tree.Event(e); ok && err == nil {
		who, what = eventLine(ev)
		return text.Line(who), text.Line(what)
	}
	who, what = strings.ReplaceAll(string(e.Kind), "_", " "), ""
	if say, ok := says[e.Kind]; ok {
		who, what = say(e)
	}
	return text.Line(who), text.Line(shorten(what))
}

// shorten bounds what is cleaned for one line.
func shorten(s string) string {
	const most = 2000
	if len(s) > most {
		s = s[:most]
	}
	return s
}

// says reads the kinds that are no events.
var says = map[plan.Kind]func(session.Item) (who, what string){
	tree.KindUser:        reads("you", func(m tree.User) string { return m.Text }),
	tree.KindAssistant:   reads("agent", func(m tree.Assistant) string { return m.Text }),
	tree.KindToolCall:    reads("tool", func(m tree.ToolCall) string { return m.Name + " " + argument(m.Args) }),
	tree.KindToolResult:  reads("result", func(m tree.ToolResult) string { return m.Text }),
	tree.KindAnswer:      reads("answer", func(m tree.Answer) string { return cmp.Or(m.Choice, m.Text, m.Note) }),
	tree.KindNotice:      reads("planmode", func(m tree.Notice) string { return m.Text }),
	tree.KindTitle:       reads("name", func(m tree.Title) string { return m.Text }),
	tree.KindCompaction:  reads("summary", func(m tree.Compaction) string { return m.Summary }),
	tree.KindPermission:  reads("permission", func(m tree.Permission) string { return m.Tool + ": " + m.Answer }),
	session.KindShell:    reads("you ran", func(m session.Shell) string { return m.Command }),
	session.KindFeedback: reads("notes", func(m session.Feedback) string { return m.Text }),
	tree.KindHandoff:     reads("handed over", func(m tree.Handoff) string { return m.Title + " r" + strconv.Itoa(m.Ref.Revision) }),
	tree.KindAnnotations: reads("notes", notesLine),
	tree.KindModel:       reads("model", func(m tree.Model) string { return m.Agent + " " + m.Model }),
}

func reads[T any](who string, what func(T) string) func(session.Item) (string, string) {
	return func(e session.Item) (string, string) {
		v, err := tree.Decode[T](e)
		if err != nil {
			return who, "(damaged)"
		}
		return who, what(v)
	}
}

func notesLine(a tree.Annotations) string {
	what := text.Count(len(a.Items), "note") + " on r" + strconv.Itoa(a.Ref.Revision)
	if len(a.Items) > 0 {
		what += ": " + a.Items[0].Body
	}
	return what
}

// argument is the one argument of a call that tells most.
func argument(args json.RawMessage) string {
	var a struct{ Path, Command, Pattern, Title string }
	if json.Unmarshal(args, &a) != nil {
		return ""
	}
	for _, s := range []string{a.Title, a.Command, a.Path, a.Pattern} {
		if s != "" {
			return s
		}
	}
	return ""
}

// eventLine is what happened to a plan.
func eventLine(ev plan.Event) (who, what string) {
	r := func(ref plan.Ref) string { return "r" + strconv.Itoa(ref.Revision) }
	switch ev := ev.(type) {
	case plan.PlanningEntered:
		return "plan mode", "on"
	case plan.RevisionAttached:
		return "plan mode", "on, from " + r(ev.Ref)
	case plan.RevisionSubmitted:
		return "plan " + r(ev.Ref), ev.Title
	case plan.ReviewOpened:
		return "review", "of " + r(ev.Ref)
	case plan.ReviewClosed:
		return "review", string(ev.Outcome)
	case plan.ChangesRequested:
		return "changes requested", strings.TrimSpace(notesCount(ev.Count) + " " + ev.Text)
	case plan.PlanApproved:
		by := ""
		if ev.By == plan.ByAuto {
			by = " (automatically)"
		}
		return "APPROVED " + r(ev.Ref), ev.Title + by
	case plan.PlanningLeft:
		return "plan mode", "off"
	case plan.DraftDetached:
		if ev.Discarded {
			return "draft " + r(ev.Ref), "discarded"
		}
		return "draft " + r(ev.Ref), "put aside"
	case plan.WorkCompleted:
		return "COMPLETED " + r(ev.Ref), ev.Title
	case plan.WorkAbandoned:
		return "ABANDONED " + r(ev.Ref), ev.Title
	case plan.WorkRecovered:
		return "RECOVERED " + r(ev.Ref), ev.Reason
	case plan.WorkAdopted:
		return "ADOPTED " + r(ev.Ref), ev.Title
	}
	return string(ev.Kind()), ""
}

func notesCount(n int) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, "note")
}

// whole is all that an entry says, for the preview and the search.
func whole(e session.Item) string {
	if m, err := tree.Decode[tree.ToolResult](e); e.Kind == tree.KindToolResult && err == nil {
		return text.Clean(m.Text)
	}
	if m, err := tree.Decode[tree.Annotations](e); e.Kind == tree.KindAnnotations && err == nil {
		var b strings.Builder
		for _, n := range m.Items {
			fmt.Fprintf(&b, "%s: %s\n", n.Where(), n.Body)
		}
		return text.Clean(b.String())
	}
	if m, err := tree.Decode[tree.Compaction](e); e.Kind == tree.KindCompaction && err == nil {
		return text.Clean(m.Told())
	}
	if say, ok := says[e.Kind]; ok {
		_, what := say(e)
		return text.Clean(what)
	}
	who, what := line(e)
	return who + " " + what
}
