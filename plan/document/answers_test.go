package document

import (
	"slices"
	"strings"
	"testing"

	"planmode/plan"
)

func TestAnswers(t *testing.T) {
	notes := []plan.Annotation{{Body: "In batches? And when?"}, {Body: "分批吗？什么时候？"}, {Body: "", Label: "nit"}}
	cases := []struct {
		name, text string
		want       []string
	}{
		{"a plan that answers nothing", "# P\n\n- In batches they come\n", []string{"", "", ""}},
		{"numbered items of the section", "# P\n\n## Answers to review\n\n1. Yes, in batches\n   of 100.\n2. 是的。\n3. Done.\n\n## Risks\n\n1. none\n",
			[]string{"Yes, in batches of 100.", "是的。", "Done."}},
		{"the section in Chinese, numbered headings and all", "## 7. 对评审的回答\n\n1. 已改\n2) 已改二\n", []string{"已改", "已改二", ""}},
		{"items that quote", "## Review responses\n\n- \"In batches? And when?\": at night\n- “分批吗？什么时候？” → 夜里\n", []string{"at night", "夜里", ""}},
		{"a quotation counts more than a number", "## Answers to review\n\n1. “分批吗？什么时候？”：夜里\n2. “In batches? And when?” — at night\n",
			[]string{"at night", "夜里", ""}},
		{"an item elsewhere that quotes", "## Decisions\n\n- On “x” you noted “In batches? And when?” — answered there.\n- 针对 “x”，您的批注 “分批吗？什么时候？”——已回答。\n",
			[]string{"answered there.", "已回答。", ""}},
		{"a quotation without an answer is none", "- “In batches? And when?”\n", []string{"", "", ""}},
		{"the later of two answers", "- “In batches? And when?” — once\n- “In batches? And when?” — twice\n", []string{"twice", "", ""}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Answers(Parse([]byte(c.text)), notes); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAnswersOfALongNoteCutInTheQuotation(t *testing.T) {
	body := strings.Repeat("a very long note ", 20)
	got := Answers(Parse([]byte("- you noted “"+body[:200]+"…” — done\n")), []plan.Annotation{{Body: body}})
	if got[0] != "done" {
		t.Errorf("got %q", got)
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add("## Answers to review\n\n1. a\n", "note")
	f.Fuzz(func(t *testing.T, plain, body string) {
		for _, a := range Answers(Parse([]byte(plain)), []plan.Annotation{{Body: body}, {Body: body + "x"}}) {
			if len(a) > maxAnswer+3 || strings.ContainsAny(a, "\n\x1b") {
				t.Fatalf("answer %q", a)
			}
		}
	})
}
