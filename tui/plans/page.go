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
	"planmode/tui/overlay"
	"planmode/tui/theme"
)

// Act is what the person wants of a plan.
type Act int

// The acts.
const (
	Nothing  Act = iota
	Read         // the revision
	Compare      // Old with Revision
	Copy         // the text of the revision
	Export       // the revision, to a file
	Log          // who decided what
	Continue     // here
	Discard      // the draft
)

// Outcome is an act and what it is about.
type Outcome struct {
	Act      Act
	Plan     plan.ID
	Revision int
	Old      int // for Compare
}

// Page is one plan with its revisions.
type Page struct {
	o      Options
	info   store.PlanInfo
	m      plan.Manifest
	ready  bool
	wrong  string
	extra  []string // what else is known, a line each; clean
	at     int      // index of the selected revision
	mark   int      // a revision to compare with; 0 for none
	scroll int
}

// NewPage shows what the list knows of a plan until Load gives the rest.
func NewPage(o Options, info store.PlanInfo) *Page {
	return &Page{o: o, info: info, wrong: text.Line(info.Problem)}
}

// Plan is the plan the page is about.
func (p *Page) Plan() plan.ID { return p.info.ID }

// Load gives the page the manifest, or why it cannot be read. The selection stays
// on its revision, or else is on the latest.
func (p *Page) Load(m plan.Manifest, err error) {
	if err != nil {
		p.wrong = text.Line(err.Error())
		return
	}
	if !p.ready || p.at >= len(m.Revisions) {
		p.at = len(m.Revisions) - 1
	}
	p.m, p.ready, p.wrong = m, true, ""
}

// Note adds what was found out about the plan.
func (p *Page) Note(lines ...string) { p.extra = lines }

// SetTheme changes the appearance.
func (p *Page) SetTheme(th *theme.Theme) { p.o.Theme = th }

// letters are the acts on a plan and their keys.
var letters = []struct {
	key  string
	name string
	act  Act
}{
	{"enter", "read", Read}, {"h", "continue here", Continue}, {"c", "compare", Compare}, {"d", "discard", Discard},
	{"l", "decisions", Log}, {"y", "copy", Copy}, {"e", "export", Export},
}

// Key handles a key; closed leaves the page.
func (p *Page) Key(msg tea.KeyPressMsg) (out Outcome, closed bool) {
	name := msg.String()
	switch name {
	case "esc", "q":
		return Outcome{}, true
	case "up", "k", "ctrl+p":
		p.at = max(p.at-1, 0)
		return Outcome{}, false
	case "down", "j", "ctrl+n":
		p.at = max(min(p.at+1, len(p.m.Revisions)-1), 0)
		return Outcome{}, false
	case "pgup":
		p.scroll -= 5
	case "pgdown":
		p.scroll += 5
	case "m", "space":
		if p.mark = p.at + 1; !p.ready {
			p.mark = 0
		}
		return Outcome{}, false
	}
	if !p.ready {
		return Outcome{}, false
	}
	for _, l := range letters {
		if l.key == strings.ToLower(name) && p.can(l.act) {
			return p.outcome(l.act), false
		}
	}
	return Outcome{}, false
}

func (p *Page) outcome(a Act) Outcome {
	return Outcome{Act: a, Plan: p.info.ID, Revision: p.at + 1, Old: p.old()}
}

// old is the revision to compare with: the marked one, else the one that the
// selected one is based on.
func (p *Page) old() int {
	if p.mark > 0 && p.mark != p.at+1 {
		return p.mark
	}
	if r := p.m.Find(p.at + 1); r != nil {
		return r.BasedOn
	}
	return 0
}

// can says whether an act makes sense now.
func (p *Page) can(a Act) bool {
	current := p.m.StatusOf(p.m.CurrentRevision)
	switch a {
	case Compare:
		return p.old() > 0
	case Discard:
		return current == plan.StatusDraft || current == plan.StatusChangesRequested
	case Continue:
		return current != plan.StatusDiscarded || p.m.ApprovedRevision > 0
	}
	return true
}

