package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"planmode/plan"
	"planmode/plan/proposal"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
)

// Export writes the current branch of a session as Markdown. Whatever somebody
// else said is cleaned for terminals and quoted, so that no text can pass for a
// heading of this program's.
func Export(w io.Writer, s *store.Store, id string) error {
	log, err := s.ReadLog(id)
	if err != nil {
		return err
	}
	defer log.Close() // it was only read
	sum, err := Describe(s, log.Path())
	if err != nil {
		return err
	}
	x := &exporter{w: bufio.NewWriter(w), store: s}
	branch := log.Tree().Current()
	x.head(sum, len(branch))
	for _, e := range branch {
		x.entry(e)
	}
	if last := log.Streaming(); last != "" {
		x.heading("Agent (unfinished)", plan.Time{})
		x.quote(last)
	}
	if err := x.w.Flush(); err != nil {
		return fmt.Errorf("export session %s: %w", sum.ID, err)
	}
	return nil
}

// exporter writes Markdown. The writer keeps the first error until it is flushed.
type exporter struct {
	w     *bufio.Writer
	store *store.Store
}

func (x *exporter) printf(format string, args ...any) { fmt.Fprintf(x.w, format, args...) }

func (x *exporter) head(sum Summary, onBranch int) {
	x.printf("# %s\n\n", inline(cmp.Or(sum.Title, sum.First, sum.ID)))
	x.printf("- Session: %s\n- Directory: %s\n- Created: %s\n", inline(sum.ID), inline(sum.Directory), stamp(sum.Created))
	if sum.Parent != "" {
		x.printf("- Forked from: %s\n", inline(sum.Parent))
	}
	x.printf("- Entries: %d on this branch, %d elsewhere in the tree\n", onBranch, sum.Entries-onBranch)
	for _, p := range sum.Problems {
		x.printf("- Problem: %s\n", inline(p))
	}
	x.printf("\nWhat was said is quoted; the headings are planmode's. Times are UTC.\n")
}

func (x *exporter) heading(what string, at plan.Time) {
	if at.IsZero() {
		x.printf("\n## %s\n\n", what)
		return
	}
	x.printf("\n## %s · %s\n\n", what, stamp(at))
}

// quote writes somebody's text.
func (x *exporter) quote(s string) {
	for line := range strings.SplitSeq(strings.TrimRight(text.Clean(s), "\n"), "\n") {
		x.printf("%s\n", strings.TrimRight("> "+line, " "))
	}
}

// message writes what the agent said, and the plans in it as what they are.
func (x *exporter) message(s string) {
	for i, p := range proposal.Parts(s) {
		if p.Plan {
			x.printf("%sA plan in the message:\n\n", strings.Repeat("\n", min(i, 1)))
		} else if i > 0 {
			x.printf("\nAnd then:\n\n")
		}
		if strings.TrimSpace(p.Text) != "" {
			x.quote(p.Text)
		}
	}
}

// verbatim writes text that is no Markdown, such as the output of a program. It is
// cleaned first: what is taken out could have kept back quotes apart.
func (x *exporter) verbatim(info, s string) {
	s = text.Clean(s)
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	x.quote(fence + info + "\n" + strings.TrimRight(s, "\n") + "\n" + fence)
}

func (x *exporter) entry(e tree.Entry) {
	if ev, ok, err := tree.Event(e); ok && err == nil {
		x.event(e, ev)
		return
	}
	write, known := writers[e.Kind]
	if !known || write(x, e) != nil {
		x.heading(inline(string(e.Kind)), e.At)
		var b bytes.Buffer
		if json.Indent(&b, e.Body, "", "  ") != nil {
			b.Reset()
			b.Write(e.Body)
		}
		x.verbatim("json", b.String())
	}
}

