package branches

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/tui/composer"
	"planmode/tui/rows"
	"planmode/tui/theme"
)

// Action is what the person wants done.
type Action int

// The actions. All but Close and None name an entry.
const (
	None   Action = iota
	Close         // put the browser away
	Go            // go on from the entry
	Fork          // go on from it in a new session
	Label         // give it the label in Text; an empty one takes it away
	Search        // give me a Haystack
)

// Outcome is what came of a key.
type Outcome struct {
	Do    Action
	Entry plan.EntryID
	Text  string
}

// Browser shows the tree of a session. See New.
type Browser struct {
	th     *theme.Theme
	now    time.Time
	source *Source
	list   *rows.List
	filter Filter
	folded map[plan.EntryID]bool
	out    outline
	height int // of the list in the last view

	query    string // what is searched for
	hay      *Haystack
	found    found
	asked    bool          // the haystack is on its way
	box      *composer.Box // of the search or the label that is being typed
	typing   input
	boxRow   int
	reading  bool // the preview has the whole height
	scrolled int  // lines of it above the window
	version  uint64
}

// input is what the box is for.
type input int

const (
	nothing input = iota
	searching
	labelling
)

// New shows the messages and plans, at the end of the path in use. The time is for
// the age of entries.
func New(s *Source, th *theme.Theme, now time.Time) *Browser {
	b := &Browser{th: th, now: now, source: s, folded: map[plan.EntryID]bool{}}
	b.list = rows.New(listed{b})
	b.list.SetTheme(th.Version())
	b.list.Decorate = b.decorate
	b.build(s.leaf)
	return b
}

// SetTheme changes the appearance.
func (b *Browser) SetTheme(th *theme.Theme) {
	b.th = th
	b.list.SetTheme(th.Version())
	if b.box != nil {
		b.box.SetTheme(th)
	}
}

// build makes the outline anew and selects the entry, or what stands for it.
func (b *Browser) build(entry int) {
	shown := make([]bool, len(b.source.entries))
	for i := range shown {
		e := &b.source.entries[i]
		_, labelled := b.source.labels[e.ID]
		shown[i] = b.filter.lets(e, labelled)
	}
	if b.query != "" && b.hay != nil {
		shown = b.match(shown)
	}
	b.out = b.source.flatten(shown, b.folded)
	b.version++
	at := -1
	if entry >= 0 {
		at = b.source.nearest(&b.out, entry)
	}
	if at < 0 {
		at = len(b.out.rows) - 1
	}
	b.list.Select(at)
}

// rebuild keeps the selected entry.
func (b *Browser) rebuild() { b.build(b.selected()) }

// selected is the index of the selected entry, -1 if there is none.
func (b *Browser) selected() int {
	if at := b.list.Selected(); at >= 0 && at < len(b.out.rows) {
		return int(b.out.rows[at].entry)
	}
	return -1
}

// Deliver takes the haystack that was asked for.
func (b *Browser) Deliver(h Haystack) {
	if len(h.of) == len(b.source.entries) {
		b.hay = &h
		b.rebuild()
	}
}

// Labelled shows that an entry was labelled.
func (b *Browser) Labelled(entry plan.EntryID, label string) {
	delete(b.source.labels, entry)
	if label = text.Line(label); label != "" {
		b.source.labels[entry] = label
	}
	b.rebuild()
}

// Paste adds to what is being typed.
func (b *Browser) Paste(s string) {
	if b.box == nil {
		return
	}
	b.box.Insert(text.Line(s))
	b.typed()
}

// outcome is an action on the selected entry; none when nothing is selected.
func (b *Browser) outcome(do Action) Outcome {
	if at := b.selected(); at >= 0 {
		return Outcome{Do: do, Entry: b.source.entries[at].ID}
	}
	return Outcome{}
}

// Key handles a key.
func (b *Browser) Key(msg tea.KeyPressMsg) Outcome {
	switch {
	case b.box != nil:
		return b.typingKey(msg)
	case b.reading:
		b.readingKey(msg.String())
		return Outcome{}
	}
	name := msg.String()
	if b.moved(name) {
		return Outcome{}
	}
	switch name {
	case "esc", "q":
		if name == "esc" && b.query != "" {
			b.query = ""
			b.rebuild()
			return Outcome{}
		}
		return Outcome{Do: Close}
	case "enter":
		return b.outcome(Go)
	case "f":
		return b.outcome(Fork)
	case "left", "h":
		b.fold()
	case "right", "l":
		b.unfold()
	case "tab":
		b.filter = (b.filter + 1) % filters
		b.rebuild()
	case "shift+tab":
		b.filter = (b.filter + filters - 1) % filters
		b.rebuild()
	case "space", "p":
		b.reading, b.scrolled = b.selected() >= 0, 0
	case "L", "e":
		b.write(labelling, b.source.labels[b.selectedID()])
	case "/":
		b.write(searching, b.query)
		if b.hay == nil && !b.asked {
			b.asked = true
			return Outcome{Do: Search}
		}
	}
	return Outcome{}
}

func (b *Browser) selectedID() plan.EntryID {
	if at := b.selected(); at >= 0 {
		return b.source.entries[at].ID
	}
	return ""
}

// moved handles the keys that only move.
func (b *Browser) moved(name string) bool {
	at, page := b.list.Selected(), max(b.height-1, 1)
	switch name {
	case "up", "k", "ctrl+p":
		at--
	case "down", "j", "ctrl+n":
		at++
	case "pgup", "ctrl+b":
		at -= page
	case "pgdown", "ctrl+f":
		at += page
	case "home", "g":
		at = 0
	case "end", "G":
		at = len(b.out.rows) - 1
	case ".":
		if at = b.source.nearest(&b.out, b.source.leaf); at < 0 {
			at = len(b.out.rows) - 1
		}
	default:
		return false
	}
	b.list.Select(max(min(at, len(b.out.rows)-1), 0))
	return true
}

// fold hides what follows the selected node or, where that is done or nothing
// follows, goes to the fork before it.
func (b *Browser) fold() {
	at := b.list.Selected()
	if at < 0 {
		return
	}
	r := b.out.rows[at]
	if r.forks > 0 && r.under == 0 && r.head == int32(at) || r.forks > 1 && r.under == 0 {
		b.folded[b.source.entries[r.entry].ID] = true
		b.rebuild()
		return
	}
	if r.head >= 0 && r.head != int32(at) {
		b.list.Select(int(r.head))
	} else if at > 0 && r.head >= 0 {
		b.list.Select(b.before(at))
	}
}

// before is the row of the fork that a branch begins at.
func (b *Browser) before(head int) int {
	entry := b.source.parent[b.out.rows[head].entry]
	if entry < 0 {
		return 0
	}
	return max(b.source.nearest(&b.out, int(entry)), 0)
}

// unfold shows what a fold hid or, where none did, goes to the next node.
func (b *Browser) unfold() {
	at := b.list.Selected()
	if at < 0 {
		return
	}
	id := b.source.entries[b.out.rows[at].entry].ID
	if b.folded[id] {
		delete(b.folded, id)
		b.rebuild()
		return
	}
	b.moved("down")
}
