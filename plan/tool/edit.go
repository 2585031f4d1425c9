package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

type editArgs struct {
	Path       string `json:"path" doc:"File to change: relative to the working directory, or absolute." min:"1" max:"4096"`
	OldText    string `json:"oldText" doc:"Text to replace, exactly as in the file, with enough around it to occur once." min:"1"`
	NewText    string `json:"newText" doc:"Text to put in its place; empty to delete it."`
	ReplaceAll bool   `json:"replaceAll,omitempty" doc:"Replace every occurrence instead of the only one."`
}

type editTool struct {
	at    place
	shown *shownChanges
}

func (editTool) Spec() Spec {
	return Spec{
		Name: "edit",
		Description: "Replace one piece of text in an existing file. oldText must be there exactly once, spaces included and without the " +
			"line numbers of read, unless replaceAll is true. The person is asked first and sees the difference.",
		Schema: schema[editArgs](),
		Effect: Mutates,
	}
}

func (editTool) validate(raw []byte) error {
	_, err := decode[editArgs](raw)
	return err
}

// Scope implements Scoper.
func (t editTool) Scope(call Call) (string, error) {
	args, err := decode[editArgs](call.Args)
	if err != nil {
		return "", err
	}
	to, err := t.at.target(args.Path)
	return to.scope, err
}

func (t editTool) guarded(call Call) string {
	args, err := decode[editArgs](call.Args)
	if err != nil {
		return "" // refused before
	}
	return t.at.guards(args.Path)
}

func (t editTool) draft(call Call) (change, error) {
	args, err := decode[editArgs](call.Args)
	if err != nil {
		return change{}, err
	}
	to, err := t.at.target(args.Path)
	if err != nil {
		return change{}, err
	}
	return draft(to, func(old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, errors.New("there is no such file; use write to create one")
		}
		edited, err := replaceText(string(old), args)
		return []byte(edited), err
	})
}

// Preview implements Previewer.
func (t editTool) Preview(_ context.Context, call Call) (Preview, error) {
	c, err := t.draft(call)
	if err != nil {
		return Preview{}, err
	}
	t.shown.remember(call, c)
	return c.preview("Edit"), nil
}

// Run makes the edit on the text that was shown, or not at all.
func (t editTool) Run(ctx context.Context, call Call, _ Progress) Result {
	c, err := t.draft(call)
	if err == nil {
		err = t.shown.commit(ctx, call, c)
	}
	if err != nil {
		return failed(call, err)
	}
	return c.result(call, "Edited")
}

// replaceText replaces in text with the line ends of the file: an agent writes
// line feeds, also for a file that has carriage returns before them.
func replaceText(text string, args editArgs) (string, error) {
	old, now := args.OldText, args.NewText
	if crlf(text) {
		old, now = toCRLF(old), toCRLF(now)
	}
	switch n := strings.Count(text, old); {
	case n == 0:
		return "", errors.New("oldText is not in the file; it must match exactly, spaces and line ends included")
	case n > 1 && !args.ReplaceAll:
		return "", fmt.Errorf("oldText is in the file %d times; add lines around it, or set replaceAll", n)
	case n == 1 && strings.Contains(text[strings.Index(text, old)+1:], old) && !args.ReplaceAll:
		return "", errors.New("oldText is in the file twice, overlapping itself; add lines around it")
	}
	return strings.ReplaceAll(text, old, now), nil
}

// crlf says whether every line of text ends in a carriage return and line feed.
func crlf(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && n == strings.Count(text, "\r\n")
}

func toCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}
