package demo

import (
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/tool"
)

// handoffText is a handoff as the host writes one: facts, notes, and the exact
// text between two lines that name its hash.
func handoffText(ref plan.Ref, markdown, notes string) string {
	mark := " PLAN " + ref.String() + " " + string(ref.Hash) + " -----\n"
	return "Approved.\n\n- title: Two factors\n- plan id: " + string(ref.Plan) + "\n- hash: " + string(ref.Hash) +
		"\n- file: /user/a b/plans/" + string(ref.Plan) + "/revisions/r1.md\n\nNotes:\n\n> " + notes +
		"\n\n----- BEGIN" + mark + markdown + "----- END" + mark
}

func testRef(markdown string) plan.Ref {
	return plan.Ref{Plan: plan.NewID(testNow, "two factors", [4]byte{7}), Revision: 1, Hash: plan.HashOf([]byte(markdown))}
}

func TestRevisionTextIsTakenOnlyWithTheRightHash(t *testing.T) {
	ref := testRef(smallPlan)
	other := strings.Replace(smallPlan, "Few.", "Many.", 1)
	submitted := func(markdown string) agent.Message {
		return agent.Message{Role: agent.RoleAssistant, Calls: []tool.Call{{ID: "1", Name: "submit_plan", Args: tool.Marshal(tool.SubmitArgs{Title: "T", Markdown: markdown})}}}
	}
	cases := []struct {
		name     string
		system   string
		messages []agent.Message
		want     string
	}{
		{"what was submitted is found", "", []agent.Message{submitted(other), submitted(smallPlan)}, smallPlan},
		{"line ends are normalised as the host does", "", []agent.Message{submitted(strings.ReplaceAll(smallPlan, "\n", "\r\n"))}, smallPlan},
		{"what was handed over is found", "", []agent.Message{{Role: agent.RoleHandoff, Text: handoffText(ref, smallPlan, "x")}}, smallPlan},
		{"what the system prompt holds is found", handoffText(ref, smallPlan, "x"), nil, smallPlan},
		{"another text is not taken for it", handoffText(ref, other, "x"), []agent.Message{submitted(other)}, ""},
		{"nothing gives nothing", "", nil, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			talk := read(agent.Turn{System: c.system, Messages: c.messages})
			if _, got := revisionText(talk, ref); got != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestRevisionPathMayHoldBlanks(t *testing.T) {
	ref := testRef(smallPlan)
	talk := read(agent.Turn{System: handoffText(ref, "", "x")})
	if got, want := revisionPath(talk, ref), "/user/a b/plans/"+string(ref.Plan)+"/revisions/r1.md"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	ref.Revision = 2
	if got := revisionPath(talk, ref); got != "" {
		t.Errorf("the file of another revision is taken: %q", got)
	}
}

func TestNotesOfTheApprovalAreKept(t *testing.T) {
	ref := testRef(smallPlan)
	c := newConversation(t, goProject)
	c.turn.Mode, c.turn.Work = plan.ModeNormal, &ref
	said, err := c.run(agent.Message{Role: agent.RoleHandoff, Plan: &ref, Text: handoffText(ref, smallPlan, "use the old name")})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "“use the old name”") {
		t.Errorf("the notes are not mentioned: %q", said)
	}
	args := arg[writeArgs](exchange{call: c.calls("write")[0]})
	if !strings.Contains(args.Content, "use the old name") || !strings.Contains(args.Content, "Title: Two factors") {
		t.Errorf("got the file\n%s", args.Content)
	}
}

func FuzzMarkedTextHasItsHash(f *testing.F) {
	f.Add("a\n", "x sha256: y\n")
	f.Add("", "\n\n")
	f.Fuzz(func(t *testing.T, body, around string) {
		if body != "" && !strings.HasSuffix(body, "\n") {
			body += "\n"
		}
		hash := plan.HashOf([]byte(body))
		got := marked(around+"\n--- "+string(hash)+"\n"+body+string(hash)+" ---\n"+around, hash)
		if got != body {
			t.Errorf("got %q, want %q", got, body)
		}
	})
}
