package tui

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/tui/theme"
)

// hostileTexts are what a model, a file, a server, a repository or a reviewer may
// say to make a terminal do something, or show what is not there.
var hostileTexts = map[string]string{
	"sequences":         "a\x1b[2J\x1b[31mb\x1b]0;owned\a\x1b]52;c;aGk=\x1b\\c\x1bPq#0\x1b\\d\x1bc",
	"controls":          "a\x00b\x07c\x08d\x0be\x0cf\rg\x7fh\x85i\x9b31mj\x9d0;owned\x9ck",
	"C1 as UTF-8":       "a\u009b2Jb\u009d0;owned\u009cc\u0085d",
	"bidi and hidden":   "a\u202eb\u2066c\u2069d\u200be\u2028f\u2029g\ufeffh\U000e0041i",
	"invalid UTF-8":     "a\xff\xfe\xc3b\xed\xa0\x80c",
	"marks on marks":    "a" + strings.Repeat("\u0301", 500) + "b",
	"wide and joined":   "计划\u200d👩\u200d💻\ufe0f🇩🇪한글",
	"Markdown":          "# \x1b[2Jh\n\n- [x](javascript:\x1b]8;;\x1b\\)\n\n```\n\x1b[2J\n```\n\n| \x1b[1m | \u202e |\n|--|--|\n",
	"a sequence in two": "a\x1b",
	"a proposed plan":   "<proposed_plan>\n# \x1b[2J\u202eplan\n</proposed_plan>\n",
}

// fill puts s into every string that v holds, and one element into what is empty.
// Strings of a type of their own are left unless named, since they choose what is
// drawn.
func fill(v reflect.Value, s string, named bool, depth int) {
	if depth > 8 || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		if named || v.Type() == reflect.TypeFor[string]() {
			v.SetString(s)
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem(), s, named, depth+1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // raw JSON
		}
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			fill(v.Index(i), s, named, depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), s, named, depth+1)
		}
	}
}

func filled[T any](base T, s string, named bool) T {
	fill(reflect.ValueOf(&base).Elem(), s, named, 0)
	return base
}

// harmless holds that nothing but colours of ours is on the screen and in the
// title, and that every line has the width.
func harmless(t *testing.T, s *still, where string) {
	t.Helper()
	var plain strings.Builder
	for i, part := range strings.Split(s.frame.content, "\x1b") {
		if i == 0 {
			plain.WriteString(part)
			continue
		}
		end := strings.IndexFunc(part, func(r rune) bool { return r != '[' && r != ';' && r != ':' && (r < '0' || r > '9') })
		if end < 1 || part[0] != '[' || part[end] != 'm' {
			t.Fatalf("%s: the sequence %q is on the screen", where, part[:min(len(part), 12)])
		}
		plain.WriteString(part[end+1:])
	}
	if got := plain.String(); text.Clean(got) != got {
		for line := range strings.SplitSeq(got, "\n") {
			if text.Clean(line) != line {
				t.Fatalf("%s: not clean: %q", where, line)
			}
		}
	}
	if title := s.frame.title; text.Line(title) != title {
		t.Fatalf("%s: the title is %q", where, title)
	}
	for line := range strings.SplitSeq(s.frame.content, "\n") {
		if w := theme.Width(line); w > s.width {
			t.Fatalf("%s: a line has %d of %d cells: %q", where, w, s.width, line)
		}
	}
}

// everySize draws the screen anew at several sizes, expanded and not.
func everySize(t *testing.T, s *still, where string) {
	t.Helper()
	for _, size := range [][2]int{{80, 24}, {20, 6}} {
		for _, expanded := range []bool{false, true} {
			s.transcript.SetExpanded(expanded)
			s.steps = expanded
			s.sized(size[0], size[1])
			harmless(t, s, where)
		}
	}
}

// hostileEntries is a conversation in which every field of every kind of entry is
// hostile.
func hostileEntries(f *fake, s string, named bool) {
	for _, ev := range []plan.Event{
		filled(plan.PlanningEntered{}, s, named), filled(plan.RevisionAttached{}, s, named), filled(plan.RevisionSubmitted{}, s, named),
		filled(plan.ReviewOpened{}, s, named), filled(plan.ReviewClosed{Outcome: plan.OutcomeVoided}, s, named), filled(plan.ChangesRequested{}, s, named),
		filled(plan.PlanApproved{}, s, named), filled(plan.PlanningLeft{}, s, named), filled(plan.DraftDetached{}, s, named),
		filled(plan.WorkCompleted{}, s, named), filled(plan.WorkAbandoned{}, s, named), filled(plan.WorkRecovered{}, s, named), filled(plan.WorkAdopted{}, s, named),
	} {
		f.event(ev)
	}
	f.user(s)
	f.say(s)
	f.add(tree.KindAssistant, filled(tree.Assistant{}, s, named))
	f.add(tree.KindHandoff, filled(tree.Handoff{}, s, named))
	for _, level := range []tree.Level{tree.Info, tree.Warning, tree.Failure, tree.Level(s)} {
		f.add(tree.KindNotice, tree.Notice{Level: level, Text: s})
	}
	f.add(tree.KindLabel, filled(tree.Label{}, s, named))
	f.add(tree.KindTitle, map[string]string{"text": s, "title": s})
	f.add(tree.KindModel, filled(tree.Model{}, s, named))
	f.add(tree.KindPermission, filled(tree.Permission{}, s, named))
	f.add(tree.KindCompaction, filled(tree.Compaction{}, s, named))
	f.add(tree.KindAnnotations, filled(tree.Annotations{}, s, named))
	f.add(plan.Kind("of a later planmode"), map[string]string{"text": s})
	details := []any{
		filled(tool.PlanDetails{Kind: tool.DetailChangesRequested}, s, named), filled(tool.PlanDetails{Kind: tool.DetailCompleted}, s, named),
		filled(tool.FileDetails{}, s, named), filled(tool.OutputDetails{}, s, named), filled(tool.ChecklistDetails{}, s, named), filled(tool.QuestionDetails{}, s, named), nil,
	}
	args := map[string]any{"command": s, "path": s, "pattern": s, "title": s, "markdown": s, "summary": s, "questions": []map[string]any{{"question": s, "header": s}}}
	for _, name := range []string{"read", "grep", "bash", "edit", "submit_plan", "complete_plan", tool.AskName, tool.ChecklistName, tool.EnterName, s} {
		for _, d := range details {
			f.tool(name, name, args, s, d)
		}
	}
}

