package demo

import (
	"strings"
	"testing"

	"planmode/plan"
)

func TestNormalModeWithoutAPlan(t *testing.T) {
	cases := []struct{ name, said, tool, want string }{
		{"anything is answered with the way to plan", "Tell me a joke", "", "/plan on"},
		{"and in Chinese", "讲个笑话", "", "/plan on"},
		{"files are listed", "Please list the files", "ls", "`login.go`"},
		{"files are listed in Chinese", "列出文件", "ls", "共有 7 项"},
		{"a file is read", "read login.go", "read", "it declares `Login`"},
		{"a file is read in Chinese", "查看 README.md", "read", "“Shop”"},
		{"a file that is not there is said", "show me nothing.txt", "read", "did not work"},
		{"a task is not carried out", "Add OAuth login", "", "/plan on"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			conv := newConversation(t, goProject)
			conv.turn.Mode = plan.ModeNormal
			said := conv.say(c.said)
			if !strings.Contains(said, c.want) {
				t.Errorf("said %q, want %q", said, c.want)
			}
			for _, name := range []string{"ls", "read", "write", "bash", "edit", "submit_plan"} {
				want := 0
				if name == c.tool {
					want = 1
				}
				if got := len(conv.calls(name)); got != want {
					t.Errorf("%d calls of %s", got, name)
				}
			}
		})
	}
}

func TestAnEmptyDirectoryIsSaid(t *testing.T) {
	c := newConversation(t, nil)
	c.turn.Mode = plan.ModeNormal
	if said := c.say("list files"); !strings.Contains(said, "empty") {
		t.Errorf("got %q", said)
	}
}

func TestATurnWithoutAnyMessageSaysSomething(t *testing.T) {
	for _, mode := range []plan.Mode{plan.ModeNormal, plan.ModePlanning, ""} {
		c := newConversation(t, goProject)
		c.turn.Mode = mode
		if said := c.say(""); len(said) <= len(label) {
			t.Errorf("in mode %q it said %q", mode, said)
		}
	}
}
