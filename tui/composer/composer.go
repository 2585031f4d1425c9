// Package composer is where the person writes: a multi-line text with history,
// completion and chips for long pastes, and the plain text box that dialogs use.
//
// A Composer takes keys and returns outcomes; it never fails, does no I/O and
// never loses text: what is cleared or replaced can be recalled.
package composer

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/image"
	"planmode/tui/keymap"
	"planmode/tui/theme"
)

const maxRows = 8

// Kind says what a key did.
type Kind int

// The kinds of outcome.
const (
	Ignored   Kind = iota // the key is not for the composer
	Used                  // only the view changed
	Changed               // the text changed
	Submitted             // Text is to be sent; the composer is empty now
	Cleared               // the text was cleared, and is in the history
	Quit                  // the person wants to leave
	Refused               // nothing changed, and Text says why
)

// Outcome is what a key did.
type Outcome struct {
	Kind  Kind
	Text  string // of Submitted, chips expanded; of Refused, for the person
	Query *Query // files to look up, if any
	// Attach are images that the text names: of Changed, those to look for now;
	// of Submitted, those that nobody has looked for or found yet. Attached takes
	// the answer.
	Attach []image.Named
}

// Options configure a composer.
type Options struct {
	Theme    *theme.Theme
	Keys     *keymap.Map
	Commands []Command
	History  []string // earlier messages, oldest first
}

// Composer is the text being written.
type Composer struct {
	theme    *theme.Theme
	keys     *keymap.Map
	commands []Command
	box      *Box
	chips    []chip
	naming   naming
	history  history
	popup    popup
	x, y     int
}

// New makes an empty composer.
func New(o Options) *Composer {
	c := &Composer{theme: o.Theme, keys: o.Keys, commands: o.Commands, box: NewBox(o.Theme, "> ")}
	for _, s := range o.History {
		c.history.add(toDraft(s))
	}
	return c
}

// SetTheme changes the appearance.
func (c *Composer) SetTheme(th *theme.Theme) {
	c.theme = th
	c.box.SetTheme(th)
}

// Key handles a key press.
func (c *Composer) Key(msg tea.KeyPressMsg) Outcome {
	name := msg.String()
	if c.popup.open {
		if out, ok := c.popupKey(name); ok {
			return out
		}
	}
	switch {
	case c.keys.Has(name, keymap.Submit):
		return c.submit()
	case c.keys.Has(name, keymap.Newline):
		c.leaveChip()
		c.box.Insert("\n")
		return c.changed()
	case c.keys.Has(name, keymap.Clear) && !c.box.Empty():
		c.remember(c.box.Value())
		c.set(draft{})
		return Outcome{Kind: Cleared}
	case c.keys.Has(name, keymap.QuitEmpty) && c.box.Empty():
		return Outcome{Kind: Quit}
	case c.keys.Has(name, keymap.HistoryPrev) && c.box.OnFirstRow():
		return c.recall(-1)
	case c.keys.Has(name, keymap.HistoryNext) && c.box.OnLastRow():
		return c.recall(1)
	}
	return c.edit(msg, name)
}

func (c *Composer) edit(msg tea.KeyPressMsg, name string) Outcome {
	before := c.box.Value()
	if len(c.chips) > 0 {
		if c.deleteChip(name) {
			return c.changed()
		}
		if msg.Text != "" {
			c.leaveChip()
		}
	}
	used := c.box.Key(msg)
	switch {
	case c.box.Value() != before:
		return c.changed()
	case used:
		c.popup.open = false
		return Outcome{Kind: Used}
	}
	return Outcome{}
}

// changed lets go of chips whose label is gone, so that typing the same words
// later does not bring them back.
func (c *Composer) changed() Outcome {
	value := c.box.Value()
	c.chips = slices.DeleteFunc(c.chips, func(ch chip) bool { return !strings.Contains(value, ch.label) })
	return Outcome{Kind: Changed, Query: c.complete(), Attach: c.named()}
}

func (c *Composer) submit() Outcome {
	full := strings.TrimSpace(expand(c.box.Value(), c.chips))
	if full == "" {
		return Outcome{Kind: Used}
	}
	named := c.unattached()
	c.remember(c.box.Value())
	c.set(draft{})
	return Outcome{Kind: Submitted, Text: full, Attach: named}
}

// remember adds a text to the history, for recall.
func (c *Composer) remember(s string) {
	if s == c.box.Value() {
		c.history.add(draft{s, c.chips})
		return
	}
	c.history.add(toDraft(s))
}

func (c *Composer) recall(delta int) Outcome {
	d, ok := c.history.move(delta, draft{c.box.Value(), c.chips})
	if !ok {
		return Outcome{Kind: Used}
	}
	c.set(d)
	return Outcome{Kind: Changed}
}

func (c *Composer) set(d draft) {
	c.box.SetValue(d.text)
	c.chips = slices.Clone(d.chips)
	c.naming = naming{}
	c.popup.open = false
	c.popup.seq++
}

// toDraft makes a long text a chip, as a paste of it would be, and so the marks of
// images.
func toDraft(s string) draft {
	if !tooLong(s) {
		return withImages(s)
	}
	made := makeChip(s, "")
	return draft{made.label, []chip{made}}
}

// Empty says whether nothing is written.
func (c *Composer) Empty() bool { return c.box.Empty() }

// Text is what is written, chips expanded: the draft to keep.
func (c *Composer) Text() string { return expand(c.box.Value(), c.chips) }

// SetText replaces what is written. What was there goes to the history.
func (c *Composer) SetText(s string) {
	if !c.box.Empty() {
		c.remember(c.box.Value())
	}
	c.set(toDraft(s))
}

// PopupOpen says whether completions are offered, so that Esc is for them.
func (c *Composer) PopupOpen() bool { return c.popup.open }

// View draws the popup, if open, and below it the text: at most height lines of
// exactly width cells, and at most eight of them text.
func (c *Composer) View(width, height int) []string {
	body := c.box.View(width, min(height, maxRows))
	for i := range body {
		for _, ch := range c.chips {
			body[i] = highlight(body[i], ch.label, c.theme.Accent)
		}
	}
	lines := c.popupView(width, height-len(body))
	x, y := c.box.Cursor()
	c.x, c.y = x, y+len(lines)
	return append(lines, body...)
}

// Cursor is the place of the cursor in the last view.
func (c *Composer) Cursor() (x, y int) { return c.x, c.y }
