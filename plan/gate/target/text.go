// Package target finds what a gate is asked to review and reads it: a file, a
// folder, a page, standard input, or the one of several words that is any of these.
//
// Everything it reads was written by others: sizes, times and redirects are bounded,
// special files are refused before they are opened, and what is not UTF-8 is made so.
// A target that cannot be reviewed is an *Error with the exact words for the caller;
// nothing is ever guessed between two targets.
package target

import (
	"strings"

	"planmode/plan/gate"
	"planmode/plan/text"
)

// Source is where a text came from.
type Source string

// The sources.
const (
	FromFile    Source = "file"
	FromFolder  Source = "folder"
	FromURL     Source = "url"
	FromStdin   Source = "stdin"
	FromMessage Source = "message" // of an agent
	FromHook    Source = "hook"    // a plan that a harness handed over
)

// Text is what is reviewed. Markdown is what the person sees, and what every
// decision is about.
type Text struct {
	Subject   gate.Subject `json:"subject"`
	Path      string       `json:"path,omitempty"` // canonical, or the address; empty if it has none
	Name      string       `json:"name"`           // for people, one line
	Markdown  []byte       `json:"markdown"`
	Source    Source       `json:"source"`
	Converted bool         `json:"converted,omitempty"` // lines count in Markdown, not in what was read
	Plain     bool         `json:"plain,omitempty"`     // it is not meant as Markdown: settings, a table, a log
	Parts     []Part       `json:"parts,omitempty"`     // of a folder: where each file is in Markdown
}

// Part is one file of a folder.
type Part struct {
	Path string `json:"path"` // relative to the folder
	Line int    `json:"line"` // of Markdown, where its first line is
	Size int    `json:"size"` // in lines
}

// Key names what is reviewed from one gate to the next: a file seen again is
// compared with what this person saw last. Texts without a name of their own have
// none.
func (t Text) Key() string {
	if t.Path == "" {
		return ""
	}
	return string(t.Source) + ":" + t.Path
}

// FileName is what the copy is called: the reviewer shows it, and names it in notes.
func FileName(name string) string {
	name = strings.TrimSuffix(text.Line(name), ".md")
	name = strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r == 0 {
			return '-'
		}
		return r
	}, name)
	name = strings.Trim(text.TruncateWith(name, 60, ""), " .-")
	if name == "" {
		return "text"
	}
	return name
}
