//go:build unix

package main_test

import (
	"syscall"
	"testing"
)

// One of two approaches is chosen, and the work begins with it and the plan alone.
func TestAChoiceBetweenApproachesInACleanContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.plan("Keep the carts in files or in a database")
	r.end()
	r.WaitFor("The plan offers 2 approaches.")
	r.WaitFor("in files: (recommended)")
	r.Press("a") // only goes to the first of them
	r.Press("x")
	r.WaitFor("Context: clean (x)")
	r.Press("2")
	r.WaitFor("❯ 2 Approve Plan: in a database")
	w.decided("")
	r.Press("enter")
	r.armed("Create ", "Allow once")
	r.WaitFor("in a database")
	w.decided("r1 approved")
	m := w.manifest()
	if a := m.Approval(1); a.Option == nil || *a.Option != 1 || len(m.Revisions[0].Options) != 2 || !m.Revisions[0].Options[0].Recommended {
		t.Errorf("the record is %+v, %+v", a, m.Revisions[0].Options)
	}
	r.Press("s")
	r.WaitFor("COMPLETED")
	r.quit()

	r = w.start("--continue")
	r.WaitFor("COMPLETED")
	r.Resize(100, 150) // all of it is in sight
	r.WaitFor("goes on from here with a clean context")
	r.WaitFor("approach 2: in a database")
	r.quit()
}

// Questions of the agent: an answer, words of the person's own, and one left open
// that counts as nothing.
func TestQuestionsOfTheAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart, ask me first")
	r.armed("Question 1/2 (2 unanswered) · Scope", "The smallest useful form")
	r.Press("right")
	r.armed("Question 2/2", "Unit tests")
	r.Press("3", "enter")
	r.WaitFor("Answer in your own words")
	r.Type("模糊测试 1")
	r.WaitFor("模糊测试 1")
	r.Press("enter")
	r.armed("1 question not answered", "Send what is answered")
	r.Press("2", "enter")
	r.reviewing()
	r.end()
	r.WaitFor("Decide on the plan")
	r.Press("k")
	r.WaitGone("Decide on the plan")
	r.Resize(80, 150)
	r.WaitFor("模糊测试 1")
	r.WaitFor("unanswered")
	r.WaitFor("Questions: 1 of 2 answered")
	r.WaitFor("READ-ONLY") // answering leaves Plan Mode on
	w.decided("r1 kept")
	r.quit()
}

// What was answered is on the disk as soon as the next question is there: the
// process is killed, and the next one tells the person and the agent.
func TestAnswersOutliveAKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	r.say("/plan on")
	r.WaitFor("PLAN MODE · READ-ONLY")
	r.say("Add a shopping cart, ask me first")
	r.armed("Question 1/2 (2 unanswered) · Scope", "The smallest useful form")
	r.Press("tab")
	r.WaitFor("Note on this question")
	r.Type("只要能用")
	r.Press("enter")
	r.WaitFor("Note: 只要能用")
	r.Press("enter")
	r.WaitFor("Question 2/2 (1 unanswered)")
	if err := syscall.Kill(r.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = r.Wait()
	r = w.start("--continue")
	r.WaitFor("kept (1 of 2 questions)")
	r.Resize(100, 60)
	r.WaitFor("Questions: 1 of 2 answered · interrupted")
	r.WaitFor("note: 只要能用")
	r.WaitFor("READ-ONLY")
	r.quit()
}
