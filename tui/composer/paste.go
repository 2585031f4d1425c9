package composer

import (
	"fmt"
	"strings"
	"unicode"

	"planmode/plan/image"
	"planmode/plan/text"
)

// A paste larger than this becomes a chip: the text area redraws all its text on
// every key.
const (
	maxInlineLines = 50
	maxInlineBytes = 8 << 10
	maxMarks       = 32 // on one letter
)

// MaxText is the size of the longest text that can be written, in bytes. It is
// far beyond what any model reads at once, and small enough to be saved and
// cleaned without a stall.
const MaxText = 4 << 20

// TooLong refuses size bytes of text, and says what to do.
func TooLong(size int) Outcome {
	return Outcome{Kind: Refused, Text: fmt.Sprintf("Not pasted: %d MB, and %d MB is the most. Save it in a file, name it with @",
		(size+1<<20-1)>>20, MaxText>>20)}
}

// chip stands in the text for a long paste or an image. Its label is one unit: the
// keys that would change a part of it delete it whole, or act behind it.
type chip struct {
	label   string
	content string
	image   bool
}

func tooLong(s string) bool {
	return len(s) > maxInlineBytes || strings.Count(s, "\n")+1 > maxInlineLines || stacked(s)
}

// stacked says whether marks are piled up on one letter beyond any language. The
// text area takes time by the square of their number.
func stacked(s string) bool {
	run := 0
	for _, r := range s {
		if run++; r < 0x300 || !unicode.Is(unicode.M, r) {
			run = 0
		}
		if run > maxMarks {
			return true
		}
	}
	return false
}

// makeChip labels content with a label that the text does not hold yet.
func makeChip(content, inText string) chip {
	size := fmt.Sprintf("%d lines", strings.Count(strings.TrimSuffix(content, "\n"), "\n")+1)
	if !strings.Contains(strings.TrimSuffix(content, "\n"), "\n") {
		size = fmt.Sprintf("%d KiB", max(len(content)>>10, 1))
	}
	label := "[Pasted " + size + "]"
	for n := 2; strings.Contains(inText, label); n++ {
		label = fmt.Sprintf("[Pasted %s #%d]", size, n)
	}
	return chip{label: label, content: content}
}

// expand puts the content of every chip in the place of its label. It goes over
// the text once, so that content that looks like a label stays as it is.
func expand(s string, chips []chip) string {
	var pairs []string
	for _, c := range chips {
		pairs = append(pairs, c.label, c.content)
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// Paste inserts text at the cursor, cleaned; a long one as a chip. One that is too
// long is refused, and nothing changes.
func (c *Composer) Paste(s string) Outcome {
	if size := len(s) + c.size(); size > MaxText {
		return TooLong(size)
	}
	s = text.Clean(s)
	if s == "" {
		return Outcome{Kind: Used}
	}
	c.leaveChip()
	c.naming.paste(image.Pasted(s))
	if tooLong(s) {
		made := makeChip(s, c.box.Value())
		c.chips = append(c.chips, made)
		s = made.label
	}
	c.box.Insert(s)
	return c.changed()
}

// size is that of the text with its chips.
func (c *Composer) size() int {
	n := c.box.area.Length()
	for _, ch := range c.chips {
		n += len(ch.content)
	}
	return n
}

// leaveChip moves the cursor out of a label, to its end.
func (c *Composer) leaveChip() {
	runes, column := c.box.line()
	for _, ch := range c.chips {
		label := []rune(ch.label)
		for start := 0; start+len(label) <= len(runes); start++ {
			if start < column && column < start+len(label) && string(runes[start:start+len(label)]) == ch.label {
				c.box.moveRight(start + len(label) - column)
				return
			}
		}
	}
}

// deleteChip deletes the label that a deleting key would damage, and says
// whether there was one.
func (c *Composer) deleteChip(key string) bool {
	c.leaveChip()
	before, after := c.box.Before(), c.box.After()
	switch key {
	case "backspace", "ctrl+h":
		return c.deleteLabel(before, before)
	case "alt+backspace", "ctrl+w", "ctrl+backspace":
		return c.deleteLabel(before, strings.TrimRight(before, " "))
	case "delete", "ctrl+d":
		return c.deleteLabelAfter(after, after)
	case "alt+delete", "alt+d", "ctrl+delete":
		return c.deleteLabelAfter(after, strings.TrimLeft(after, " "))
	}
	return false
}

func (c *Composer) deleteLabel(before, trimmed string) bool {
	for _, ch := range c.chips {
		if strings.HasSuffix(trimmed, ch.label) {
			return c.box.deleteBack(len([]rune(ch.label)) + len(before) - len(trimmed))
		}
	}
	return false
}

func (c *Composer) deleteLabelAfter(after, trimmed string) bool {
	for _, ch := range c.chips {
		if strings.HasPrefix(trimmed, ch.label) {
			return c.box.deleteForward(len([]rune(ch.label)) + len(after) - len(trimmed))
		}
	}
	return false
}
