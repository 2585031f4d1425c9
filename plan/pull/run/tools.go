package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"planmode/plan/tool"
)

// Bounds of what a role reads with one call.
const (
	maxLines  = 800
	maxAnswer = 64 << 10
)

// deliver is the tool by which a role hands over its payload.
const deliver = "deliver_payload"

// readArgs are the arguments of all tools that read; each uses its own of them.
type readArgs struct {
	Path     string `json:"path"`
	Folder   string `json:"folder"`
	Text     string `json:"text"`
	Revision string `json:"revision"`
	Start    int    `json:"start_line"`
	End      int    `json:"end_line"`
}

// specs describes the tools of a role. None of them can change anything.
var specs = []tool.Spec{
	reads("read_file", "Read lines of a file as it is in one of the two pinned commits. Lines are numbered.",
		`"path":{"type":"string"},"revision":{"type":"string","enum":["base","head"]},"start_line":{"type":"integer"},"end_line":{"type":"integer"}`, `"path","revision"`),
	reads("read_patch", "Read the change of one file as a unified diff.", `"path":{"type":"string"}`, `"path"`),
	reads("list_files", "List a folder as it is in one of the two pinned commits. An empty folder is the top.",
		`"folder":{"type":"string"},"revision":{"type":"string","enum":["base","head"]}`, `"folder","revision"`),
	reads("find_text", "Find the lines that hold exactly this text in one of the two pinned commits.",
		`"text":{"type":"string"},"revision":{"type":"string","enum":["base","head"]}`, `"text","revision"`),
	reads(deliver, "Hand over the payload of your role, whole and in its exact form. This ends your work.", `"text":{"type":"string"}`, `"text"`),
}

func reads(name, says, properties, required string) tool.Spec {
	return tool.Spec{Name: name, Description: says, Effect: tool.Reads,
		Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{` + properties + `},"required":[` + required + `]}`)}
}

// desk answers the calls of one role.
type desk struct {
	from       Reading
	base, head string
}

// answer runs one call that reads.
func (d desk) answer(ctx context.Context, c tool.Call) tool.Result {
	text, err := d.read(ctx, c)
	r := tool.Result{CallID: c.ID, Name: c.Name, Text: text}
	if err != nil {
		r.Text, r.Error = err.Error(), true
	}
	if len(r.Text) > maxAnswer {
		r.Text = strings.ToValidUTF8(r.Text[:maxAnswer], "") + "\n[cut: ask for fewer lines]"
	}
	return r
}

func (d desk) read(ctx context.Context, c tool.Call) (string, error) {
	var a readArgs
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return "", fmt.Errorf("%s was not run: its arguments are no object of the described form", c.Name)
	}
	switch c.Name {
	case "read_patch":
		return d.from.Patch(ctx, a.Path)
	case "read_file", "list_files", "find_text":
	default:
		return "", errors.New("there is no such tool here: only those that you were given can run, and none of them changes anything")
	}
	revision, ok := map[string]string{"base": d.base, "head": d.head}[a.Revision]
	if !ok {
		return "", errors.New(`revision has to be "base" or "head"`)
	}
	switch c.Name {
	case "list_files":
		names, err := d.from.List(ctx, a.Folder, revision)
		return strings.Join(names, "\n"), err
	case "find_text":
		if strings.TrimSpace(a.Text) == "" || strings.Contains(a.Text, "\n") {
			return "", errors.New("text has to be a part of one line")
		}
		found, err := d.from.Find(ctx, a.Text, revision)
		return string(found), err
	}
	data, err := d.from.File(ctx, a.Path, revision)
	if err != nil {
		return "", err
	}
	return numbered(string(data), a.Start, a.End), nil
}

// numbered is the lines from start to end, at most maxLines of them, with numbers.
func numbered(s string, start, end int) string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	start = max(start, 1)
	if end <= 0 || end > len(lines) {
		end = len(lines)
	}
	more := end - start + 1 - maxLines
	end = min(end, start+maxLines-1)
	var b strings.Builder
	for n := start; n <= end; n++ {
		fmt.Fprintf(&b, "%d\t%s\n", n, lines[n-1])
	}
	if more > 0 {
		fmt.Fprintf(&b, "[%d more lines]\n", more)
	}
	return b.String()
}
