//go:build unix

package main_test

import "testing"

func TestAFileAndTheLastAnswerAreAnnotatedInTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("notes.md", "# 笔记\n\nFirst line of it\n")
	r := w.start()
	r.WaitFor("DEMO agent")
	r.say("/annotate notes.md")
	r.reviewing()
	r.WaitFor("笔记")
	r.note("why so?")
	r.Press("q")
	r.WaitFor("Markdown Annotations")
	r.WaitFor("why so?")
	w.holds("home/data/gates/records/*.json", "why so?")
	r.rested("I cannot answer freely")
	r.say("/annotate nope.md")
	r.WaitFor("File not found: nope.md")
	r.say("/annotate-last")
	r.reviewing()
	r.WaitFor("last answer")
	r.Press("q")
	r.WaitFor("the agent was told nothing")
	r.quit()
}
