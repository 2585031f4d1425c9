// Package theme holds the colours, glyphs and line geometry that every part of
// the screen draws with. A Theme is built once per appearance and never changes,
// so it may be shared and its Version may key caches.
//
// Strings given to the geometry helpers may carry styling, but must already be
// clean: escape sequences of untrusted text are removed before, by package
// plan/text. The helpers never fail; a width of zero or less yields nothing.
package theme

import (
	"fmt"

	"charm.land/lipgloss/v2"
)

// Options choose an appearance.
type Options struct {
	Dark    bool // the background is dark
	ASCII   bool // draw with ASCII only, for terminals with wide ambiguous glyphs
	NoColor bool // tell things apart by weight alone
}

// Theme is one appearance: a style per role, and the glyphs.
type Theme struct {
	Options

	Text    lipgloss.Style // ordinary text, in the terminal's own colour
	Strong  lipgloss.Style // titles and what is armed
	Muted   lipgloss.Style // secondary text
	Dim     lipgloss.Style // hints and what is not armed
	Accent  lipgloss.Style
	Success lipgloss.Style
	Warning lipgloss.Style
	Error   lipgloss.Style

	Heading lipgloss.Style // Markdown headings
	Code    lipgloss.Style // inline code
	Quote   lipgloss.Style // block quotes and quoted lines
	Link    lipgloss.Style

	Added       lipgloss.Style // a line that was added
	Removed     lipgloss.Style
	AddedWord   lipgloss.Style // the words of it that changed
	RemovedWord lipgloss.Style
	Hunk        lipgloss.Style // the @@ line of a diff
	LineNumber  lipgloss.Style

	Selection lipgloss.Style // the row the cursor is on
	Border    lipgloss.Style
	Prompt    lipgloss.Style // the sign before the text being typed

	Glyphs Glyphs
}

// New builds the theme for the options.
func New(o Options) *Theme {
	t := &Theme{Options: o, Glyphs: unicodeGlyphs}
	if o.ASCII {
		t.Glyphs = asciiGlyphs
	}
	if o.NoColor {
		t.plain()
		return t
	}
	t.coloured(paletteFor(o.Dark))
	return t
}

// Version names the appearance; two themes of one version draw the same.
func (t *Theme) Version() string {
	return fmt.Sprintf("dark=%t ascii=%t plain=%t", t.Dark, t.ASCII, t.NoColor)
}

func (t *Theme) coloured(p palette) {
	s := lipgloss.NewStyle
	t.Text = s()
	t.Strong = s().Bold(true)
	t.Muted = s().Foreground(p.muted)
	t.Dim = s().Foreground(p.dim)
	t.Accent = s().Foreground(p.accent)
	t.Success = s().Foreground(p.success)
	t.Warning = s().Foreground(p.warning)
	t.Error = s().Foreground(p.danger)
	t.Heading = s().Foreground(p.accent).Bold(true)
	t.Code = s().Foreground(p.code)
	t.Quote = s().Foreground(p.muted).Italic(true)
	t.Link = s().Foreground(p.accent).Underline(true)
	t.Added = s().Foreground(p.success)
	t.Removed = s().Foreground(p.danger)
	t.AddedWord = s().Foreground(p.success).Background(p.addedBack).Bold(true)
	t.RemovedWord = s().Foreground(p.danger).Background(p.removedBack).Bold(true)
	t.Hunk = s().Foreground(p.code)
	t.LineNumber = s().Foreground(p.dim)
	t.Selection = s().Background(p.selection).Foreground(p.onSelection).Bold(true)
	t.Border = s().Foreground(p.border)
	t.Prompt = s().Foreground(p.accent).Bold(true)
}

// plain uses only attributes that a terminal without colours still shows.
func (t *Theme) plain() {
	s := lipgloss.NewStyle
	t.Text, t.Muted, t.Code, t.Hunk = s(), s(), s(), s()
	t.Strong, t.Accent, t.Heading, t.Prompt = s().Bold(true), s().Bold(true), s().Bold(true), s().Bold(true)
	t.Dim, t.LineNumber, t.Border = s().Faint(true), s().Faint(true), s().Faint(true)
	t.Success, t.Warning, t.Error = s().Bold(true), s().Bold(true), s().Bold(true)
	t.Quote = s().Italic(true)
	t.Link = s().Underline(true)
	t.Added, t.Removed = s(), s()
	t.AddedWord = s().Bold(true).Underline(true)
	t.RemovedWord = s().Bold(true).Strikethrough(true)
	t.Selection = s().Reverse(true)
}
