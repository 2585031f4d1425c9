package demo

import (
	"path"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"planmode/plan/text"
)

// Limits of what one exploration keeps, so that no repository can make a plan
// too long to read.
const (
	maxListed  = 4000 // files looked at by name
	maxReads   = 4    // files read
	maxMatches = 8    // matching lines quoted
	maxQuote   = 100  // cells of a quoted line
	maxAnswer  = 96 << 10
)

// findings is what an exploration found, all of it clean text.
type findings struct {
	top      []string // names in the working directory
	files    []string // paths found, without those that look generated
	cut      bool     // files is not all there is
	looks    []look
	matches  []match
	keywords []string
	problems []string // what could not be looked at
}

// look is one file that was read.
type look struct {
	path     string
	lines    int
	headline string   // the first heading or sentence
	names    []string // what it declares
}

// match is one line that holds a keyword.
type match struct {
	path    string
	line    int
	text    string
	keyword string
}

// gather reads the findings out of the calls of an exploration.
func gather(list []exchange, goal string) findings {
	f := findings{keywords: keywords(goal)}
	for _, e := range list {
		if e.result == nil {
			continue
		}
		out := clip(e.result.Text)
		switch {
		case !isReadTool(e.call.Name):
		case e.refused():
			f.problems = append(f.problems, e.call.Name+" "+subject(e)+": "+text.Truncate(firstLine(out), maxQuote))
		case e.call.Name == "ls":
			f.top = slices.DeleteFunc(names(out), func(n string) bool { return n == ".git/" || n == ".git" })
		case e.call.Name == "find":
			f.takeFiles(names(out))
			f.cut = f.cut || cutListing.MatchString(out)
		case e.call.Name == "read":
			f.takeLook(lookAt(arg[readArgs](e).Path, out), out)
		case e.call.Name == "grep":
			f.takeMatches(arg[grepArgs](e).Pattern, out)
		}
	}
	return f
}

// clip keeps the beginning of an answer, so that a host with other limits than
// ours cannot make a turn slow.
func clip(s string) string {
	if len(s) <= maxAnswer {
		return s
	}
	return strings.ToValidUTF8(s[:maxAnswer], "")
}

func isReadTool(name string) bool {
	return slices.Contains([]string{"ls", "find", "read", "grep"}, name)
}

// subject names what a call was about, for a sentence.
func subject(e exchange) string {
	a := arg[struct{ Path, Pattern string }](e)
	if a.Path == "" || a.Path == "." {
		return code(text.Truncate(a.Pattern+a.Path, 60))
	}
	return code(text.Truncate(a.Path, 60))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text.Clean(s)), "\n")
	return text.Line(line)
}

// remark matches what a tool adds to its output in brackets: a sentence, so
// that names such as "[id].ts" are not taken for one. cutListing is the remark
// that a listing is not complete.
var (
	remark     = regexp.MustCompile(`^\[.* .*\]$`)
	cutListing = regexp.MustCompile(`(?m)^\[(only the first|stopped after|\d+ more) .*\]$`)
)

// names are the lines of a listing without the remarks.
func names(listing string) []string {
	var list []string
	for line := range strings.SplitSeq(text.Clean(listing), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "./")
		if line != "" && line != "." && !remark.MatchString(line) {
			list = append(list, line)
		}
	}
	return list
}

var generated = regexp.MustCompile(`(^|/)(node_modules|vendor|dist|build|target|\.git|\.venv|venv|__pycache__|testdata)(/|$)|\.(min\.js|lock|sum|map|svg|png|jpe?g|gif|ico|pdf|zip|gz|woff2?)$|(^|/)package-lock\.json$`)

func (f *findings) takeFiles(list []string) {
	for _, name := range list {
		switch {
		case strings.HasSuffix(name, "/") || generated.MatchString(name):
		case len(f.files) == maxListed:
			f.cut = true
			return
		default:
			f.files = append(f.files, name)
		}
	}
}

var grepLine = regexp.MustCompile(`^(.+?):(\d+):(.*)$`)

