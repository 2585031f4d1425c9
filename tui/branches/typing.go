package branches

import (
	tea "charm.land/bubbletea/v2"

	"planmode/plan/text"
	"planmode/tui/composer"
)

// write opens the box for a search or a label.
func (b *Browser) write(what input, begin string) {
	if what == labelling && b.selected() < 0 {
		return
	}
	prompt := "/ "
	if what == labelling {
		prompt = "label: "
	}
	b.box, b.typing = composer.NewBox(b.th, prompt), what
	b.box.SetValue(begin)
}

func (b *Browser) typingKey(msg tea.KeyPressMsg) Outcome {
	switch msg.String() {
	case "esc":
		if b.typing == searching {
			b.query = ""
			b.rebuild()
		}
		b.box = nil
	case "enter":
		was, value := b.typing, text.Line(b.box.Value())
		b.box = nil
		if was == labelling {
			o := b.outcome(Label)
			o.Text = value
			return o
		}
	case "up", "down", "pgup", "pgdown":
		b.moved(msg.String())
	default:
		b.box.Key(msg)
		b.typed()
	}
	return Outcome{}
}

// typed follows a search as it is typed.
func (b *Browser) typed() {
	if b.typing != searching {
		return
	}
	if q := text.Line(b.box.Value()); q != b.query {
		b.query = q
		b.rebuild()
	}
}

// readingKey handles the keys of the whole preview.
func (b *Browser) readingKey(name string) {
	page := max(b.height-1, 1)
	switch name {
	case "up", "k":
		b.scrolled--
	case "down", "j":
		b.scrolled++
	case "pgup", "b":
		b.scrolled -= page
	case "pgdown", "space":
		b.scrolled += page
	case "home", "g":
		b.scrolled = 0
	case "end", "G":
		b.scrolled = 1 << 30
	default:
		b.reading = false
	}
	b.scrolled = max(b.scrolled, 0)
}

// Cursor is where the cursor stands in the last view.
func (b *Browser) Cursor() (x, y int, shown bool) {
	if b.box == nil {
		return 0, 0, false
	}
	x, y = b.box.Cursor()
	return x, y + b.boxRow, true
}