// View draws at most height lines of exactly width cells.
func (p *Page) View(width, height int) []string {
	th := p.o.Theme
	panel := overlay.Panel{Title: text.Line(p.info.Title), Body: p.body(width), Scroll: p.scroll, Focus: p.at, Hint: p.hint(width)}
	if p.ready {
		panel.Rows = p.revisions(width)
	}
	l := panel.Draw(th, width, height)
	p.scroll = l.Scroll
	return l.Lines
}

// body is what is known of the whole plan.
func (p *Page) body(width int) []string {
	th := p.o.Theme
	if p.wrong != "" {
		return th.Wrap(th.Error.Render("It cannot be read: "+p.wrong), width)
	}
	dot := " " + th.Glyphs.Dot + " "
	var out []string
	add := func(s string) { out = append(out, th.Wrap(s, width)...) }
	add(th.Muted.Render(shorten(text.Line(p.info.Cwd), p.o.Home, max(width, 8), th) + dot + text.Count(len(p.info.Sessions), "session")))
	add(th.Dim.Render(string(p.info.ID)))
	for _, line := range p.extra {
		add(line)
	}
	if !p.ready {
		add(th.Dim.Render("reading" + th.Glyphs.Ellipsis))
		return out
	}
	if reach, ok := archive.ReachOf(p.m, p.at+1); ok {
		add(th.Text.Render("Planned and changed: " + archive.Files(both(reach), 0)))
		add(th.Text.Render("Changed, not planned: " + archive.Files(reach.Unplanned, reach.More)))
		add(th.Text.Render("Planned, not changed: " + archive.Files(reach.Untouched, 0)))
	}
	return out
}

// both are the files that were planned and changed.
func both(r archive.Reach) []string {
	var out []string
	for _, f := range r.Touched {
		if slices.Contains(r.Named, f) {
			out = append(out, f)
		}
	}
	return out
}

func (p *Page) revisions(width int) []string {
	th := p.o.Theme
	out := make([]string, len(p.m.Revisions))
	for i, r := range p.m.Revisions {
		pointer := "  "
		if i == p.at {
			pointer = th.Glyphs.Pointer + " "
		}
		mark := ""
		if p.mark == i+1 {
			mark = " (marked)"
		}
		left := fmt.Sprintf("%sr%-3d %s%s", pointer, r.Revision, p.word(r.Revision), mark)
		if width >= wide && r.Title != p.info.Title {
			left += "  " + text.Line(r.Title)
		}
		right := fmt.Sprintf("%s %s %s", r.Hash.Short(), by(r), ago(p.o.Now(), r.CreatedAt.Time))
		if i == p.at {
			out[i] = th.Selection.Render(th.Spread(left, right, width))
			continue
		}
		out[i] = th.Spread(th.Text.Render(left), th.Dim.Render(right), width)
	}
	return out
}

func by(r plan.Revision) string {
	if r.Author == plan.ByUser {
		return "yours"
	}
	return text.Line(string(r.Author))
}

func ago(now, t time.Time) string { return fmt.Sprintf("%4s", since(now, t)) }

// word says how one revision stands.
func (p *Page) word(n int) string {
	status := p.m.StatusOf(n)
	if status == plan.StatusChangesRequested {
		return "changes requested"
	}
	if status != plan.StatusApproved {
		return string(status)
	}
	word := "approved"
	if a := p.m.Approval(n); a != nil && a.Kind == plan.DecidedAutoApproved {
		word = "auto-approved, not reviewed"
	}
	if w := p.m.WorkOf(n); !w.Open() {
		word += ", " + string(w)
	}
	return word
}

// hint names the keys that do something now, as many as fit.
func (p *Page) hint(width int) string {
	th := p.o.Theme
	dot := " " + th.Glyphs.Dot + " "
	parts := []string{}
	if p.ready {
		for _, l := range letters {
			if p.can(l.act) {
				key := l.key
				if key == "enter" {
					key = "Enter"
				}
				parts = append(parts, key+" "+l.name)
			}
		}
		if len(p.m.Revisions) > 2 {
			parts = append(parts, "m mark")
		}
	}
	for len(parts) > 0 && text.Width(strings.Join(append(slices.Clone(parts), "Esc back"), dot)) > width {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(append(parts, "Esc back"), dot)
}
