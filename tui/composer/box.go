package composer

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planmode/plan/text"
	"planmode/tui/theme"
)

// Box is a plain multi-line text box: the composer's, and that of every dialog
// that takes text. It grows with its text up to the height it is drawn in, and
// gives the place of the real cursor, which input methods need.
type Box struct {
	area   textarea.Model
	theme  *theme.Theme
	prompt string
	shown  int // first visible row
	x, y   int // cursor in the last view
}

// NewBox makes an empty box. The prompt stands before its first row.
func NewBox(th *theme.Theme, prompt string) *Box {
	b := &Box{area: textarea.New(), prompt: prompt}
	a := &b.area
	a.ShowLineNumbers = false
	a.CharLimit = 0
	a.MaxHeight, a.MaxWidth = 0, 0
	a.DynamicHeight = true
	a.SetVirtualCursor(false)
	a.KeyMap = editKeys()
	a.Focus()
	b.SetTheme(th)
	return b
}

// editKeys leaves out what would reach for the clipboard, select, scroll, or
// break the line: those are decided outside.
func editKeys() textarea.KeyMap {
	k := textarea.DefaultKeyMap()
	off := key.NewBinding(key.WithDisabled())
	k.InsertNewline, k.Paste, k.CopySelection = off, off, off
	k.PageUp, k.PageDown, k.InputBegin, k.InputEnd = off, off, off, off
	k.SelectAll, k.SelectLineUp, k.SelectLineDown = off, off, off
	k.SelectCharacterBackward, k.SelectCharacterForward = off, off
	k.SelectWordBackward, k.SelectWordForward = off, off
	k.TransposeCharacterBackward = off
	k.UppercaseWordForward, k.LowercaseWordForward, k.CapitalizeWordForward = off, off, off
	return k
}

// SetTheme changes the appearance.
func (b *Box) SetTheme(th *theme.Theme) {
	b.theme = th
	state := textarea.StyleState{Placeholder: th.Dim, Prompt: th.Prompt}
	styles := textarea.Styles{Focused: state, Blurred: state}
	styles.Cursor.Shape = tea.CursorBlock
	b.area.SetStyles(styles)
	width := ansi.StringWidth(b.prompt)
	b.area.SetPromptFunc(width, func(p textarea.PromptInfo) string {
		if p.LineNumber == 0 {
			return b.prompt
		}
		return strings.Repeat(" ", width)
	})
}

// Value is the text.
func (b *Box) Value() string { return b.area.Value() }

// SetValue replaces the text and puts the cursor at its end.
func (b *Box) SetValue(s string) {
	b.area.SetValue(text.Clean(s))
	b.shown = 0
}

// Empty says whether there is no text.
func (b *Box) Empty() bool { return b.area.Length() == 0 }

// Insert puts text at the cursor.
func (b *Box) Insert(s string) { b.area, _ = b.area.Update(tea.PasteMsg{Content: text.Clean(s)}) }

// Key gives the box a key and says whether it used it.
func (b *Box) Key(msg tea.KeyPressMsg) bool {
	if msg.String() == "backspace" {
		return b.deleteBack(b.lastCluster())
	}
	line, column, length := b.area.Line(), b.area.Column(), b.area.Length()
	b.area, _ = b.area.Update(tea.Msg(msg))
	return line != b.area.Line() || column != b.area.Column() || length != b.area.Length()
}

// lastCluster is how many characters before the cursor form one sign, so that a
// letter goes together with its accents.
func (b *Box) lastCluster() int {
	before, n := b.Before(), 0
	for before != "" {
		cluster, _ := ansi.FirstGraphemeCluster(before, ansi.GraphemeWidth)
		if cluster == "" {
			break
		}
		n = len([]rune(cluster))
		before = before[len(cluster):]
	}
	return max(n, 1)
}

