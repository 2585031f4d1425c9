package demo

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"planmode/plan/tool"
)

// The arguments of the tools, as far as the agent uses them.
type (
	lsArgs struct {
		Path string `json:"path"`
	}
	findArgs struct {
		Pattern string `json:"pattern"`
	}
	readArgs struct {
		Path   string `json:"path"`
		Offset int    `json:"offset,omitempty"`
		Limit  int    `json:"limit,omitempty"`
	}
	grepArgs struct {
		Pattern    string `json:"pattern"`
		Literal    bool   `json:"literal"`
		IgnoreCase bool   `json:"ignoreCase"`
	}
	writeArgs struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}
)

// readLines is how much of a file the agent looks at.
const readLines = 120

// explore returns the next step of looking around; false when enough was seen.
// Three batches: what is there, the files that matter with a search for the words
// of the goal, and the places where those words were found.
func explore(t *talk, goal string) (step, bool) {
	l := t.lang
	switch f := gather(t.now(), goal); t.batches {
	case 0:
		return step{
			text: l.f("I am scripted and offline: no model is involved, but what I read is your real repository. I look around first, read-only.\n",
				"我是离线的脚本代理，没有调用任何模型，但读取的是您真实的仓库。我先以只读方式看一看。\n"),
			calls: []tool.Call{t.call(0, "ls", lsArgs{"."}), t.call(1, "find", findArgs{Pattern: "*"})},
		}, true
	case 1:
		var calls []tool.Call
		for _, name := range f.worthReading() {
			calls = append(calls, t.call(len(calls), "read", readArgs{Path: name, Limit: readLines}))
		}
		for _, w := range f.keywords {
			calls = append(calls, t.call(len(calls), "grep", grepArgs{Pattern: w, Literal: true, IgnoreCase: true}))
		}
		return step{text: overview(&f, l), calls: calls}, len(calls) > 0
	case 2:
		var calls []tool.Call
		for _, m := range f.unreadMatches() {
			calls = append(calls, t.call(len(calls), "read", readArgs{Path: m.path, Offset: max(1, m.line-8), Limit: 40}))
		}
		return step{text: searched(&f, l), calls: calls}, len(calls) > 0
	}
	return step{}, false
}

var (
	readmeName = regexp.MustCompile(`(?i)^readme(\.\w+)?$`)
	entryName  = regexp.MustCompile(`(?i)(^|/)(main|index|app|server|lib|mod|cli)\.\w+$`)
)

// worthReading picks the files to read: the README, the manifest, then source
// files, those whose name holds a word of the goal first.
func (f *findings) worthReading() []string {
	var list []string
	put := func(name string) {
		if len(list) < maxReads && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, name := range f.top {
		if readmeName.MatchString(name) {
			put(name)
			break
		}
	}
	if p := f.project(); p.manifest != "" {
		put(p.manifest)
	}
	for _, want := range []func(string) bool{f.isNamed, entryName.MatchString, func(string) bool { return true }} {
		for _, name := range f.files {
			if isSource(name) && !testName.MatchString(name) && want(name) {
				put(name)
			}
		}
	}
	return list
}

// isNamed says whether a file's name holds a word of the goal.
func (f *findings) isNamed(name string) bool {
	base := strings.ToLower(path.Base(name))
	return slices.ContainsFunc(f.keywords, func(w string) bool { return strings.Contains(base, strings.ToLower(w)) })
}

func isSource(name string) bool {
	l := languages[strings.ToLower(path.Ext(name))]
	return l != "" && l != "Markdown" && l != "HTML" && l != "CSS"
}

// unreadMatches are the first matches in source files that were not read yet.
func (f *findings) unreadMatches() []match {
	var list []match
	for _, m := range f.matches {
		seen := slices.ContainsFunc(f.looks, func(l look) bool { return l.path == m.path }) ||
			slices.ContainsFunc(list, func(x match) bool { return x.path == m.path })
		if !seen && isSource(m.path) && len(list) < 2 {
			list = append(list, m)
		}
	}
	return list
}

// overview says what is there and what will be read.
func overview(f *findings, l lang) string {
	if len(f.files) == 0 {
		return l.f("There are no files that I can read here. I search anyway.\n", "这里没有我能读取的文件，我仍然搜索一遍。\n")
	}
	count := plural(l, len(f.files), f.cut)
	text := l.f("%s here%s. ", "这里有 %s%s。", count, mainly(f, l))
	if names := f.worthReading(); len(names) > 0 {
		text += l.f("I read %s", "我先读 %s", l.list(codes(names)))
	}
	if len(f.keywords) > 0 {
		text += l.f(" and search for %s", "，并搜索 %s", l.list(quotes(f.keywords, l)))
	}
	return strings.TrimSpace(text) + l.f(".\n", "。\n")
}

func mainly(f *findings, l lang) string {
	if by := f.byLanguage(); len(by) > 0 {
		return l.f(", mostly %s", "，以 %s 为主", by[0].name)
	}
	return ""
}

func plural(l lang, n int, more bool) string {
	switch {
	case more:
		return l.f("More than %d files", "超过 %d 个文件", n)
	case n == 1:
		return l.f("One file", "一个文件")
	}
	return l.f("%d files", "%d 个文件", n)
}

// searched says what the search found.
func searched(f *findings, l lang) string {
	if len(f.matches) == 0 {
		return ""
	}
	m := f.matches[0]
	return l.f("I found %s in %s; I look at that place.\n", "我在 %[2]s 找到了 %[1]s，再看看那个位置。\n",
		quote(m.keyword, l), code(m.path))
}
