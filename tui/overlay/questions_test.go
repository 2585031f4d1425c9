package overlay

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/plan/tool"
	"planmode/tui/theme"
)

func init() {
	keys["left"], keys["right"] = tea.KeyPressMsg{Code: tea.KeyLeft}, tea.KeyPressMsg{Code: tea.KeyRight}
	keys["tab"], keys["backspace"] = tea.KeyPressMsg{Code: tea.KeyTab}, tea.KeyPressMsg{Code: tea.KeyBackspace}
}

func inquiries(n int) session.QuestionSet {
	all := []tool.Inquiry{
		{Header: "Storage", Question: "Where are the carts kept?", Options: []tool.Answer{
			{Label: "Files", Description: "simple, one process only"}, {Label: "A database", Description: "what the orders already use", Recommended: true}}},
		{Question: "谁可以查看购物车？", Options: []tool.Answer{{Label: "所有者", Description: "只有创建它的人"}, {Label: "客服也可以"}, {Label: "所有人"}}},
		{Question: "Which currency?", Options: []tool.Answer{{Label: "Euro"}, {Label: "Any"}}},
	}
	return session.QuestionSet{Questions: all[:n]}
}

// asked opens the dialog and presses a script, drawn and armed before each key.
func asked(set session.QuestionSet, th *theme.Theme, presses string) (d *Questions, answers session.Answers, done bool) {
	ck := newClock()
	d = NewQuestions(set, th, ck.now)
	for _, msg := range script(presses) {
		d.View(80, 24)
		ck.t = ck.t.Add(ArmDelay)
		if answers, done = d.Key(msg); done {
			return d, answers, true
		}
	}
	return d, answers, false
}

func TestQuestions(t *testing.T) {
	none := session.Reply{}
	yes := func(i int) session.Reply { return session.Reply{Answered: true, Choice: i} }
	own := func(s string) session.Reply { return session.Reply{Answered: true, Choice: -1, Text: s} }
	for _, c := range []struct {
		name string
		n    int
		keys string
		want []session.Reply // nil: it goes on
	}{
		{"enter commits the recommended answer", 1, "<enter>", []session.Reply{yes(1)}},
		{"a digit only moves", 1, "1", nil},
		{"a digit and enter", 1, "1<enter>", []session.Reply{yes(0)}},
		{"letters do nothing", 1, "ayq", nil},
		{"esc answers nothing, not what is selected", 1, "<esc>", []session.Reply{none}},
		{"answers of all in turn", 3, "<enter><enter><down><enter>", []session.Reply{yes(1), yes(0), yes(1)}},
		{"esc keeps what was answered", 3, "<enter><esc>", []session.Reply{yes(1), none, none}},
		{"right and left only look", 3, "<right><right><left><esc>", []session.Reply{none, none, none}},
		{"the last one with gaps asks, and goes back to the first gap", 3, "<right><enter><enter><enter>1<enter><esc>", []session.Reply{yes(0), yes(0), yes(0)}},
		{"the last one with gaps asks, and sends", 3, "<right><right><enter><down><enter>", []session.Reply{none, none, yes(0)}},
		{"esc at that question goes back to the last one", 3, "<right><right><enter><esc><esc>", []session.Reply{none, none, yes(0)}},
		{"going back and answering otherwise", 2, "<enter><left>1<enter><enter>", []session.Reply{yes(0), yes(0)}},
		{"words of their own", 1, "3<enter>both<enter>", []session.Reply{own("both")}},
		{"blank words are no answer", 1, "3<enter> <enter>", nil},
		{"digits and q in the box are text", 1, "3<enter>12q<enter>", []session.Reply{own("12q")}},
		{"esc in the box keeps the text", 1, "3<enter>ab<esc><enter>c<enter>", []session.Reply{own("abc")}},
		{"lines of their own", 1, "3<enter>a<alt+enter>b<enter>", []session.Reply{own("a\nb")}},
		{"a note goes with the answer", 1, "<tab>soon<enter><enter>", []session.Reply{{Answered: true, Choice: 1, Note: "soon"}}},
		{"a note alone answers nothing", 1, "<tab>soon<esc><esc>", []session.Reply{{Note: "soon"}}},
		{"a note is kept while looking elsewhere", 2, "<tab>soon<enter><right><enter><down><enter>", []session.Reply{{Note: "soon"}, yes(0)}},
		{"backspace takes an answer back", 2, "<enter><left><backspace><esc>", []session.Reply{{Choice: -1}, none}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, done := asked(inquiries(c.n), dark, c.keys)
			if done != (c.want != nil) || done && !reflect.DeepEqual(got.Replies, c.want) {
				t.Errorf("done %t, %+v", done, got.Replies)
			}
		})
	}
}

func TestNothingIsAnsweredBeforeADialogWasQuiet(t *testing.T) {
	ck := newClock()
	d := NewQuestions(inquiries(2), dark, ck.now)
	for _, msg := range script("<enter><enter>") {
		d.View(80, 24)
		if d.Key(msg); d.open() != 2 {
			t.Fatal("answered before it was armed")
		}
	}
	ck.t = ck.t.Add(ArmDelay)
	d.Key(keys["enter"])
	d.View(80, 24)
	d.Key(keys["enter"]) // the key may have been held down
	if d.open() != 1 || d.at != 1 {
		t.Errorf("%d open at question %d", d.open(), d.at)
	}
}

func TestEveryCommitIsTold(t *testing.T) {
	set := inquiries(2)
	var told []session.Reply
	set.Committed = func(i int, r session.Reply) {
		if i == 0 {
			told = append(told, r)
		}
	}
	asked(set, dark, "<enter><left><backspace>3<enter>x<enter>")
	want := []session.Reply{{Answered: true, Choice: 1}, {Choice: -1}, {Answered: true, Choice: -1, Text: "x"}}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("got %+v", told)
	}
}

func TestAQuestionCannotPaintTheScreen(t *testing.T) {
	evil := "a\x1b[2J\u202eb\x1b]0;t\x07"
	set := session.QuestionSet{Questions: []tool.Inquiry{{Header: evil, Question: evil, Options: []tool.Answer{{Label: evil, Description: evil}, {Label: "b"}}}}}
	d, _, _ := asked(set, dark, "")
	if out := strings.Join(d.View(80, 24), "\n"); strings.Contains(out, "\x1b[2J") || strings.Contains(out, "\u202e") || strings.Contains(out, "\x1b]0") {
		t.Errorf("got %q", out)
	}
}

// questionStates are the looks of the dialog, for the screens.
func questionStates(th *theme.Theme) map[string]drawer {
	state := func(set session.QuestionSet, presses string) drawer {
		d, _, _ := asked(set, th, presses)
		return d
	}
	return map[string]drawer{
		"question":      state(inquiries(1), ""),
		"question-2":    state(inquiries(3), "<enter><tab>只在结账时<enter>"),
		"question-own":  state(inquiries(3), "<down><enter>beides"),
		"question-gaps": state(inquiries(3), "<right><right><enter>"),
	}
}
