package demo

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"planmode/plan/text"
)

var (
	continuePattern = regexp.MustCompile(`(?i)^(please\s+|ok(ay)?[,. ]+|yes[,. ]+)*(continue|go on|go ahead|proceed|resume|carry on|retry|try again|keep going|start|begin|implement|finish|do it|ok(ay)?|yes)( it| (with )?the (plan|work|rest|implementation|remaining steps)| please| now| then|[,.!])*$|^(好的?|可以)?[，,。 ]*(请)?(继续|接着|重试|再试|开始|实现|执行|完成|好的?|可以)(吧|一次|做|实施|实现|执行|一下)?[。！!.]?$`)
	greetingPattern = regexp.MustCompile(`(?i)^(hi|hello|hey|hiya|yo|good (morning|afternoon|evening)|thanks?( you)?|thank you|help|test(ing)?|ping|who are you|what can you do|你好|您好|嗨|哈喽|谢谢|早上好|晚上好|帮助|测试|你是谁|你能做什么|在吗)( there| all| demo)?[\s,.!?。！？，~]*$`)
	questionPattern = regexp.MustCompile(`(?i)^(what|why|how|who|when|where|which|is|are|does|do|did|can|could|should|would|will|tell me|explain)\b|^(什么|为什么|为何|怎么|如何|谁|哪|是不是|能不能|请问|解释)`)
	askingPattern   = regexp.MustCompile(`[?？]\s*$|[吗呢][。？?]?\s*$`)
	verbPattern     = regexp.MustCompile(`(?i)\b(add|implement|create|build|write|make|support|introduce|fix|repair|correct|remove|delete|drop|refactor|rename|clean|split|simplify|restructure|test|cover|document|update|upgrade|migrate|move|port|replace|switch|speed|optimi[sz]e|improve|change|convert|extract|design|plan|integrate|enable|disable|deploy|translate)\b|添加|增加|新增|加入|加上|实现|支持|创建|编写|写一|修复|修正|解决|改|删除|移除|去掉|重构|重命名|拆分|简化|清理|测试|文档|升级|迁移|替换|切换|优化|提高|加快|加速|提升|集成|设计|制定|规划|翻译`)
)

// isContinue says whether a message only tells the agent to go on.
func isContinue(s string) bool { return continuePattern.MatchString(text.Line(s)) }

// isSmallTalk says whether a message holds no task: a greeting, or a question
// that names nothing to be done.
func isSmallTalk(s string) bool {
	line := text.Line(s)
	if line == "" || greetingPattern.MatchString(line) {
		return true
	}
	return isQuestion(line) && !verbPattern.MatchString(line)
}

// isQuestion says whether a message or a note asks something.
func isQuestion(s string) bool {
	line := text.Line(s)
	return askingPattern.MatchString(line) || questionPattern.MatchString(line)
}

// kind is the sort of change a goal asks for; it picks the steps of a plan.
type kind string

const (
	kindFix      kind = "fix"
	kindRemove   kind = "remove"
	kindRefactor kind = "refactor"
	kindSpeed    kind = "speed"
	kindUpgrade  kind = "upgrade"
	kindTest     kind = "test"
	kindDocs     kind = "docs"
	kindAdd      kind = "add"
)

// kindWords are the words that show a kind. The one that comes first in the goal
// wins: "fix the tests" is a fix, "test the fix" is a test.
var kindWords = []struct {
	kind    kind
	pattern *regexp.Regexp
}{
	{kindFix, regexp.MustCompile(`(?i)\b(fix|bug|repair|broken|crash(es)?|fails?|error|wrong|regression)\b|修复|修正|解决|错误|崩溃|故障|问题`)},
	{kindRemove, regexp.MustCompile(`(?i)\b(remove|delete|drop|get rid of|retire)\b|删除|移除|去掉`)},
	{kindRefactor, regexp.MustCompile(`(?i)\b(refactor|rename|restructure|clean ?up|split|simplify|extract|reorgani[sz]e)\b|重构|重命名|拆分|简化|清理|整理`)},
	{kindSpeed, regexp.MustCompile(`(?i)\b(faster|speed|slow|performance|optimi[sz]e|latency|memory)\b|性能|优化|加快|加速|变慢|内存`)},
	{kindUpgrade, regexp.MustCompile(`(?i)\b(upgrade|migrate|migration|bump|port to|move to|switch to)\b|升级|迁移|切换到|换成`)},
	{kindTest, regexp.MustCompile(`(?i)\b(tests?|coverage|fuzz)\b|测试|覆盖率`)},
	{kindDocs, regexp.MustCompile(`(?i)\b(docs?|document(ation)?|readme|comments?|changelog|translate)\b|文档|说明|注释|翻译`)},
	{kindAdd, regexp.MustCompile(`(?i)\b(add|implement|create|introduce|support|build)\b|添加|增加|新增|加入|加上|实现|支持|创建`)},
}

// kindOf says what sort of change a goal asks for; adding something if unclear.
func kindOf(goal string) kind {
	best, first := kindAdd, -1
	for _, k := range kindWords {
		if at := k.pattern.FindStringIndex(goal); at != nil && (first < 0 || at[0] < first) {
			best, first = k.kind, at[0]
		}
	}
	return best
}

// maxKeywords bounds the searches of one exploration.
const maxKeywords = 4

