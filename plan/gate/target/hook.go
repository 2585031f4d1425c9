package target

import (
	"encoding/json"
	"io"

	"planmode/plan/gate"
)

// maxHook is the most that is read of a hook's event.
const maxHook = 16 << 20

// fromHook takes the file out of the event that a harness writes to its hooks.
func fromHook(in io.Reader) (string, error) {
	if in == nil {
		return "", failf("No target, and no hook event on stdin")
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxHook+1))
	switch {
	case err != nil:
		return "", failf("Failed to read the hook event from stdin: %v", err)
	case len(raw) > maxHook:
		return "", failf("The hook event on stdin is larger than %d MB", maxHook>>20)
	case len(raw) == 0:
		return "", failf("No target, and no hook event on stdin")
	}
	var event struct {
		FilePath string         `json:"file_path"`
		Input    map[string]any `json:"tool_input"`
	}
	if err := json.Unmarshal(raw, &event); err != nil {
		return "", failf("Failed to parse hook event from stdin: %v", err)
	}
	for _, name := range []string{"file_path", "filePath", "path", "notebook_path"} {
		if path, ok := event.Input[name].(string); ok && path != "" {
			return path, nil
		}
	}
	if event.FilePath != "" {
		return event.FilePath, nil
	}
	return "", failf("No file in the hook event on stdin: there is no tool_input.file_path")
}

// standardInput reads the text itself from standard input.
func (o Options) standardInput() (Text, error) {
	if o.Stdin == nil {
		return Text{}, failf("Nothing on stdin: it is a terminal. Pipe the text in, or name a file")
	}
	raw, err := io.ReadAll(io.LimitReader(o.Stdin, MaxBytes+1))
	switch {
	case err != nil:
		return Text{}, failf("Failed to read stdin: %v", err)
	case len(raw) > MaxBytes:
		return Text{}, tooLarge("standard input")
	case len(raw) == 0:
		return Text{}, failf("No text received on stdin.")
	}
	text, err := decode(raw)
	if err != nil {
		return Text{}, failf("Cannot review standard input: %v", err)
	}
	return Text{Subject: gate.SubjectFile, Name: "standard input", Markdown: []byte(text), Source: FromStdin}, nil
}

func tooLarge(name string) error {
	return failf("File too large to annotate (max %dMB): %s", MaxBytes>>20, name)
}