// writers write the kinds that have a form of their own. What they cannot decode
// is written as it is stored.
var writers = map[plan.Kind]func(x *exporter, e tree.Entry) error{
	tree.KindUser: writer(func(x *exporter, at plan.Time, b tree.User) {
		x.heading("You", at)
		x.quote(b.Text)
	}),
	tree.KindAssistant: writer(func(x *exporter, at plan.Time, b tree.Assistant) {
		x.heading("Agent"+parenthesis(b.Model)+parenthesis(b.Stopped), at)
		x.message(b.Text)
	}),
	tree.KindToolCall: writer(func(x *exporter, at plan.Time, b tree.ToolCall) {
		x.heading("Tool: "+inline(b.Name), at)
		if b.Name == "submit_plan" {
			x.printf("The plan follows as a revision, or the result says why not.\n")
			return
		}
		x.verbatim("json", string(b.Args))
	}),
	tree.KindToolResult: writer(func(x *exporter, at plan.Time, b tree.ToolResult) {
		failed := ""
		if b.Error {
			failed = "error"
		}
		x.heading("Result: "+inline(b.Name)+parenthesis(failed), at)
		x.verbatim("", b.Text)
	}),
	tree.KindAnswer: writer(func(x *exporter, at plan.Time, b tree.Answer) {
		x.heading(fmt.Sprintf("Answer to question %d", b.Index+1), at)
		x.quote(cmp.Or(b.Choice, b.Text, "Not answered."))
		if b.Note != "" {
			x.printf(">\n")
			x.quote("Note: " + b.Note)
		}
	}),
	tree.KindHandoff: writer(func(x *exporter, at plan.Time, b tree.Handoff) {
		what := "Approved plan handed to the agent"
		if b.Auto {
			what = "Plan handed to the agent, " + plan.AutoApproved
		}
		x.heading(fmt.Sprintf("%s: %s · r%d", what, inline(b.Title), b.Ref.Revision), at)
	}),
	tree.KindCompaction: writer(func(x *exporter, at plan.Time, b tree.Compaction) {
		if b.Told() == "" {
			x.heading("The agent goes on with a clean context", at)
			return
		}
		x.heading("Earlier messages shortened for the agent"+parenthesis(b.By), at)
		x.quote(b.Told())
	}),
	tree.KindNotice: writer(func(x *exporter, at plan.Time, b tree.Notice) {
		x.heading("planmode"+parenthesis(string(b.Level)), at)
		x.quote(b.Text)
	}),
	tree.KindPermission: writer(func(x *exporter, at plan.Time, b tree.Permission) {
		x.heading(fmt.Sprintf("Permission: %s, %s", inline(b.Tool), inline(b.Answer)), at)
		x.verbatim("", cmp.Or(b.Subject, b.Scope))
		if b.Reason != "" {
			x.quote(b.Reason)
		}
	}),
	tree.KindPermissionMode: writer(func(x *exporter, at plan.Time, b tree.PermissionMode) {
		x.heading(fmt.Sprintf("Permission mode: %s%s", inline(string(b.Mode)), parenthesis(string(b.Why))), at)
	}),
	tree.KindModel: writer(func(x *exporter, at plan.Time, b tree.Model) {
		in := ""
		if b.For != "" {
			in = "in " + string(b.For) + " mode"
		}
		if b.Agent != "" {
			x.heading("Agent in use: "+inline(b.Agent)+parenthesis(b.Model)+parenthesis(in), at)
		}
		if b.Effort != "" {
			x.heading("Effort in use: "+inline(b.Effort)+parenthesis(in), at)
		}
	}),
	tree.KindTitle: writer(func(x *exporter, at plan.Time, b tree.Title) {
		x.heading("Session named: "+inline(b.Text), at)
	}),
	tree.KindNoteMarks: writer(func(x *exporter, at plan.Time, b tree.NoteMarks) {
		x.heading(fmt.Sprintf("Earlier notes marked while reviewing r%d", b.Ref.Revision), at)
		for _, m := range b.Marks {
			word := "open again"
			if m.Settled {
				word = "settled"
			}
			x.printf("- note %s: %s\n", inline(m.ID), word)
		}
		x.printf("\n")
	}),
	tree.KindAnnotations: writer(func(x *exporter, at plan.Time, b tree.Annotations) {
		x.heading(fmt.Sprintf("Notes on r%d, round %d%s", b.Ref.Revision, b.Round, parenthesis(b.Reviewer)), at)
		for _, a := range b.Items {
			x.annotation(a)
		}
	}),
	session.KindFeedback: writer(func(x *exporter, at plan.Time, b session.Feedback) {
		x.heading("Review given to the agent", at)
		x.verbatim("", b.Text)
	}),
	tree.KindReminder: writer(func(x *exporter, at plan.Time, b tree.Reminder) {
		x.heading("planmode to the agent"+parenthesis(b.Form), at)
		x.quote(b.Text)
	}),
	session.KindShell: writer(func(x *exporter, at plan.Time, b session.Shell) {
		failed := ""
		if b.Error {
			failed = "error"
		}
		x.heading("A command of yours"+parenthesis(failed), at)
		x.verbatim("sh", b.Command)
		x.printf(">\n")
		x.verbatim("", b.Text)
	}),
	tree.KindDecision: writer(func(x *exporter, at plan.Time, b tree.Decision) {
		x.heading(fmt.Sprintf("Decision on r%d: %s by %s", b.Decision.Revision, inline(string(b.Decision.Kind)), inline(string(b.Decision.By))), at)
		if b.Decision.Notes != "" {
			x.quote(b.Decision.Notes)
		}
	}),
}

func writer[B any](write func(*exporter, plan.Time, B)) func(*exporter, tree.Entry) error {
	return func(x *exporter, e tree.Entry) error {
		b, err := tree.Decode[B](e)
		if err == nil {
			write(x, e.At, b)
		}
		return err
	}
}

func (x *exporter) annotation(a plan.Annotation) {
	where := "the whole plan"
	switch {
	case a.Line > 0 && a.End > a.Line:
		where = fmt.Sprintf("lines %d–%d", a.Line, a.End)
	case a.Line > 0:
		where = fmt.Sprintf("line %d", a.Line)
	}
	x.printf("On %s%s:\n\n", where, parenthesis(a.Label))
	if a.Quote != "" {
		x.verbatim("", a.Quote)
		x.printf(">\n")
	}
	x.quote(a.Body)
	switch {
	case a.Delete:
		x.printf(">\n> Suggested: delete this.\n")
	case a.Replacement != "":
		x.printf(">\n")
		x.verbatim("suggestion", a.Replacement)
	}
	x.printf("\n")
}

func stamp(t plan.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

func parenthesis(s string) string {
	if s = inline(s); s == "" {
		return ""
	}
	return " (" + s + ")"
}

// special are the characters that could make Markdown of a name.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "&", `\&`, "!", `\!`)

// inline is a name or a title within a line of this program's.
func inline(s string) string { return special.Replace(text.Line(s)) }