// deleteBack deletes characters before the cursor.
func (b *Box) deleteBack(n int) bool {
	length := b.area.Length()
	for range n {
		b.area, _ = b.area.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
	return b.area.Length() != length
}

func (b *Box) deleteForward(n int) bool {
	length := b.area.Length()
	for range n {
		b.area, _ = b.area.Update(tea.KeyPressMsg{Code: tea.KeyDelete})
	}
	return b.area.Length() != length
}

func (b *Box) moveRight(n int) {
	for range n {
		b.area, _ = b.area.Update(tea.KeyPressMsg{Code: tea.KeyRight})
	}
}

// replace puts other text in the place of the first occurrence of old, and says
// whether there was one. The cursor stays where it stands between the words.
func (b *Box) replace(old, with string) bool {
	value := b.Value()
	at := strings.Index(value, old)
	if at < 0 {
		return false
	}
	cursor := len(b.Before())
	for _, line := range strings.Split(value, "\n")[:b.area.Line()] {
		cursor += len(line) + 1
	}
	switch {
	case cursor >= at+len(old):
		cursor += len(with) - len(old)
	case cursor > at:
		cursor = at + len(with)
	}
	value = value[:at] + with + value[at+len(old):]
	b.SetValue(value)
	for range []rune(value[cursor:]) {
		b.area, _ = b.area.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
	}
	return true
}

// line is the line the cursor is in, and the column in characters.
func (b *Box) line() ([]rune, int) {
	lines := strings.Split(b.area.Value(), "\n")
	n := b.area.Line()
	if n >= len(lines) {
		return nil, 0
	}
	runes := []rune(lines[n])
	return runes, min(max(b.area.Column(), 0), len(runes))
}

// Before is the text of the cursor's line before the cursor.
func (b *Box) Before() string {
	runes, column := b.line()
	return string(runes[:column])
}

// After is the text of the cursor's line after the cursor.
func (b *Box) After() string {
	runes, column := b.line()
	return string(runes[column:])
}

// OnFirstRow says whether moving up would leave the text.
func (b *Box) OnFirstRow() bool { return b.area.Line() == 0 && b.area.LineInfo().RowOffset == 0 }

// OnLastRow says whether moving down would leave the text.
func (b *Box) OnLastRow() bool {
	info := b.area.LineInfo()
	return b.area.Line() == b.area.LineCount()-1 && info.RowOffset >= info.Height-1
}

// View draws the box: as many rows as the text needs, from one up to height, of
// exactly width cells.
func (b *Box) View(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	// The text area sizes itself to its text; it measures rows by the width.
	b.area.SetWidth(width)
	rows := strings.Split(b.area.View(), "\n")
	height = min(height, len(rows))
	b.x, b.y = 0, 0
	if c := b.area.Cursor(); c != nil {
		b.x, b.y = min(max(c.X, 0), width-1), min(max(c.Y, 0), len(rows)-1)
	}
	b.shown = min(max(b.shown, b.y-height+1, 0), b.y, len(rows)-height)
	b.shown = max(b.shown, 0)
	b.y -= b.shown
	out := make([]string, height)
	for i := range out {
		row := strings.TrimRight(ansi.Strip(rows[b.shown+i]), " ")
		out[i] = b.theme.Fit(b.paint(row, b.shown+i == 0), width)
	}
	return out
}

// paint colours the prompt; the text keeps the terminal's own colour.
func (b *Box) paint(row string, first bool) string {
	if rest, ok := strings.CutPrefix(row, strings.TrimRight(b.prompt, " ")); ok && first {
		return b.theme.Prompt.Render(strings.TrimRight(b.prompt, " ")) + rest
	}
	return row
}

// Cursor is the place of the cursor in the last view.
func (b *Box) Cursor() (x, y int) { return b.x, b.y }

// highlight colours every occurrence of part in a row.
func highlight(row, part string, style lipgloss.Style) string {
	return strings.ReplaceAll(row, part, style.Render(part))
}
