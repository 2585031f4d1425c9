package demo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
	"planmode/plan/tool"
)

// revisionText finds the exact text of a revision: as it was submitted, as the
// host told it, or as the read tool returned it. Only bytes with the right hash
// count; markdown is empty when there are none. The title may be empty.
func revisionText(t *talk, ref plan.Ref) (title, markdown string) {
	for _, e := range slices.Backward(t.exchanges) {
		switch e.call.Name {
		case "submit_plan":
			args := arg[tool.SubmitArgs](e)
			if body, err := document.Normalise([]byte(args.Markdown)); err == nil && plan.HashOf(body) == ref.Hash {
				return args.Title, string(body)
			}
		case "read":
			if !e.ok() || arg[readArgs](e).Path != revisionPath(t, ref) {
				continue
			}
			if body := unnumber(e.result.Text); plan.HashOf([]byte(body)) == ref.Hash {
				return "", body
			}
		}
	}
	for _, s := range t.told() {
		if body := marked(s, ref.Hash); body != "" {
			return "", body
		}
	}
	return "", ""
}

// unnumber restores a file from the numbered lines of the read tool.
func unnumber(out string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
		if _, text, ok := strings.Cut(line, "\t"); ok {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// told are the texts in which the host may tell of a plan, the latest first.
func (t *talk) told() []string {
	list := []string{t.turn.System}
	for _, m := range slices.Backward(t.messages) {
		if m.Text != "" {
			list = append(list, m.Text)
		}
	}
	return list
}

// marked cuts the text with the given hash out of s, where it stands between two
// lines that name the hash.
func marked(s string, hash plan.Hash) string {
	if hash == "" || strings.Count(s, string(hash)) < 2 {
		return ""
	}
	var marks []int // where a line with the hash ends, and where the next begins
	for at := 0; at < len(s) && len(marks) < 16; {
		end := len(s)
		if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if strings.Contains(s[at:end], string(hash)) {
			marks = append(marks, at, end)
		}
		at = end
	}
	for i := 1; i < len(marks); i += 2 {
		for j := i + 1; j < len(marks); j += 2 {
			if body := s[marks[i]:marks[j]]; plan.HashOf([]byte(body)) == hash {
				return body
			}
		}
	}
	return ""
}

// revisionFile matches the file of a revision in a line: everything from the
// root on, since a directory may hold blanks.
var revisionFile = regexp.MustCompile(`(?:[A-Za-z]:)?[/\\].*[/\\]revisions[/\\]r(\d+)\.md`)

// revisionPath is where the host said that a revision is kept; empty if it did
// not say so.
func revisionPath(t *talk, ref plan.Ref) string {
	for _, e := range slices.Backward(t.exchanges) {
		if d, ok := e.details(); ok && d.Plan == ref.Plan && d.Revision == ref.Revision && d.Path != "" {
			return d.Path
		}
	}
	for _, m := range slices.Backward(t.messages) {
		if m.Feedback != nil && m.Feedback.Plan == ref.Plan && m.Feedback.Revision == ref.Revision && m.Feedback.Path != "" {
			return m.Feedback.Path
		}
	}
	for _, s := range t.told() {
		for _, m := range revisionFile.FindAllStringSubmatch(s, -1) {
			if m[1] == fmt.Sprint(ref.Revision) && strings.Contains(m[0], string(ref.Plan)) {
				return m[0]
			}
		}
	}
	return ""
}

// fetched says whether reading the revision was tried in this turn.
func (t *talk) fetched(ref plan.Ref) bool {
	path := revisionPath(t, ref)
	return path != "" && slices.ContainsFunc(t.now(), func(e exchange) bool { return arg[readArgs](e).Path == path })
}

// fetch reads the revision where the host keeps it; false if that was tried or
// there is no such place.
func fetch(t *talk, ref plan.Ref) (step, bool) {
	path := revisionPath(t, ref)
	if path == "" || t.fetched(ref) {
		return step{}, false
	}
	return step{
		text:  t.lang.f("I read revision r%d of the plan first.\n", "我先读取计划的修订版 r%d。\n", ref.Revision),
		calls: t.one("read", readArgs{Path: path}),
	}, true
}

var titleLine = regexp.MustCompile(`(?m)^- title: (.+)$`)

// titleOf is the title that a plan has, as the host told it; else its first
// heading that is no section, else the middle of its id.
func titleOf(t *talk, ref plan.Ref, markdown string) string {
	for _, e := range slices.Backward(t.exchanges) {
		if d, ok := e.details(); ok && d.Plan == ref.Plan && d.Title != "" {
			return text.Line(d.Title)
		}
	}
	for _, s := range t.told() {
		if m := titleLine.FindStringSubmatch(s); m != nil && strings.Contains(s, string(ref.Plan)) {
			return short(m[1], maxTopic)
		}
	}
	if h := document.Parse([]byte(markdown)).Headings(); len(h) > 0 && h[0].Level == 1 && h[0].Text != "" {
		return short(h[0].Text, maxTopic)
	}
	if parts := strings.Split(string(ref.Plan), "-"); len(parts) > 2 {
		return strings.Join(parts[1:len(parts)-1], " ")
	}
	return string(ref.Plan)
}
