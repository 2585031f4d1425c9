package plans

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
	"planmode/tui/composer"
	"planmode/tui/rows"
	"planmode/tui/theme"
)

// Options are what a browser is made for.
type Options struct {
	Theme *theme.Theme
	Now   func() time.Time
	Dir   string // the working directory, for the filter of this directory
	Home  string // shown as "~"
}

// statuses are the filters by status, in the order of the key that goes through
// them; the first is all.
var statuses = []string{"", "draft", "changes_requested", "open", "completed", "abandoned", "discarded", "damaged", "newer"}

// ages are the filters by age.
var ages = []struct {
	name  string
	since time.Duration
}{{"", 0}, {"1 day", 24 * time.Hour}, {"1 week", 7 * 24 * time.Hour}, {"30 days", 30 * 24 * time.Hour}}

// Browser lists the plans. It can be shown before all of them are known.
type Browser struct {
	o     Options
	all   []store.PlanInfo
	hay   []string // lower case, what is searched
	more  int      // plans that are not known yet
	box   *composer.Box
	list  *rows.List
	match []int // into all

	status, age int
	here        bool
	query       string
	boxRow      int
	version     uint64
}

// NewBrowser shows the plans known so far; more is how many will follow.
func NewBrowser(o Options, known []store.PlanInfo, more int) *Browser {
	b := &Browser{o: o, box: composer.NewBox(o.Theme, "> ")}
	b.list = rows.New(source{b})
	b.list.Decorate = b.decorate
	b.list.SetTheme(o.Theme.Version())
	b.Set(known, more)
	return b
}

// Set changes the list; the selection stays on its plan.
func (b *Browser) Set(all []store.PlanInfo, more int) {
	id := b.Selected()
	b.all, b.more = all, more
	b.hay = make([]string, len(all))
	for i, p := range all {
		b.hay[i] = strings.ToLower(text.Line(p.Title) + "\n" + string(p.ID) + "\n" + p.Cwd)
	}
	b.narrow(id)
}

// Update changes one plan of the list.
func (b *Browser) Update(p store.PlanInfo) {
	i := slices.IndexFunc(b.all, func(q store.PlanInfo) bool { return q.ID == p.ID })
	if i >= 0 {
		all := slices.Clone(b.all)
		all[i] = p
		b.Set(all, b.more)
	}
}

// Selected is the plan the cursor is on; empty if there is none.
func (b *Browser) Selected() plan.ID {
	if i := b.list.Selected(); i >= 0 && i < len(b.match) {
		return b.all[b.match[i]].ID
	}
	return ""
}

// Known is what the list knows of a plan.
func (b *Browser) Known(id plan.ID) (store.PlanInfo, bool) {
	for _, p := range b.all {
		if p.ID == id {
			return p, true
		}
	}
	return store.PlanInfo{}, false
}

// narrow finds the plans that the filters take and puts the cursor on keep, or on
// the first.
func (b *Browser) narrow(keep plan.ID) {
	f := archive.PlanFilter{}
	if s := statuses[b.status]; s != "" {
		f.Status = []string{s}
	}
	if b.here {
		f.Dir = b.o.Dir
	}
	if a := ages[b.age]; a.since > 0 {
		f.Since = b.o.Now().Add(-a.since)
	}
	words := strings.Fields(b.query)
	b.match = b.match[:0]
	at := 0
	for i, p := range b.all {
		if !holdsAll(b.hay[i], words) || !f.Match(p) {
			continue
		}
		if p.ID == keep {
			at = len(b.match)
		}
		b.match = append(b.match, i)
	}
	b.version++
	b.list.Top()
	b.list.Select(min(at, len(b.match)-1))
}

func holdsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

// SetTheme changes the appearance.
func (b *Browser) SetTheme(th *theme.Theme) {
	b.o.Theme = th
	b.box.SetTheme(th)
	b.list.SetTheme(th.Version())
}

// Paste adds to what is searched for.
func (b *Browser) Paste(s string) {
	b.box.Insert(text.Line(s))
	b.searched()
}

func (b *Browser) searched() {
	if q := strings.ToLower(text.Line(b.box.Value())); q != b.query {
		b.query = q
		b.narrow("")
	}
}

// Key handles a key. A plan that is to be opened is returned while the browser
// stays; closed ends it.
func (b *Browser) Key(msg tea.KeyPressMsg) (open plan.ID, closed bool) {
	page := max(b.page(), 1)
	switch msg.String() {
	case "esc":
		return "", true
	case "enter":
		return b.Selected(), false
	case "up", "ctrl+p":
		b.move(-1)
	case "down", "ctrl+n":
		b.move(1)
	case "pgup":
		b.move(-page)
	case "pgdown":
		b.move(page)
	case "tab":
		b.status = (b.status + 1) % len(statuses)
		b.narrow(b.Selected())
	case "shift+tab":
		b.here = !b.here
		b.narrow(b.Selected())
	case "ctrl+t":
		b.age = (b.age + 1) % len(ages)
		b.narrow(b.Selected())
	default:
		b.box.Key(msg)
		b.searched()
	}
	return "", false
}

func (b *Browser) page() int {
	first, last := b.list.Visible()
	return last - first
}

func (b *Browser) move(by int) {
	b.list.Select(max(min(b.list.Selected()+by, len(b.match)-1), 0))
}

// title says what is shown of how many.
func (b *Browser) title() string {
	parts := []string{fmt.Sprintf("Plans (%d of %d)", len(b.match), len(b.all)+b.more)}
	if b.more > 0 {
		parts[0] += ", reading" + b.o.Theme.Glyphs.Ellipsis
	}
	if s := statuses[b.status]; s != "" {
		parts = append(parts, strings.ReplaceAll(s, "_", " "))
	}
	if b.here {
		parts = append(parts, "this directory")
	}
	if a := ages[b.age].name; a != "" {
		parts = append(parts, "last "+a)
	}
	return strings.Join(parts, " "+b.o.Theme.Glyphs.Dot+" ")
}