var (
	stopWords = strings.Fields(`the and for with from into that this these those when where which what
		how why who will would should could can may must have has had was were are is be been not but all any
		some each every our your their its his her you they them there here then than also only just more most
		less very please want need like many much show shows showing add adds adding make makes making new use uses using fix fixes fixing
		remove delete drop create implement support introduce write build update change changes improve refactor
		rename move replace convert code file files project repository repo function feature thing things way
		let lets get set put one two out over under about plan planning demo help show tell give does did doing
		so that as to of in on at by or if it an we us me my do up no keep keeps kept working works work old still`)
	hanSeparators = regexp.MustCompile(`请|帮我|帮忙|我想|我要|我们|想要|需要|希望|可以|一下|一个|一些|这个|那个|当前|现有|项目|仓库|代码|文件|添加|增加|新增|加入|加上|实现|支持|创建|编写|修复|修正|解决|修改|删除|移除|去掉|重构|优化|使用|进行|能够|应该|必须|并且|以及|或者|如果|然后|功能|改成|改为|换成|[的了把将给为和与或在到从对让使被是有就都也还再用]`)
)

// keywords picks what is worth searching the repository for, in the order of
// the goal: identifiers first, then longer words.
func keywords(goal string) []string {
	var exact, plain []string
	put := func(list *[]string, w string) {
		if !slices.ContainsFunc(append(exact, plain...), func(x string) bool { return strings.EqualFold(x, w) }) {
			*list = append(*list, w)
		}
	}
	for _, w := range strings.FieldsFunc(text.Clean(goal), notWord) {
		latin, han := splitScripts(w)
		for _, l := range latin {
			l = strings.TrimSuffix(strings.Trim(l, "-_.'"), "'s")
			switch {
			case len(l) < 3 || len(l) > 40 || slices.Contains(stopWords, strings.ToLower(l)):
			case isIdentifier(l):
				put(&exact, l)
			default:
				put(&plain, l)
			}
		}
		for _, h := range han {
			for _, part := range hanSeparators.Split(h, -1) {
				if n := len([]rune(part)); n >= 2 && n <= 6 {
					put(&plain, part)
				}
			}
		}
	}
	words := append(exact, plain...)
	return words[:min(len(words), maxKeywords)]
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.' && r != '\''
}

// splitScripts parts a run of letters into its Han and its other runs.
func splitScripts(w string) (latin, han []string) {
	var b strings.Builder
	inHan := false
	flush := func() {
		switch {
		case b.Len() == 0:
		case inHan:
			han = append(han, b.String())
		default:
			latin = append(latin, b.String())
		}
		b.Reset()
	}
	for _, r := range w {
		if is := unicode.Is(unicode.Han, r); is != inHan {
			flush()
			inHan = is
		}
		b.WriteRune(r)
	}
	flush()
	return latin, han
}

// isIdentifier says whether a word looks like a name in code or of a file.
func isIdentifier(w string) bool {
	inner := false
	for i, r := range w {
		if i > 0 && unicode.IsUpper(r) {
			inner = true
		}
	}
	return inner || strings.ContainsAny(w, "_.")
}

var (
	politePattern = regexp.MustCompile(`(?i)^((please|pls|hi|hello|hey|now|ok|okay|so)\b[ ,!]*|(can|could|would) you( please)? |i('d| would) like( you)? to |i (want|need)( you)? to |we (want|need|should)( to)? |let'?s |help me( to)? |make a plan (to|for) |plan (to|for|how to) |(你好|您好|请问?|麻烦你?|帮我|帮忙|我想要?|我要|我们需要|我希望|希望|能不能|可以)[，, ]*)+`)
	sentenceEnd   = regexp.MustCompile(`[.!?]\s|[。！？；]|\n`)
)

// The bounds of a title in cells: what fits a line of a screen, and what still
// says something when a goal is cut at the end of a clause.
const (
	maxTopic = 64
	minTopic = 12
)

// topicOf is the goal in a few words: its first sentence without the politeness.
func topicOf(goal string, l lang) string {
	clean := strings.TrimSpace(text.Clean(goal))
	if at := sentenceEnd.FindStringIndex(clean); at != nil && at[0] > 0 {
		clean = clean[:at[0]]
	}
	line := strings.TrimLeft(text.Line(clean), "#>*- ")
	if rest := politePattern.ReplaceAllString(line, ""); len([]rune(rest)) >= 2 {
		line = rest
	}
	line = strings.TrimRight(line, ".!?。！？，,;；:： ")
	if line == "" {
		return l.f("A change to this repository", "对本仓库的一项改动")
	}
	first := []rune(shorten(line))
	return text.Truncate(string(unicode.ToUpper(first[0]))+string(first[1:]), maxTopic)
}

// clauseStart is where the reasons and conditions of a goal begin.
var clauseStart = regexp.MustCompile(`(?i)[,;:] | (so that|in order to|because|since|when|while|if|which|without|instead of) |[，；：]`)

// shorten makes a line fit a title: at the end of a clause, else at a blank.
func shorten(line string) string {
	if text.Width(line) <= maxTopic {
		return line
	}
	best := ""
	for _, at := range clauseStart.FindAllStringIndex(line, -1) {
		if head := line[:at[0]]; text.Width(head) >= minTopic && text.Width(head) <= maxTopic {
			best = head
		}
	}
	if best != "" {
		return best
	}
	cut := text.Truncate(line, maxTopic)
	if at := strings.LastIndexByte(cut, ' '); at >= len(cut)/2 {
		return cut[:at] + "…"
	}
	return cut
}
