package demo

import (
	"regexp"
	"strings"

	"planmode/plan/text"
)

var (
	listPattern = regexp.MustCompile(`(?i)\b(ls|list|which files|what files|what is (in )?here|directory|folder)\b|列出|有哪些文件|有什么文件|目录`)
	readPattern = regexp.MustCompile("(?i)(?:\\b(?:read|show|open|cat|print|display|look at)\\b|读取|读一下|查看|看看|看一下|打开|显示)(?: me)?(?: the)?(?: file)?\\s*[`\"'“]?([\\w./-]*[\\w-]+\\.\\w+|README|LICENSE|Makefile|justfile)")
)

// chatting answers in normal mode without an open plan.
func chatting(t *talk) step {
	if len(t.now()) > 0 {
		return told(t)
	}
	l, said := t.lang, text.Line(t.asking().Text)
	if m := readPattern.FindStringSubmatch(said); m != nil {
		return step{text: l.f("I read %s.\n", "我读取 %s。\n", code(m[1])), calls: t.one("read", readArgs{Path: m[1], Limit: readLines})}
	}
	if listPattern.MatchString(said) {
		return step{text: l.f("I list the working directory.\n", "我列出工作目录。\n"), calls: t.one("ls", lsArgs{"."})}
	}
	return step{text: l.f(`I am a script, not a model, so I cannot answer freely. I can list the files here (“list the files”) and read one (“read README.md”).

With /plan on and a goal I show the whole flow: explore, plan, review, approval, implementation.`,
		`我是脚本而不是模型，无法自由回答。我可以列出这里的文件（“列出文件”），也可以读取某个文件（“读取 README.md”）。

输入 /plan on 并给出目标，我会演示完整流程：查看、计划、评审、批准、实施。`)}
}

// told says what a tool returned.
func told(t *talk) step {
	l, e := t.lang, t.now()[len(t.now())-1]
	switch {
	case e.result == nil:
		return step{text: l.f("That was interrupted.", "操作被中断。")}
	case e.refused():
		return step{text: l.f("That did not work: %s", "操作失败：%s", inert(short(e.result.Text, 200)))}
	case e.call.Name == "ls":
		list := names(e.result.Text)
		shown := list[:min(len(list), 30)]
		if len(list) == 0 {
			return step{text: l.f("The working directory is empty.", "工作目录为空。")}
		}
		more := ""
		if n := len(list) - len(shown); n > 0 {
			more = l.f("\n- … and %d more", "\n- …… 另有 %d 项", n)
		}
		return step{text: l.f("There are %d entries:\n\n- %s%s", "共有 %d 项：\n\n- %s%s", len(list), strings.Join(codes(shortAll(shown)), "\n- "), more)}
	}
	k := lookAt(arg[readArgs](e).Path, e.result.Text)
	line := newLookLine(k, l)
	return step{text: line + l.f(" The lines are above; Ctrl+O unfolds them.", "内容在上方，Ctrl+O 可展开。")}
}

func newLookLine(k look, l lang) string { return brief{lang: l}.lookLine(k) }
