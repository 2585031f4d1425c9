package demo

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
)

func TestKeywords(t *testing.T) {
	cases := []struct{ name, goal, want string }{
		{"identifiers come first", "Please add a retry to fetchAll and the http client", "[fetchAll retry http client]"},
		{"common words are left out", "I want to make this code better for you", "[better]"},
		{"Chinese is cut at its common words", "请为登录页面增加两步验证功能", "[登录页面 两步验证]"},
		{"both scripts are found", "把 OAuth 登录改成 PKCE", "[OAuth PKCE 登录]"},
		{"file names are kept", "Fix main.go", "[main.go]"},
		{"a word counts once", "login Login LOGIN", "[login]"},
		{"four are enough", "alpha beta gamma delta epsilon", "[alpha beta gamma delta]"},
		{"escape sequences are no words", "\x1b[31mlogin\x1b[0m", "[login]"},
		{"nothing gives nothing", "", "[]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprint(keywords(c.goal)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestTopicOf(t *testing.T) {
	cases := []struct {
		name, goal, want string
		lang             lang
	}{
		{"politeness goes", "Could you please add OAuth login?", "Add OAuth login", english},
		{"the first sentence is enough", "Fix the crash. It happens daily.", "Fix the crash", english},
		{"a version number is no end", "Upgrade to v1.2 now", "Upgrade to v1.2 now", english},
		{"Chinese politeness goes", "请帮我修复登录错误。谢谢", "修复登录错误", chinese},
		{"Markdown marks go", "# Add login\n\nwith details", "Add login", english},
		{"nothing has a name as well", " \n ", "A change to this repository", english},
		{"a long goal ends with a clause", "Add a --json flag to planmode config so that scripts can read the settings in force",
			"Add a --json flag to planmode config", english},
		{"a long clause ends with a word", "Introduce a considerably more thorough verification of everything imported",
			"Introduce a considerably more thorough verification of…", english},
		{"a Chinese clause ends at its comma", "为 planmode config 命令增加 --json 输出选项，方便其他脚本和工具读取当前生效的全部设置", "为 planmode config 命令增加 --json 输出选项", chinese},
		{"a word of politeness alone is kept", "please", "Please", english},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := topicOf(c.goal, c.lang); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzTopicIsATitle(f *testing.F) {
	for _, s := range []string{"", "Add login", "请修复", "\x1b]0;x\x07", "\u202egnp.exe", strings.Repeat("长", 400), "[x](y) `a <!--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, goal string) {
		got := topicOf(goal, english)
		if _, err := document.CleanTitle(got); err != nil || utf8.RuneCountInString(got) > plan.MaxTitleChars || text.Width(got) > maxTopic {
			t.Errorf("%q gives the title %q: %v", goal, got, err)
		}
	})
}

func TestIsContinue(t *testing.T) {
	yes := []string{"continue", "Continue.", "please continue", "go on", "继续", "请继续", "好的，继续", "retry", "try again", "ok", "Proceed!", "go ahead", "开始实施", "continue with the plan", "Yes, please continue now.", "implement it"}
	no := []string{"", "continue the tests in login.go so that they cover everything and more of it", "add login", "为什么", "Start a new service for billing and invoices with its own database", "继续优化登录流程",
		"ok, add login", "Retry failed requests", "start a new service", "implement OAuth", "finish the docs", "continue with the login"}
	for _, s := range yes {
		if !isContinue(s) {
			t.Errorf("%q tells to go on", s)
		}
	}
	for _, s := range no {
		if isContinue(s) {
			t.Errorf("%q does not only tell to go on", s)
		}
	}
}

func TestIsSmallTalk(t *testing.T) {
	yes := []string{"", "hi", "Hello there!", "你好", "thanks", "What is this?", "how does login work?", "这是什么？", "who are you"}
	no := []string{"Can you add OAuth login?", "How do I fix the crash?", "能不能增加登录？", "login with PKCE", "Add a greeting: hello", "登录功能"}
	for _, s := range yes {
		if !isSmallTalk(s) {
			t.Errorf("%q holds no task", s)
		}
	}
	for _, s := range no {
		if isSmallTalk(s) {
			t.Errorf("%q holds a task", s)
		}
	}
}

func TestInertOpensNothing(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"plain words stay", "fix snake_case & co", "fix snake_case & co"},
		{"a code span stays", "fix `a<b`", "fix `a<b`"},
		{"a lone backtick becomes an apostrophe", "fix `a", "fix 'a"},
		{"tags, comments and links are escaped", "<!-- [x](y)", `\<!-- \[x\](y)`},
		{"lines become one", "a\n## b", "a ## b"},
		{"escape sequences go", "\x1b[31mred", "red"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := inert(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
