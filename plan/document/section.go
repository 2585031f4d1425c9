package document

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The languages a plan may be written in.
const (
	English = "en"
	Chinese = "zh-CN"
	Auto    = "auto" // either, as the person writes; only ever a setting
)

const executionSteps = "Execution steps"

// nine are the sections of a plan, in order, in both languages.
var nine = [9]struct{ en, zh string }{
	{"Goal", "目标"},
	{"Non-goals", "非目标"},
	{"Current evidence", "当前证据"},
	{"Decisions and rationale", "决策与理由"},
	{"Proposed changes", "拟议改动"},
	{executionSteps, "执行步骤"},
	{"Verification", "验证"},
	{"Risks", "风险"},
	{"Assumptions", "假设"},
}

// Names returns the nine section headings in the given language, in order.
// Every language but Chinese gives the English ones.
func Names(language string) []string {
	names := make([]string, len(nine))
	for i, n := range nine {
		names[i] = n.en
		if language == Chinese {
			names[i] = n.zh
		}
	}
	return names
}

// Section is one of the nine sections as found in a document.
type Section struct {
	Name     string // its English name, whatever the language
	Language string // of its heading
	Heading  Heading
	End      int // its last line

	heading int // index of Heading
}

var sectionKeys = func() map[string]Section {
	m := map[string]Section{}
	for _, n := range nine {
		m[key(n.en)] = Section{Name: n.en, Language: English}
		m[key(n.zh)] = Section{Name: n.en, Language: Chinese}
	}
	return m
}()

// findSections takes, for every section and language, its first heading.
func findSections(headings []Heading, lines int) []Section {
	type found struct{ name, language string }
	seen := map[found]bool{}
	var out []Section
	for i, h := range headings {
		s, ok := sectionKeys[key(h.Text)]
		if !ok || seen[found{s.Name, s.Language}] {
			continue
		}
		seen[found{s.Name, s.Language}] = true
		s.Heading, s.End, s.heading = h, lines, i
		for _, next := range headings[i+1:] {
			if next.Level <= h.Level {
				s.End = next.Line - 1
				break
			}
		}
		out = append(out, s)
	}
	return out
}

// number matches the counting that people put before a heading.
var number = regexp.MustCompile(`^(\(\s*([0-9.]+|[一二三四五六七八九十]+|[ivxlc]+|[a-z])\s*\)|[0-9]+([.:、)][0-9]*)*|第?[一二三四五六七八九十]+[章节部分]*[.:、)\s]|([ivxlc]+|[a-z])[.:)])\s*`)

// key folds a heading to what identifies a section: without numbering, case,
// punctuation around it, and the difference between hyphen, blank and nothing.
func key(heading string) string {
	s := strings.ToLower(norm.NFKC.String(heading))
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r != '(' && !letterOrDigit(r) })
	s = s[len(number.FindString(s)):]
	s = strings.ReplaceAll(s, "&", "and")
	s = strings.TrimFunc(s, func(r rune) bool { return !letterOrDigit(r) })
	return strings.Map(func(r rune) rune {
		if r == '_' || unicode.Is(unicode.Pd, r) || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Language is the language of most section headings found, or empty if none was.
func (d *Document) Language() string {
	en, zh := 0, 0
	for _, s := range d.sections {
		if s.Language == Chinese {
			zh++
		} else {
			en++
		}
	}
	switch {
	case en == 0 && zh == 0:
		return ""
	case zh > en:
		return Chinese
	}
	return English
}

// Missing returns the headings of the sections that the document lacks in a
// language, in order. An empty language or auto means the document's own.
func (d *Document) Missing(language string) []string {
	language = d.wanted(language)
	have := map[string]bool{}
	for _, s := range d.sections {
		if s.Language == language {
			have[s.Name] = true
		}
	}
	var missing []string
	for i, name := range Names(language) {
		if !have[nine[i].en] {
			missing = append(missing, name)
		}
	}
	return missing
}

// wanted turns a setting into the language that the document is held to. A
// document without a single known heading is judged by its script.
func (d *Document) wanted(setting string) string {
	if setting == English || setting == Chinese {
		return setting
	}
	if l := d.Language(); l != "" {
		return l
	}
	han, latin := 0, 0
	for _, r := range d.text {
		switch {
		case r < 0x80 && unicode.IsLetter(r):
			latin++
		case unicode.Is(unicode.Han, r):
			han++
		}
	}
	if han*3 > latin {
		return Chinese
	}
	return English
}
