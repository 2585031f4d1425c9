package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// whole writes a complete plan in a language, with each heading as form makes it.
func whole(language string, form func(i int, name string) string) string {
	var b strings.Builder
	for i, name := range Names(language) {
		b.WriteString(form(i, name) + "\n\n")
		if i == 5 {
			b.WriteString("1. first\n2. second\n\n")
		} else {
			b.WriteString("text\n\n")
		}
	}
	return b.String()
}

func plain(_ int, name string) string { return "## " + name }

func TestCheckAccepts(t *testing.T) {
	chinese := []string{"一", "二", "三", "四", "五", "六", "七", "八", "九"}
	forms := map[string]func(int, string) string{
		"as asked for":               plain,
		"at level one":               func(_ int, s string) string { return "# " + s },
		"at level four":              func(_ int, s string) string { return "#### " + s },
		"numbered with dots":         func(i int, s string) string { return fmt.Sprintf("## %d. %s", i+1, s) },
		"numbered with parentheses":  func(i int, s string) string { return fmt.Sprintf("## %d) %s", i+1, s) },
		"numbered in parentheses":    func(i int, s string) string { return fmt.Sprintf("## (%d) %s", i+1, s) },
		"numbered without a mark":    func(i int, s string) string { return fmt.Sprintf("## %d %s", i+1, s) },
		"numbered in full width":     func(i int, s string) string { return fmt.Sprintf("## （%d）%s", i+1, s) },
		"numbered as in a chapter":   func(i int, s string) string { return fmt.Sprintf("## 2.%d %s", i+1, s) },
		"numbered in Chinese":        func(i int, s string) string { return "## " + chinese[i] + "、" + s },
		"lettered":                   func(i int, s string) string { return "## " + string(rune('A'+i)) + ". " + s },
		"with a colon":               func(_ int, s string) string { return "## " + s + ":" },
		"with a full-width colon":    func(_ int, s string) string { return "## " + s + "：" },
		"bold":                       func(_ int, s string) string { return "## **" + s + "**" },
		"bold, numbered and a colon": func(i int, s string) string { return fmt.Sprintf("### **%d. %s:**", i+1, s) },
		"in capitals":                func(_ int, s string) string { return "## " + strings.ToUpper(s) },
		"underlined":                 func(_ int, s string) string { return s + "\n---" },
		"closed with hashes":         func(_ int, s string) string { return "## " + s + " ##" },
		"with a blank for a hyphen":  func(_ int, s string) string { return "## " + strings.ReplaceAll(s, "-", " ") },
		"with a typographic hyphen":  func(_ int, s string) string { return "## " + strings.ReplaceAll(s, "-", "\u2011") },
		"with an emoji before":       func(_ int, s string) string { return "## 🎯 " + s },
		"with an ampersand":          func(_ int, s string) string { return "## " + strings.ReplaceAll(s, " and ", " & ") },
	}
	for name, form := range forms {
		for _, language := range []string{English, Chinese} {
			t.Run(language+" "+name, func(t *testing.T) {
				d := Parse([]byte("# Title\n\n" + whole(language, form)))
				for _, setting := range []string{Auto, "", language} {
					if err := d.Check(setting); err != nil {
						t.Errorf("setting %q: %v", setting, err)
					}
				}
				if got := d.Language(); got != language {
					t.Errorf("Language = %q", got)
				}
				if got := d.Steps(); !slices.Equal(got, []string{"first", "second"}) {
					t.Errorf("Steps = %q", got)
				}
			})
		}
	}
}

func TestCheckAcceptsAnyOrder(t *testing.T) {
	names := Names(English)
	slices.Reverse(names)
	var b strings.Builder
	for _, n := range names {
		b.WriteString("## " + n + "\n1. x\n")
	}
	if err := Parse([]byte(b.String())).Check(Auto); err != nil {
		t.Error(err)
	}
}

func TestCheckRefuses(t *testing.T) {
	without := func(language string, replace ...string) string {
		return strings.NewReplacer(replace...).Replace(whole(language, plain))
	}
	tests := []struct {
		name, in, setting string
		want              []string // parts of the error
		not               []string
	}{
		{"one missing section is named alone", without(English, "## Risks", "## Other"), Auto,
			[]string{"missing sections: `## Risks`;"}, []string{"Goal", "Verification", "steps"}},
		{"a plural is recognised as meant", without(English, "## Verification", "## Verifications"), Auto,
			[]string{"`## Verification` (found `## Verifications` on line 26, expected `## Verification`)"}, nil},
		{"a longer heading is recognised as meant", without(English, "## Risks", "## Risks and mitigations"), Auto,
			[]string{"found `## Risks and mitigations`"}, nil},
		{"a Chinese synonym is recognised as meant", without(Chinese, "## 执行步骤", "## 实施步骤"), Auto,
			[]string{"`## 执行步骤` (found `## 实施步骤`", "no execution steps", "directly under `## 执行步骤`"}, nil},
		{"a section in the other language is recognised as meant", without(English, "## Goal", "## 目标"), Auto,
			[]string{"`## Goal` (found `## 目标` on line 1, expected `## Goal`)"}, nil},
		{"an explicit language demands its list", whole(English, plain), Chinese,
			[]string{"`## 目标` (found `## Goal` on line 1", "`## 假设`"}, nil},
		{"explicit English refuses Chinese", whole(Chinese, plain), English,
			[]string{"`## Goal` (found `## 目标`", "`## Assumptions`"}, nil},
		{"text without headings is told everything", "Just do it.\n", Auto,
			[]string{"`## Goal`", "`## Non-goals`", "`## Assumptions`", "no execution steps"}, nil},
		{"Chinese text without headings is told in Chinese", "修改配置文件，然后运行测试。\n", Auto,
			[]string{"`## 目标`", "`## 假设`", "`## 执行步骤`"}, []string{"Goal"}},
		{"a heading in a fence is not a section", without(English, "## Risks", "```\n## Risks\n```"), Auto,
			[]string{"`## Risks`"}, nil},
		{"a section without steps is named", without(English, "1. first\n2. second\n", "Some prose.\n"), Auto,
			[]string{"no execution steps", "`## Execution steps`"}, []string{"missing sections"}},
		{"a known section is never a near miss of another", without(English, "## Non-goals\n\ntext\n\n", ""), Auto,
			[]string{"missing sections: `## Non-goals`;"}, []string{"found"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Parse([]byte(tt.in)).Check(tt.setting)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(err.Error(), not) {
					t.Errorf("%q has %q", err, not)
				}
			}
		})
	}
}

func TestMissingFollowsTheMajority(t *testing.T) {
	d := Parse([]byte("## 目标\n## 风险\n## Goal\n"))
	if got := d.Language(); got != Chinese {
		t.Errorf("Language = %q", got)
	}
	if got := d.Missing(Auto); len(got) != 7 || got[0] != "非目标" {
		t.Errorf("Missing = %q", got)
	}
	if got := d.Missing(English); len(got) != 8 || got[0] != "Non-goals" {
		t.Errorf("Missing in English = %q", got)
	}
}

func TestSectionsKnowWhereTheyEnd(t *testing.T) {
	d := Parse([]byte("# T\n## Goal\nx\n### Sub\ny\n## Risks\nz\n"))
	s := d.Sections()
	if len(s) != 2 || s[0].Name != "Goal" || s[0].Heading.Line != 2 || s[0].End != 5 || s[1].End != 7 {
		t.Errorf("Sections = %+v", s)
	}
}
