package composer

import (
	"fmt"
	"strings"

	"planmode/plan/image"
	"planmode/plan/text"
	"planmode/tui/keymap"
)

const maxPopupRows = 6

// Query asks for files that match what was typed after an @. The answer is
// given to Files with the same number; an answer to an older question is dropped.
type Query struct {
	Seq    int
	Prefix string
}

type candidate struct {
	insert string
	label  string
	detail string
}

// popup offers completions of the word before the cursor.
type popup struct {
	open     bool
	word     string // what a completion replaces
	items    []candidate
	selected int // -1 when Enter should send rather than accept
	closed   bool
	seq      int
}

// complete looks at the text before the cursor and opens, fills or closes the
// popup. It returns a query when files have to be looked up.
func (c *Composer) complete() *Query {
	c.popup.open, c.popup.closed = false, false
	before := c.box.Before()
	if strings.HasPrefix(before, "/") && c.box.area.Line() == 0 && c.box.area.LineCount() == 1 {
		c.offerCommands(before)
		return nil
	}
	at := strings.LastIndexByte(before, '@')
	if at < 0 || at > 0 && !image.BeforeMention(lastRune(before[:at])) {
		return nil
	}
	word := before[at:]
	if strings.ContainsAny(word, " \t") {
		return nil
	}
	c.popup.seq++
	c.popup.word = word
	return &Query{Seq: c.popup.seq, Prefix: word[1:]}
}

func lastRune(s string) rune {
	runes := []rune(s)
	return runes[len(runes)-1]
}

func (c *Composer) offerCommands(before string) {
	name, rest, hasArg := strings.Cut(before, " ")
	var items []candidate
	for _, cmd := range c.commands {
		switch {
		case !hasArg && strings.HasPrefix(cmd.Name, strings.ToLower(name)):
			insert := cmd.Name
			if len(cmd.Args) > 0 {
				insert += " "
			}
			items = append(items, candidate{insert, cmd.Name, cmd.Does})
		case hasArg && cmd.Name == name:
			for _, arg := range cmd.Args {
				if strings.HasPrefix(arg.Name, strings.ToLower(rest)) {
					items = append(items, candidate{arg.Name, arg.Name, arg.Does})
				}
			}
		}
	}
	word := name
	if hasArg {
		word = rest
	}
	selected := 0
	if hasArg && rest == "" {
		selected = -1
	}
	c.offer(word, items, selected)
}

func (c *Composer) offer(word string, items []candidate, selected int) {
	c.popup.word, c.popup.items, c.popup.selected = word, items, selected
	c.popup.open = len(items) > 0
}

// Files answers a query with paths, best first. They are cleaned; a path that
// cleaning changes could not be typed, and is left out.
func (c *Composer) Files(seq int, paths []string) {
	if seq != c.popup.seq || c.popup.closed || !strings.HasSuffix(c.box.Before(), c.popup.word) || !strings.HasPrefix(c.popup.word, "@") {
		return
	}
	var items []candidate
	for _, p := range paths {
		if p == "" || text.Line(p) != p {
			continue
		}
		insert := "@" + p + " "
		switch {
		case strings.ContainsAny(p, " \t"):
			insert = "@\"" + p + "\" "
		case strings.HasSuffix(p, "/"): // what is in it is offered next
			insert = "@" + p
		}
		items = append(items, candidate{insert: insert, label: p})
	}
	selected := 0
	if strings.HasSuffix(c.popup.word, "/") { // a directory may be meant as it is
		selected = -1
	}
	c.offer(c.popup.word, items, selected)
}

// popupKey handles a key while the popup is open; false when it is not for it.
func (c *Composer) popupKey(name string) (Outcome, bool) {
	p := &c.popup
	switch {
	case name == "esc":
		p.open, p.closed = false, true
		return Outcome{Kind: Used}, true
	case c.keys.Has(name, keymap.HistoryPrev), name == "ctrl+p":
		p.selected = (max(p.selected, 0) + len(p.items) - 1) % len(p.items)
		return Outcome{Kind: Used}, true
	case c.keys.Has(name, keymap.HistoryNext), name == "ctrl+n":
		p.selected = (p.selected + 1) % len(p.items)
		return Outcome{Kind: Used}, true
	case c.keys.Has(name, keymap.Accept):
		return c.accept(max(p.selected, 0)), true
	case c.keys.Has(name, keymap.Submit):
		if p.selected < 0 || strings.TrimRight(p.items[p.selected].insert, " ") == p.word {
			return Outcome{}, false
		}
		return c.accept(p.selected), true
	}
	return Outcome{}, false
}

func (c *Composer) accept(i int) Outcome {
	insert, word := c.popup.items[i].insert, c.popup.word
	c.popup.open = false
	c.box.deleteBack(len([]rune(word)))
	c.box.Insert(insert)
	out := c.changed()
	// What was just completed needs no offer of itself.
	if c.popup.open && len(c.popup.items) == 1 && c.popup.items[0].insert == insert {
		c.popup.open = false
	}
	return out
}

// moreBelow says on the last row in sight how many completions follow.
func (c *Composer) moreBelow(at int, lastRow bool) string {
	n := len(c.popup.items) - at - 1
	if !lastRow || n == 0 {
		return ""
	}
	return c.theme.Dim.Render(fmt.Sprintf("%s %d more", c.theme.Glyphs.Down, n))
}

func (c *Composer) popupView(width, height int) []string {
	p := &c.popup
	rows := min(len(p.items), height, maxPopupRows)
	if !p.open || rows <= 0 {
		return nil
	}
	first := min(max(p.selected-rows/2, 0), len(p.items)-rows)
	column := 0
	for _, it := range p.items {
		column = max(column, text.Width(it.label))
	}
	column = min(column, max(width/2, 8))
	out := make([]string, rows)
	for i := range out {
		it := p.items[first+i]
		line := "  " + text.Pad(it.label, column)
		if it.detail != "" {
			line += "  " + it.detail
		}
		if first+i == p.selected {
			// The pointer of either glyph set is one cell wide.
			line = c.theme.Glyphs.Pointer + line[1:]
			out[i] = c.theme.Selection.Render(c.theme.Fit(line, width))
			continue
		}
		if it.detail != "" {
			line = "  " + text.Pad(it.label, column) + "  " + c.theme.Dim.Render(it.detail)
		}
		out[i] = c.theme.Spread(line, c.moreBelow(first+i, i == rows-1), width)
	}
	return out
}
