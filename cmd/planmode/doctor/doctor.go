// Package doctor examines what planmode needs from its surroundings: terminal,
// keys, reviewer, git, store, configuration. It changes nothing that stays: the one
// thing it writes is a probe file, which it removes again.
//
// Each finding is a Check: how it stands, what was looked at, what was found, and,
// when something is not right, what to do about it.
package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/colorprofile"

	"planmode/plan/text"
	"planmode/store"
)

// Level ranks a finding. The strings are printed.
type Level string

// The levels. A warning costs something; a failure keeps planmode, or a part of
// it, from working.
const (
	OK   Level = "ok"
	Warn Level = "warn"
	Fail Level = "fail"
)

// Check is one finding.
type Check struct {
	Level  Level  `json:"level"`
	What   string `json:"what"` // dotted, stable: "terminal.size"
	Detail string `json:"detail"`
	Todo   string `json:"todo,omitempty"` // empty when the level is OK
}

// Terminal is what was found out about the terminal.
type Terminal struct {
	In, Out       bool // standard input and output are one
	Device        bool // the process has a controlling terminal
	Width, Height int  // 0 if unknown
	Profile       colorprofile.Profile
}

// Build describes this program.
type Build struct{ Version, Commit, Go, System string }

// Surroundings is everything that is examined.
type Surroundings struct {
	Getenv   func(string) string
	Environ  []string
	Terminal Terminal
	Build    Build
	Self     string // planmode's own executable
	Dir      string // the working directory
	Dirs     store.Dirs
	Now      func() time.Time
	Settings []Settings // of other agents
}

// Report is every finding, in a fixed order.
type Report []Check

// Examine looks at everything. It runs git and the reviewer, each for a few
// seconds at most.
func Examine(ctx context.Context, s Surroundings) Report {
	config, warnings := store.LoadConfig(s.Dirs)
	var r Report
	r.terminal(s)
	r.keys(config)
	r.agent(s, config)
	r.reviewer(ctx, s, config)
	r.git(ctx, s)
	r.hooks(ctx, s)
	r.store(s)
	r.config(s, warnings)
	r.versions(s.Build)
	return r
}

func (r *Report) ok(what, format string, args ...any) {
	*r = append(*r, Check{Level: OK, What: what, Detail: fmt.Sprintf(format, args...)})
}

func (r *Report) warn(what, detail, todo string) {
	*r = append(*r, Check{Level: Warn, What: what, Detail: detail, Todo: todo})
}

func (r *Report) fail(what, detail, todo string) {
	*r = append(*r, Check{Level: Fail, What: what, Detail: detail, Todo: todo})
}

// Count is how many findings have the level.
func (r Report) Count(level Level) int {
	n := 0
	for _, c := range r {
		if c.Level == level {
			n++
		}
	}
	return n
}

// Text writes a line a finding, and below one that is not right what to do.
// Everything in it is clean.
func (r Report) Text(w io.Writer) error {
	wide := 0
	for _, c := range r {
		wide = max(wide, text.Width(text.Line(c.What)))
	}
	var b bytes.Buffer
	for _, c := range r {
		fmt.Fprintf(&b, "%-4s  %s  %s\n", c.Level, text.Pad(text.Line(c.What), wide), text.Line(c.Detail))
		if c.Todo != "" {
			fmt.Fprintf(&b, "      %s  -> %s\n", text.Pad("", wide), text.Line(c.Todo))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// JSON writes the findings as one object. Texts are as they were found, with what
// could act on a terminal escaped.
func (r Report) JSON(w io.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(struct {
		Failed   int    `json:"failed"`
		Warnings int    `json:"warnings"`
		Checks   Report `json:"checks"`
	}{r.Count(Fail), r.Count(Warn), r})
	if err != nil {
		return err
	}
	_, err = w.Write(text.EscapeJSON(b.Bytes()))
	return err
}
