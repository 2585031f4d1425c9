package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
	"planmode/tui/theme"
)

// answer is the result of a call and when it came.
type answer struct {
	tree.ToolResult
	at plan.Time
}

const (
	maxResult = 40  // lines of a result, expanded
	maxDiff   = 200 // lines of a diff, expanded
	liveTail  = 4   // lines of a running command
)

// toolLines draws a call from what was recorded of it, never from a file. res
// is nil until it has been answered; live is set while it waits or runs.
func toolLines(p pen, c tool.Call, res *answer, live *session.LiveCall) []string {
	switch c.Name {
	case "submit_plan":
		return submitLines(p, c, res, live)
	case "complete_plan":
		return completeLines(p, c, res, live)
	case tool.AskName:
		return questionLines(p, c, res, live)
	case tool.ChecklistName:
		return checklistLines(p, res, live)
	case tool.EnterName:
		return enterLines(p, c, res, live)
	}
	head := p.t.Accent
	sign := p.t.Glyphs.Bullet
	outcome := running(live)
	if res != nil {
		outcome = outcomeOf(res.ToolResult)
		head = p.t.Success
		if res.Error {
			head, sign = p.t.Error, p.t.Glyphs.Cross
		}
	}
	line := head.Render(sign) + " " + p.t.Strong.Render(text.Line(c.Name))
	if arg := mainArg(c); arg.text != "" {
		line += " "
		line += p.t.Text.Render(arg.fit(p, p.width-theme.Width(line)-theme.Width(outcome)-2))
	}
	out := []string{p.t.Spread(line, p.t.Muted.Render(outcome), p.width)}
	if res == nil {
		return append(out, liveLines(p, live)...)
	}
	if p.expanded {
		return append(out, resultLines(p, res.ToolResult)...)
	}
	if res.Error {
		if first := firstLine(res.Text); first != "" {
			out = append(out, p.under(p.t.Error, first))
		}
	}
	return out
}

func running(live *session.LiveCall) string {
	switch {
	case live == nil:
		return "not finished"
	case live.Waiting:
		return "waiting for you"
	case live.Pending:
		return "not begun"
	}
	return "running"
}

func liveLines(p pen, live *session.LiveCall) []string {
	if live == nil || live.Output == "" {
		return nil
	}
	lines := strings.Split(strings.TrimRight(text.Clean(live.Output), "\n"), "\n")
	lines = lines[max(len(lines)-liveTail, 0):]
	var out []string
	for _, l := range lines {
		out = append(out, p.line("    "+p.t.Muted.Render(l)))
	}
	return out
}

// argument is what tells calls of one tool apart.
type argument struct {
	text string
	path bool // it ends in a path
}

// fit shortens a path so that the name of the file stays.
func (a argument) fit(p pen, room int) string {
	if !a.path || room <= 0 {
		return a.text
	}
	return p.t.Middle(a.text, room)
}

func mainArg(c tool.Call) argument {
	var args map[string]any
	if json.Unmarshal(c.Args, &args) != nil {
		return argument{}
	}
	for _, key := range []string{"command", "pattern", "path", "url", "query", "title"} {
		if s, ok := args[key].(string); ok && s != "" {
			where, _ := args["path"].(string)
			in := key == "pattern" && where != ""
			if in {
				s += " in " + where
			}
			return argument{text.Line(s), in || key == "path"}
		}
	}
	return argument{}
}

// outcomeOf is how a call ended, in a few words.
func outcomeOf(r tree.ToolResult) string {
	var f tool.FileDetails
	if json.Unmarshal(r.Details, &f) == nil && f.Path != "" {
		return fmt.Sprintf("+%d -%d", f.Added, f.Removed)
	}
	var o tool.OutputDetails
	if json.Unmarshal(r.Details, &o) == nil && o.Command != "" {
		took := (time.Duration(o.Millis) * time.Millisecond).Round(100 * time.Millisecond)
		switch {
		case o.TimedOut:
			return "timed out after " + took.String()
		case o.Exit < 0: // no code: it was ended from outside
			return "stopped after " + took.String()
		case o.Exit != 0:
			return fmt.Sprintf("exit %d, %s", o.Exit, took)
		}
		return took.String()
	}
	if r.Error {
		return "failed"
	}
	trimmed := strings.TrimRight(r.Text, "\n")
	if trimmed == "" {
		return "no output"
	}
	return text.Count(strings.Count(trimmed, "\n")+1, "line")
}

func resultLines(p pen, r tree.ToolResult) []string {
	var f tool.FileDetails
	if json.Unmarshal(r.Details, &f) == nil && f.Diff != "" {
		return diffLines(p, f.Diff)
	}
	var o tool.OutputDetails
	if r.Error && (json.Unmarshal(r.Details, &o) != nil || o.Command == "") {
		// What was refused is told in sentences; their end is often what to do.
		return p.limit(p.para("    ", p.t.Error, r.Text), maxResult)
	}
	style := p.t.Muted
	if r.Error {
		style = p.t.Error
	}
	return p.listing(r.Text, maxResult, func(string) lipgloss.Style { return style })
}

// diffLines colours a unified diff.
func diffLines(p pen, diff string) []string {
	return p.listing(diff, maxDiff, p.t.DiffLines(p.t.Muted))
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return text.Line(first)
}