// specs are all questions that a session can put to the person.
func hostileSpecs(s string, named bool) []any {
	return []any{
		filled(session.Card{Start: session.RowKeep, Rows: []session.Row{session.RowApprove, session.RowKeep, session.RowUseEdits}}, s, false),
		filled(session.Question{}, s, named), filled(session.QuestionSet{}, s, named),
		filled(session.Permit{Call: tool.Call{Name: s, Args: []byte(`{"path":"x"}`)}}, s, named),
		filled(session.Permit{Preview: tool.Preview{Diff: true}}, s, named),
		filled(session.Confirmation{}, s, named),
	}
}

func TestNothingHostileReachesTheTerminal(t *testing.T) {
	for name, hostile := range hostileTexts {
		for _, named := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				f := newFake(t)
				hostileEntries(f, hostile, named)
				view := session.View{Running: true, Since: start, State: plan.State{Mode: plan.ModePlanning}}
				f.view = filled(view, hostile, named)
				f.view.Live.Calls = append(f.view.Live.Calls, session.LiveCall{ID: "x", Name: hostile, Args: `{"command":"x"}`, Output: hostile})
				f.queue = []string{hostile, hostile}
				s := newStill(f, theme.Options{Dark: true, ASCII: named})
				everySize(t, s, "the conversation")
				s.transcript.List().Top()
				for range 60 {
					s.draw()
					harmless(t, s, "further down in the conversation")
					s.transcript.List().PageDown()
				}
				hostileRemarks(t, s, hostile)
				hostileDialogs(t, s, hostile, named)
			})
		}
	}
}

// hostileRemarks drives what the screen says of itself.
func hostileRemarks(t *testing.T, s *still, hostile string) {
	t.Helper()
	s.Update(tea.PasteMsg{Content: hostile})
	everySize(t, s, "the composer")
	s.Update(tea.KeyPressMsg{Code: '@', Text: "@"})
	for seq := range 8 {
		s.Update(filesMsg{seq, []string{hostile, hostile + "/"}})
	}
	everySize(t, s, "the completion of files")
	for where, msg := range map[string]tea.Msg{
		"a failed message": sentMsg{hostile, errors.New(hostile)}, "a failed command": ranMsg{hostile, errors.New(hostile)},
		"a failed plan command": planDoneMsg{errors.New(hostile)}, "a draft that is not saved": draftSavedMsg{errors.New(hostile)},
		"a server": restartedMsg{hostile, errors.New(hostile)}, "a server that starts": restartedMsg{hostile, nil},
		"a model that is not chosen": chosenMsg{errors.New(hostile)}, "sessions that are not listed": earlierMsg{err: errors.New(hostile)},
	} {
		s.Update(msg)
		everySize(t, s, where)
	}
	s.layers = nil
	for where, do := range map[string]func(){
		"the plan":         func() { s.showPlan(planTextMsg{hostile, hostile, nil}) },
		"a long plan":      func() { s.showPlan(planTextMsg{hostile, strings.Repeat(hostile, 1+maxRendered/len(hostile)), nil}) },
		"a viewer":         func() { s.open(hostile, hostile) },
		"earlier sessions": func() { s.chooseEarlier(earlierMsg{sessions: []Earlier{filled(Earlier{}, hostile, true)}}) },
		"the models":       func() { s.offers(offersMsg{[]agent.Offer{filled(agent.Offer{}, hostile, true)}}) },
		"who has it":       func() { s.opts.Held = hostile; s.offerFork() },
	} {
		do()
		everySize(t, s, where)
		s.layers = nil
	}
}

func hostileDialogs(t *testing.T, s *still, hostile string, named bool) {
	t.Helper()
	for _, spec := range hostileSpecs(hostile, named) {
		s.ask(spec)
		where := reflect.TypeOf(spec).String()
		everySize(t, s, where)
		s.now = s.now.Add(time.Second)
		for _, key := range []tea.KeyPressMsg{{Code: 'o', Mod: tea.ModCtrl}, {Code: tea.KeyPgDown}, {Code: 'o', Mod: tea.ModCtrl}, {Code: tea.KeyDown}, {Code: tea.KeyTab}} {
			s.Update(key)
			harmless(t, s, where)
		}
		s.layers = nil
	}
}
