package tool

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"planmode/plan/process"
	"planmode/plan/tool/rule"
)

// Limits of one command.
const (
	defaultTimeout = 120 * time.Second
	maxOutput      = 48 << 10 // what the agent gets: the beginning and the end
	maxStreamed    = 1 << 20  // what the screen gets while the command runs
)

type bashArgs struct {
	Command string `json:"command" doc:"Command line for the shell." min:"1" max:"65536"`
	Timeout int    `json:"timeout,omitempty" doc:"Seconds after which the command is stopped; 120 by default." min:"1" max:"600"`
}

type bashTool struct {
	dir string
	env []string
	now func() time.Time

	looking bool // lines that only look may run while planning
}

func (t bashTool) Spec() Spec {
	return Spec{
		Name: "bash",
		Description: "Run a command in the working directory, after the person allowed it. There is no terminal and no input: nothing " +
			"interactive works. Everything the command started is stopped when it returns or times out. Long output keeps its beginning and its end.",
		Schema: schema[bashArgs](),
		Effect: Executes,
		Looks:  t.looking,
	}
}

func (bashTool) validate(raw []byte) error {
	args, err := decode[bashArgs](raw)
	if err == nil && strings.ContainsRune(args.Command, 0) {
		err = errors.New(`argument "command" holds a NUL character`)
	}
	return err
}

// Scope implements Scoper.
func (bashTool) Scope(call Call) (string, error) {
	args, err := decode[bashArgs](call.Args)
	return "bash:" + args.Command, err
}

// Preview implements Previewer.
func (t bashTool) Preview(_ context.Context, call Call) (Preview, error) {
	if err := t.validate(call.Args); err != nil {
		return Preview{}, err
	}
	args, err := decode[bashArgs](call.Args)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{Title: "Run a command", Body: args.Command, Scope: "bash:" + args.Command, Meaning: "this exact command",
		Always: rule.SuggestCommand(args.Command)}
	if strings.ContainsFunc(args.Command, invisible) || strings.ContainsRune(args.Command, '\r') {
		p.Danger = "the command holds characters that are not visible"
		p.Always = rule.Suggestion{}
	}
	return p, nil
}

// Run runs the command and reports its output, its exit code and its time.
func (t bashTool) Run(ctx context.Context, call Call, progress Progress) Result {
	if err := t.validate(call.Args); err != nil {
		return failed(call, err)
	}
	args, err := decode[bashArgs](call.Args)
	if err != nil {
		return failed(call, err)
	}
	shell, err := shellPath()
	if err != nil {
		return failed(call, err)
	}
	timeout := defaultTimeout
	if args.Timeout > 0 {
		timeout = time.Duration(args.Timeout) * time.Second
	}
	stream := &stream{to: progress}
	began := t.now()
	res, err := process.Run(ctx, process.Command{
		Path: shell, Args: []string{"-c", args.Command}, Dir: t.dir, Env: t.env,
		Timeout: timeout, Limit: maxOutput, Output: stream.write,
	})
	if err != nil && ctx.Err() == nil {
		return failed(call, err)
	}
	r := answer(call, report(res, timeout, ctx.Err()))
	r.Error = res.Code != 0 || res.TimedOut || ctx.Err() != nil
	r.Details = Marshal(OutputDetails{
		Command: args.Command, Exit: res.Code, Millis: t.now().Sub(began).Milliseconds(), TimedOut: res.TimedOut, Cut: res.Cut,
	})
	return r
}

func shellPath() (string, error) {
	if path, err := exec.LookPath("bash"); err == nil {
		return path, nil
	}
	path, err := exec.LookPath("sh")
	if err != nil {
		return "", fmt.Errorf("find a shell: neither bash nor sh is there: %w", err)
	}
	return path, nil
}

// report is the result for the agent: the output, then in brackets how it ended
// if not well.
func report(res process.Result, timeout time.Duration, interrupted error) string {
	var out strings.Builder
	out.WriteString(strings.ToValidUTF8(string(res.Output), "\uFFFD"))
	if res.Cut > 0 {
		fmt.Fprintf(&out, "\n[%d bytes of output left out]\n", res.Cut)
		out.WriteString(strings.ToValidUTF8(string(res.Tail), "\uFFFD"))
	}
	note := ""
	switch {
	case interrupted != nil:
		note = "[interrupted by the person; the command was stopped]"
	case res.TimedOut:
		note = fmt.Sprintf("[stopped after %v; ask for a longer timeout if it needs one]", timeout)
	case res.Signal != "":
		note = "[ended by " + res.Signal + "]"
	case res.Code != 0:
		note = fmt.Sprintf("[exit code %d]", res.Code)
	case out.Len() == 0:
		note = "[no output]"
	}
	if note != "" {
		if s := out.String(); s != "" && !strings.HasSuffix(s, "\n") {
			out.WriteByte('\n')
		}
		out.WriteString(note + "\n")
	}
	return out.String()
}

// stream passes output on while it comes, in whole characters and not without
// end.
type stream struct {
	to   Progress
	rest []byte // the beginning of a character whose end has not come yet
	sent int
}

func (s *stream) write(p []byte) {
	if s.to == nil || s.sent > maxStreamed {
		return
	}
	data := append(s.rest, p...)
	whole := len(data)
	for back := 1; back <= min(utf8.UTFMax-1, len(data)); back++ {
		if at := len(data) - back; utf8.RuneStart(data[at]) {
			if !utf8.FullRune(data[at:]) {
				whole = at
			}
			break
		}
	}
	s.rest = append([]byte(nil), data[whole:]...)
	if whole == 0 {
		return
	}
	s.to(strings.ToValidUTF8(string(data[:whole]), "\uFFFD"))
	if s.sent += whole; s.sent > maxStreamed {
		s.to("\n[more output; it is not shown while the command runs]\n")
	}
}