// takeMatches keeps a few of the lines that a search found, those in code first.
func (f *findings) takeMatches(keyword, out string) {
	var list []match
	for line := range strings.SplitSeq(text.Clean(out), "\n") {
		m := grepLine.FindStringSubmatch(line)
		if m == nil || generated.MatchString(m[1]) || !telling(m[3], keyword) {
			continue
		}
		if n, err := strconv.Atoi(m[2]); err == nil {
			list = append(list, match{
				path: strings.TrimPrefix(m[1], "./"), line: n, keyword: keyword,
				text: text.Truncate(text.Line(m[3]), maxQuote),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b match) int { return f.remoteness(a.path) - f.remoteness(b.path) })
	for _, m := range list {
		if f.countMatches(m.path) < 2 && f.countKeyword(keyword) < 4 && len(f.matches) < maxMatches {
			f.matches = append(f.matches, m)
		}
	}
}

// telling says whether a line holds more than the keyword and marks around it.
func telling(line, keyword string) bool {
	rest := strings.ReplaceAll(strings.ToLower(line), strings.ToLower(keyword), "")
	return strings.ContainsFunc(rest, unicode.IsLetter)
}

// remoteness is how unlikely a file is the one to change: code named after the
// goal, other code, tests, text for people, anything else.
func (f *findings) remoteness(name string) int {
	switch language := languages[strings.ToLower(path.Ext(name))]; {
	case isSource(name) && !testName.MatchString(name) && f.isNamed(name):
		return 0
	case isSource(name) && !testName.MatchString(name):
		return 1
	case isSource(name):
		return 2
	case language != "":
		return 3
	}
	return 4
}

func (f *findings) countMatches(path string) int {
	n := 0
	for _, m := range f.matches {
		if m.path == path {
			n++
		}
	}
	return n
}

func (f *findings) countKeyword(keyword string) int {
	n := 0
	for _, m := range f.matches {
		if m.keyword == keyword {
			n++
		}
	}
	return n
}

var (
	numbered    = regexp.MustCompile(`^\d+(\t| {1,4})`) // a TAB, or what cleaning makes of it
	declaration = regexp.MustCompile(`^\s*(?:export\s+|pub\s+|async\s+|public\s+|static\s+|default\s+)*(?:func(?:\s+\([^)]*\))?|fn|def|class|type|struct|interface|function|impl|enum|trait|module)\s+([A-Za-z_]\w*)`)
)

// lookAt reads the answer of the read tool: numbered lines.
func lookAt(name, out string) look {
	l := look{path: text.Line(name)}
	for line := range strings.SplitSeq(text.Clean(out), "\n") {
		at := numbered.FindStringIndex(line)
		if at == nil {
			continue
		}
		line = line[at[1]:]
		l.lines++
		if l.headline == "" {
			l.headline = headlineOf(line)
		}
		if m := declaration.FindStringSubmatch(line); m != nil && len(l.names) < 6 && !slices.Contains(l.names, m[1]) {
			l.names = append(l.names, text.Truncate(m[1], 40))
		}
	}
	return l
}

// takeLook keeps what was read, unless it was no text.
func (f *findings) takeLook(l look, out string) {
	if l.lines > 0 {
		f.looks = append(f.looks, l)
		return
	}
	f.problems = append(f.problems, "read "+code(short(l.path, 60))+": "+short(firstLine(out), maxQuote))
}

func headlineOf(line string) string {
	h := text.Line(strings.TrimLeft(strings.TrimSpace(line), "#/*-=<>!;% "))
	if len([]rune(h)) < 3 {
		return ""
	}
	return text.Truncate(h, maxQuote)
}

// languages by the ends of file names.
var languages = map[string]string{
	".go": "Go", ".py": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".jsx": "JavaScript", ".ts": "TypeScript",
	".tsx": "TypeScript", ".rs": "Rust", ".java": "Java", ".kt": "Kotlin", ".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++",
	".hpp": "C++", ".rb": "Ruby", ".php": "PHP", ".swift": "Swift", ".cs": "C#", ".sh": "Shell", ".md": "Markdown",
	".html": "HTML", ".css": "CSS", ".sql": "SQL", ".lua": "Lua", ".zig": "Zig", ".ex": "Elixir", ".exs": "Elixir",
}

// count is how many files are of one language.
type count struct {
	name string
	n    int
}

// byLanguage counts the files of each known language, most first.
func (f *findings) byLanguage() []count {
	totals := map[string]int{}
	for _, name := range f.files {
		if l := languages[strings.ToLower(path.Ext(name))]; l != "" {
			totals[l]++
		}
	}
	var list []count
	for name, n := range totals {
		list = append(list, count{name, n})
	}
	sort.Slice(list, func(i, j int) bool {
		return list[i].n > list[j].n || list[i].n == list[j].n && list[i].name < list[j].name
	})
	return list[:min(len(list), 4)]
}

// project is what a manifest at the root says about building and testing.
type project struct{ manifest, test string }

var projects = []project{
	{"go.mod", "go test ./..."}, {"Cargo.toml", "cargo test"}, {"package.json", "npm test"},
	{"pyproject.toml", "python -m pytest"}, {"setup.py", "python -m pytest"}, {"requirements.txt", "python -m pytest"},
	{"pom.xml", "mvn test"}, {"build.gradle", "gradle test"}, {"build.gradle.kts", "gradle test"},
	{"Gemfile", "bundle exec rake test"}, {"mix.exs", "mix test"}, {"composer.json", "composer test"},
	{"CMakeLists.txt", "ctest"}, {"justfile", "just test"}, {"Makefile", "make test"},
}

// project finds the manifest of the repository; the zero value if it has none.
func (f *findings) project() project {
	for _, p := range projects {
		if f.has(p.manifest) {
			return p
		}
	}
	return project{}
}

func (f *findings) has(name string) bool {
	return slices.Contains(f.top, name) || slices.Contains(f.files, name)
}

var testName = regexp.MustCompile(`(?i)(_test\.go|_test\.py|(^|/)test_[^/]*\.py|\.(test|spec)\.[jt]sx?|_spec\.rb|Test\.java|(^|/)tests?/.*\.\w+)$`)

// tests counts the files that hold tests.
func (f *findings) tests() int {
	n := 0
	for _, name := range f.files {
		if testName.MatchString(name) {
			n++
		}
	}
	return n
}
