package composer

import (
	"fmt"
	"slices"
	"strings"

	"planmode/plan/image"
)

// naming follows the images that the text names by their paths until there is an
// answer about each.
type naming struct {
	pasted []image.Named   // paths that were pasted, still without an answer
	asked  map[string]bool // by what stands in the text
}

func (n *naming) paste(named []image.Named) { n.pasted = append(n.pasted, named...) }

// ask leaves out what was asked before: no answer would be another one.
func (n *naming) ask(named []image.Named) []image.Named {
	var out []image.Named
	for _, m := range named {
		if n.asked[m.Raw] {
			continue
		}
		if n.asked == nil {
			n.asked = map[string]bool{}
		}
		n.asked[m.Raw] = true
		out = append(out, m)
	}
	return out
}

// named are the images that the text has come to name: pasted paths, and mentions
// that are written to their end.
func (c *Composer) named() []image.Named {
	value := c.box.Value()
	c.naming.pasted = slices.DeleteFunc(c.naming.pasted, func(m image.Named) bool { return !strings.Contains(value, m.Raw) })
	return c.naming.ask(append(slices.Clone(c.naming.pasted), image.Mentions(value, true)...))
}

// unattached are the images that the text names when it is sent.
func (c *Composer) unattached() []image.Named {
	return append(slices.Clone(c.naming.pasted), image.Mentions(c.box.Value(), false)...)
}

// Attached puts the chip of an image in the place of what named it. Nothing
// happens when that is not there any more.
func (c *Composer) Attached(raw string, ref image.Ref) Outcome {
	c.Unattached(raw)
	made := imageChip(ref, c.box.Value())
	if !c.box.replace(raw, made.label) {
		return Outcome{Kind: Used}
	}
	c.chips = append(c.chips, made)
	return c.changed()
}

// Unattached lets a path that names no image be text like any other.
func (c *Composer) Unattached(raw string) {
	c.naming.pasted = slices.DeleteFunc(c.naming.pasted, func(m image.Named) bool { return m.Raw == raw })
}

// InsertImage puts the chip of an image at the cursor.
func (c *Composer) InsertImage(ref image.Ref) Outcome {
	c.leaveChip()
	made := imageChip(ref, c.box.Value())
	c.chips = append(c.chips, made)
	c.box.Insert(made.label + " ")
	return c.changed()
}

// Images is how many images the text shows.
func (c *Composer) Images() int { return len(image.Marks(c.Text())) }

// imageChip labels an image with a label that the text does not hold yet.
func imageChip(ref image.Ref, inText string) chip {
	return imageChipFor(ref.Label(), ref.Mark(), inText)
}

func imageChipFor(label, mark, inText string) chip {
	free := label
	for n := 2; strings.Contains(inText, free); n++ {
		free = fmt.Sprintf("%s #%d]", strings.TrimSuffix(label, "]"), n)
	}
	return chip{label: free, content: mark, image: true}
}

// withImages is a text with chips in the place of its marks.
func withImages(s string) draft {
	var d draft
	for _, m := range image.Marks(s) {
		before, after, _ := strings.Cut(s, m.Mark)
		made := imageChipFor(m.Label, m.Mark, d.text+before)
		d.chips = append(d.chips, made)
		d.text += before + made.label
		s = after
	}
	d.text += s
	return d
}
