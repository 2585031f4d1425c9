package demo

// steps are the execution steps of a plan: where to look, two or three steps
// that depend on the kind of change, and how to finish.
func (b brief) steps() []string {
	l := b.lang
	list := append([]string{b.lookStep()}, b.kindSteps()...)
	if readme := b.readme(); readme != "" && b.kind != kindDocs {
		list = append(list, l.f("Bring %s up to date with the change", "更新 %s，使其与改动一致", code(readme)))
	}
	last := l.f("Try the result by hand and read the whole diff once more", "手动验证结果，并完整复查一遍差异")
	if p := b.found.project(); p.test != "" {
		last = l.f("Run %s and read the whole diff once more", "运行 %s，并完整复查一遍差异", code(p.test))
	}
	return append(list, last)
}

func (b brief) lookStep() string {
	l := b.lang
	if places := b.places(); len(places) > 0 {
		return l.f("Read %s in full and find every caller that the change reaches", "完整阅读 %s，找出改动会影响到的所有调用方", l.list(codes(places)))
	}
	if len(b.found.looks) > 0 {
		return l.f("Read %s again and settle where this belongs", "再次阅读 %s，确定改动应放在哪里", code(short(b.found.looks[0].path, 80)))
	}
	return l.f("Settle where this belongs and what the first file is called", "确定改动放在哪里，以及第一个文件的名称")
}

// where names the first place to change, or says that it is new.
func (b brief) where() string {
	if places := b.places(); len(places) > 0 {
		return code(places[0])
	}
	return b.lang.f("a new file", "新文件")
}

func (b brief) kindSteps() []string {
	l, topic, where := b.lang, inert(b.topic), b.where()
	switch b.kind {
	case kindFix:
		return []string{
			l.f("Write a test that shows the problem and fails: %s", "编写一个能重现问题并失败的测试：%s", topic),
			l.f("Correct the cause in %s, not the symptom, until that test passes", "在 %s 中修正根因而不是表象，直到该测试通过", where),
			l.f("Look for the same mistake elsewhere and cover it as well", "在其他位置查找同样的错误并一并覆盖"),
		}
	case kindRemove:
		return []string{
			l.f("List every use of what goes away: %s", "列出要移除内容的所有使用处：%s", topic),
			l.f("Change its callers first, so that nothing depends on it any more", "先修改调用方，确保不再有任何依赖"),
			l.f("Delete it from %s together with its tests and text", "从 %s 中删除它，连同相应的测试和文字", where),
		}
	case kindRefactor:
		return []string{
			l.f("Pin the present behaviour with tests before anything moves", "在移动任何代码之前，用测试固定现有行为"),
			l.f("Restructure %s in moves that each keep the tests green: %s", "分步调整 %s，每一步都保持测试通过：%s", where, topic),
			l.f("Remove what the old structure leaves behind", "清除旧结构的残留"),
		}
	case kindSpeed:
		return []string{
			l.f("Measure first, with a benchmark that can be repeated: %s", "先用可重复的基准测试进行测量：%s", topic),
			l.f("Change the one thing in %s that the measurement points at", "只修改测量结果所指向的 %s 中的那一处", where),
			l.f("Measure again and write both numbers down; take the change back if they do not differ", "再次测量并记录两个数字；如果没有差别就撤销改动"),
		}
	case kindUpgrade:
		return []string{
			l.f("Write down what is in use now and what changes with: %s", "记录目前使用的版本，以及此次变化：%s", topic),
			l.f("Move one caller over, starting in %s, and keep the old way beside it", "从 %s 开始先迁移一个调用方，旧方式暂时保留", where),
			l.f("Move the rest over and remove the old way", "迁移其余部分并移除旧方式"),
		}
	case kindTest:
		return []string{
			l.f("List the cases that no test covers yet: %s", "列出尚未被测试覆盖的情形：%s", topic),
			l.f("Write those tests beside %s, the ordinary case first, then the limits", "在 %s 旁编写这些测试，先普通情形，再边界情形", where),
			l.f("Break the code on purpose once for each new test, to see that it can fail", "对每个新测试故意破坏一次代码，确认它会失败"),
		}
	case kindDocs:
		return []string{
			l.f("Outline the text for a reader who is new here: %s", "为初次接触的读者列出提纲：%s", topic),
			l.f("Write it, with examples that were really run", "编写正文，示例都要真实运行过"),
			l.f("Let every command and name in it be checked against the code", "逐一对照代码检查其中的命令和名称"),
		}
	}
	return []string{
		l.f("Write a failing test for the smallest useful form of: %s", "为最小可用的形式编写一个会失败的测试：%s", topic),
		l.f("Make it pass in %s", "在 %s 中实现并让测试通过", where),
		l.f("Handle what can go wrong: empty, very large and malformed input, and errors from below", "处理可能出错的情况：空输入、超大输入、格式错误，以及底层返回的错误"),
	}
}
