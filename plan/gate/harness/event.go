// Package harness speaks with the hooks of other coding agents: what their events
// mean, how each wants to be answered, and how their settings are changed. It is pure:
// it reads no file and starts nothing. An event that it does not know asks for
// nothing, and no answer of it approves what the person did not approve.
package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Harness is a coding agent that runs hooks.
type Harness string

// The harnesses.
const (
	Claude  Harness = "claude"
	Codex   Harness = "codex"
	Gemini  Harness = "gemini"
	Copilot Harness = "copilot"
	Qwen    Harness = "qwen"
)

// All are the harnesses in the order in which they are named to people.
var All = []Harness{Claude, Codex, Gemini, Copilot, Qwen}

// Kind is what an event asks a person for.
type Kind string

// The kinds.
const (
	Nothing Kind = ""        // it is not for us: answer nothing
	Plan    Kind = "plan"    // decide on a plan
	File    Kind = "file"    // look at a file that was written
	Message Kind = "message" // look at what the agent said last
)

// MaxEvent is the largest event that is read, in bytes.
const MaxEvent = 16 << 20

// Event is one event of a harness. What it names was chosen by other programs.
type Event struct {
	Harness    Harness
	Name       string // of the event, as the harness calls it
	Kind       Kind
	Session    string
	Cwd        string
	Transcript string
	Plan       string          // the text of the plan, if the event holds it
	PlanFile   string          // absolute path of the file with the plan; beats Plan
	File       string          // the file that was written
	Message    string          // what the agent said last, if the event holds it
	Input      json.RawMessage // arguments of the tool, as they came
	Goes       bool            // the agent goes on because of an earlier answer of a hook
}

// ErrNoPlan reports an event that asks about a plan and has none.
var ErrNoPlan = errors.New("no plan content in the hook event")

// wire is every field that a harness may send.
type wire struct {
	Event       string          `json:"hook_event_name"`
	Session     string          `json:"session_id"`
	Session2    string          `json:"sessionId"`
	Cwd         string          `json:"cwd"`
	Transcript  string          `json:"transcript_path"`
	Tool        string          `json:"tool_name"`
	Tool2       string          `json:"toolName"`
	Input       json.RawMessage `json:"tool_input"`
	Message     string          `json:"last_assistant_message"`
	StopHook    bool            `json:"stop_hook_active"`
	FilePath    string          `json:"file_path"`
	PlanContent string          `json:"plan"`
}

// input is the part of a tool's arguments that is understood.
type input struct {
	Plan         string `json:"plan"`
	PlanFilePath string `json:"planFilePath"`
	PlanFilename string `json:"plan_filename"`
	PlanPath     string `json:"plan_path"`
	FilePath     string `json:"file_path"`
	FilePath2    string `json:"filePath"`
	Path         string `json:"path"`
}

// Parse reads an event. name is the event that the caller's settings name; the event
// itself says it better. Nothing at all is an event that asks for nothing.
func Parse(h Harness, name string, raw []byte) (Event, error) {
	e := Event{Harness: h, Name: name}
	if len(bytes.TrimSpace(raw)) == 0 {
		return e, nil
	}
	if len(raw) > MaxEvent {
		return e, fmt.Errorf("the hook event is larger than %d MB", MaxEvent>>20)
	}
	var w wire
	if err := json.Unmarshal(raw, &w); err != nil {
		return e, fmt.Errorf("failed to parse the hook event from stdin: %w", err)
	}
	if w.Event != "" {
		e.Name = w.Event
	}
	e.Session, e.Cwd, e.Transcript, e.Message, e.Input, e.Goes = first(w.Session, w.Session2), w.Cwd, w.Transcript, w.Message, w.Input, w.StopHook
	var in input
	if len(w.Input) > 0 {
		// Arguments that are no object, or of other types, name nothing.
		_ = json.Unmarshal(w.Input, &in)
	}
	e.Plan, e.File = first(in.Plan, w.PlanContent), first(in.FilePath, in.FilePath2, in.Path, w.FilePath)
	e.Kind = kind(h, e.Name, first(w.Tool, w.Tool2))
	if e.Kind == Plan {
		e.PlanFile = e.planFile(in)
	}
	return e, nil
}

func first(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

// exits are the tools by which agents submit a plan.
var exits = map[string]bool{"ExitPlanMode": true, "exit_plan_mode": true}

// kind is what an event of a harness asks for.
func kind(h Harness, event, tool string) Kind {
	switch {
	case strings.EqualFold(event, "PreToolUse"), h == Gemini && strings.EqualFold(event, "BeforeTool"):
		if exits[tool] {
			return Plan
		}
	case strings.EqualFold(event, "PostToolUse"), strings.EqualFold(event, "AfterTool"):
		return File
	case strings.EqualFold(event, "Stop"), strings.EqualFold(event, "AfterAgent"):
		if h == Codex {
			return Plan
		}
		return Message
	}
	return Nothing
}

// uuid is how Copilot names its sessions; only such a name becomes part of a path.
var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// sessionName is what may become part of a path.
var sessionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$`)

// planFile is where the plan lies, if it is in a file: a full path to Markdown, or a
// place that the harness is known to use.
func (e Event) planFile(in input) string {
	for _, path := range []string{in.PlanFilePath, in.PlanPath} {
		if filepath.IsAbs(path) && strings.EqualFold(filepath.Ext(path), ".md") {
			return filepath.Clean(path)
		}
	}
	name := first(in.PlanFilename, in.PlanPath)
	if e.Harness != Gemini || name == "" || name != filepath.Base(name) || !strings.EqualFold(filepath.Ext(name), ".md") ||
		!filepath.IsAbs(e.Transcript) || !sessionName.MatchString(e.Session) {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Dir(e.Transcript)), e.Session, "plans", name)
}

// CopilotPlan is the path of a session's plan below the folder of Copilot CLI; empty if
// the event's session cannot have one.
func (e Event) CopilotPlan(home string) string {
	if e.Harness != Copilot || !uuid.MatchString(e.Session) || !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, "session-state", e.Session, "plan.md")
}
