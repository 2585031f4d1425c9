package revdiff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
	"planmode/revdiff/record"
)

// anchors turns records, which carry only a line number, into annotations that
// quote the line they are about. A removed line is looked up in the old text.
type anchors struct {
	shown    shown
	labels   []string
	old, new *document.Document // parsed when first needed
}

func (j *Job) newAnchors() *anchors { return &anchors{shown: j.shown, labels: j.labels} }

// lines counts the lines of one side.
func (a *anchors) lines(old bool) int {
	b := a.shown.new.Bytes
	if old {
		b = a.shown.old.Bytes
	}
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

func (a *anchors) annotation(r record.Record) plan.Annotation {
	// What is written to a log must be text; a screen cleans it further.
	said := record.Split(strings.ToValidUTF8(r.Body, "\uFFFD"), func(label string) bool { return slices.Contains(a.labels, label) })
	n := plan.Annotation{
		Line: r.Line, End: r.End, Side: "new", Body: said.Text,
		Label: said.Label, Replacement: said.Replacement, Delete: said.Suggests && said.Replacement == "",
	}
	if r.Type == record.Removed && !r.FileLevel() {
		n.Side = "old"
		if a.old == nil {
			a.old = document.Parse(a.shown.old.Bytes)
		}
		return document.Anchor(a.old, n)
	}
	if a.new == nil {
		a.new = document.Parse(a.shown.new.Bytes)
	}
	return document.Anchor(a.new, n)
}

// Notes reads annotations as they were collected about a text, each with what it
// quotes. Those about removed lines quote nothing, since the text that had the
// lines is not known; what is no note on the text is left out.
func Notes(raw []byte, about Text, labels []string) []plan.Annotation {
	records, err := record.Parse(raw)
	if err != nil {
		return nil
	}
	j := &Job{shown: shown{new: about}, labels: labels}
	a := j.newAnchors()
	var out []plan.Annotation
	for _, r := range records {
		if removed := r.Type == record.Removed; removed || max(r.Line, r.End) <= a.lines(false) {
			out = append(out, a.annotation(r))
		}
	}
	return out
}

// describe renders the notes of the last round for the reviewer's description,
// each with what became of its line in the text now shown.
func describe(revision int, notes []plan.Annotation, now []byte) []byte {
	d := document.Parse(now)
	var b strings.Builder
	fmt.Fprintf(&b, "# What you said about r%d\n", revision)
	for _, n := range notes {
		fmt.Fprintf(&b, "\n## %s\n\n", place(n, d))
		if n.Quote != "" {
			fmt.Fprintf(&b, "> %s\n\n", strings.ReplaceAll(text.Clean(n.Quote), "\n", "\n> "))
		}
		fmt.Fprintf(&b, "%s\n", text.Clean(body(n)))
	}
	return []byte(b.String())
}

func place(n plan.Annotation, d *document.Document) string {
	if n.Line == 0 {
		return "The whole plan"
	}
	line, status := document.Reanchor(n, d)
	switch status {
	case document.AnchorUnchanged:
		return fmt.Sprintf("Line %d, unchanged", line)
	case document.AnchorTextChanged:
		return fmt.Sprintf("Line %d, text changed", line)
	}
	return "Gone"
}
