package tool

import (
	"context"
	"strings"
)

type writeArgs struct {
	Path    string `json:"path" doc:"File to create or replace: relative to the working directory, or absolute. Missing directories are made." min:"1" max:"4096"`
	Content string `json:"content" doc:"The whole new content."`
}

type writeTool struct {
	at    place
	shown *shownChanges
}

func (writeTool) Spec() Spec {
	return Spec{
		Name: "write",
		Description: "Create a text file, or replace the whole of one. Prefer edit for a change to a file that exists. The person is " +
			"asked first and sees the difference.",
		Schema: schema[writeArgs](),
		Effect: Mutates,
	}
}

func (writeTool) validate(raw []byte) error {
	_, err := decode[writeArgs](raw)
	return err
}

// Scope implements Scoper.
func (t writeTool) Scope(call Call) (string, error) {
	args, err := decode[writeArgs](call.Args)
	if err != nil {
		return "", err
	}
	to, err := t.at.target(args.Path)
	return to.scope, err
}

func (t writeTool) guarded(call Call) string {
	args, err := decode[writeArgs](call.Args)
	if err != nil {
		return "" // refused before
	}
	return t.at.guards(args.Path)
}

func (t writeTool) draft(call Call) (change, error) {
	args, err := decode[writeArgs](call.Args)
	if err != nil {
		return change{}, err
	}
	to, err := t.at.target(args.Path)
	if err != nil {
		return change{}, err
	}
	return draft(to, func(old []byte, _ bool) ([]byte, error) {
		if crlf(string(old)) && !strings.Contains(args.Content, "\r") {
			return []byte(toCRLF(args.Content)), nil
		}
		return []byte(args.Content), nil
	})
}

// Preview implements Previewer.
func (t writeTool) Preview(_ context.Context, call Call) (Preview, error) {
	c, err := t.draft(call)
	if err != nil {
		return Preview{}, err
	}
	t.shown.remember(call, c)
	if c.info == nil {
		return c.preview("Create"), nil
	}
	return c.preview("Overwrite"), nil
}

// Run writes over what was shown, or not at all.
func (t writeTool) Run(ctx context.Context, call Call, _ Progress) Result {
	c, err := t.draft(call)
	if err == nil {
		err = t.shown.commit(ctx, call, c)
	}
	if err != nil {
		return failed(call, err)
	}
	if c.info == nil {
		return c.result(call, "Created")
	}
	return c.result(call, "Wrote")
}
