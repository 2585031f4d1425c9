// Package transcript draws a conversation: the entries of a branch and what the
// running turn shows before it is an entry.
//
// Everything is drawn from what was recorded; no file is read. All text is taken
// as hostile and cleaned. Drawing costs what is visible, whatever the length of
// the conversation: items are rendered when they come into sight and kept. Long
// Markdown is not rendered here at all: it is shown as plain text, and Jobs
// hands out the work, which may be done on any goroutine and is taken back by
// Deliver. Apart from that a Transcript belongs to one goroutine.
package transcript

import (
	"planmode/plan"
	"planmode/plan/proposal"
	"planmode/plan/session"
	"planmode/plan/tree"
	"planmode/tui/rows"
	"planmode/tui/theme"
	"slices"
)

// Transcript is a window on a conversation. See New.
type Transcript struct {
	t        *theme.Theme
	version  string // of t
	key      string
	expanded bool
	list     *rows.List
	width    int // of the last View; the list is never drawn at another

	nodes []node
	calls map[string]int   // call id to its node
	draft int              // revision of the attached draft, 0 for none
	plans bool             // planning, as the entries so far leave it
	open  map[string][]int // calls without a result, and the entries that are quiet for them

	live     session.Live
	tail     arriving
	changes  uint64 // of what is live
	resets   uint64
	rendered *rendered
	spare    int // bytes of Markdown that this frame may still render
}

// New makes an empty transcript that follows its end. key is the key that
// expands the nodes, in words.
func New(t *theme.Theme, key string) *Transcript {
	tr := &Transcript{key: key, rendered: newRendered()}
	tr.list = rows.New(tr)
	tr.SetTheme(t)
	tr.Reset()
	return tr
}

// Reset forgets the conversation and follows the end of the next one.
func (tr *Transcript) Reset() {
	tr.nodes, tr.calls, tr.open = nil, map[string]int{}, map[string][]int{}
	tr.draft, tr.plans = 0, false
	tr.resets++
	tr.SetLive(session.Live{})
	tr.list.Top()
	tr.list.Follow()
}

// SetTheme changes the appearance.
func (tr *Transcript) SetTheme(t *theme.Theme) {
	tr.t, tr.version = t, t.Version()
	tr.list.SetTheme(tr.version)
}

// SetExpanded shows the details of all nodes, or folds them.
func (tr *Transcript) SetExpanded(on bool) { tr.expanded = on }

// Expanded says whether details are shown.
func (tr *Transcript) Expanded() bool { return tr.expanded }

// Entries is the number of entries taken in so far.
func (tr *Transcript) Entries() int { return len(tr.nodes) }

// Prepared is an entry with what Append must know of it.
type Prepared struct {
	item       session.Item
	call, name string // of a call or a result
}

// Prepare reads what Append must know of entries. It may take long for many, and
// may run on any goroutine.
func Prepare(items []session.Item) []Prepared {
	out := make([]Prepared, len(items))
	for i, it := range items {
		out[i].item = it
		if it.Kind != tree.KindToolCall && it.Kind != tree.KindToolResult {
			continue
		}
		// What cannot be read is drawn as damaged; it then belongs to no call.
		if c, err := tree.Decode[tree.ToolCall](it); err == nil {
			out[i].call, out[i].name = c.Call, c.Name
		}
	}
	return out
}

// Append adds the next entries of the branch.
func (tr *Transcript) Append(items []Prepared) {
	tr.nodes = slices.Grow(tr.nodes, len(items))
	for i := range items {
		tr.add(&items[i])
	}
}

func (tr *Transcript) add(e *Prepared) {
	kind := e.item.Kind
	n := node{item: e.item, gap: tr.gap(kind), quiet: tr.told(kind), parked: tr.draft, planning: tr.plans, called: len(tr.open) > 0}
	switch {
	case kind == tree.KindUser, kind == tree.KindAssistant:
		for call := range tr.open { // one that was never answered tells nothing any more
			tr.hush(call, false)
		}
		clear(tr.open)
	case kind == tree.KindToolCall && e.call != "":
		tr.calls[e.call] = len(tr.nodes)
		if e.name == "submit_plan" || e.name == "complete_plan" {
			tr.open[e.call] = nil
		}
	case kind == tree.KindToolResult && e.call != "":
		tr.hush(e.call, true)
		delete(tr.open, e.call)
		if i, ok := tr.calls[e.call]; ok {
			tr.nodes[i].result, tr.nodes[i].live = &e.item, nil
			tr.nodes[i].change++
			n.item.Kind = kindShownElsewhere
		}
	}
	tr.follow(e.item)
	tr.sayOnce(kind)
	tr.nodes = append(tr.nodes, n)
}

// sayOnce hides the line of a change of mode when planmode goes on to say in its
// own words what that means.
func (tr *Transcript) sayOnce(next plan.Kind) {
	last := len(tr.nodes) - 1
	if next != tree.KindNotice || last < 0 {
		return
	}
	switch tr.nodes[last].item.Kind {
	case plan.KindPlanningEntered, plan.KindRevisionAttached, plan.KindPlanningLeft, plan.KindDraftDetached, tree.KindPermissionMode:
		tr.nodes[last].quiet = true
		tr.nodes[last].change++
	}
}

// kindShownElsewhere marks a result that is drawn with its call.
const kindShownElsewhere plan.Kind = "\x00shown"

// follow keeps which draft is attached, for the line that planning leaves.
func (tr *Transcript) follow(it session.Item) {
	ev, ok, err := tree.Event(it)
	if !ok || err != nil {
		return
	}
	switch e := ev.(type) {
	case plan.PlanningEntered:
		tr.plans = true
		if !e.Continue {
			tr.draft = 0
		}
	case plan.RevisionAttached:
		tr.plans = true
		tr.draft = e.Ref.Revision
	case plan.RevisionSubmitted:
		tr.draft = e.Ref.Revision
	case plan.PlanningLeft:
		tr.plans = false
	case plan.PlanApproved:
		tr.plans, tr.draft = false, 0
	case plan.DraftDetached:
		tr.draft = 0
	}
}

// told says whether an open managed call will tell what the next entry, of this
// kind, does.
func (tr *Transcript) told(k plan.Kind) bool {
	switch k {
	case plan.KindChangesRequested, plan.KindReviewClosed, tree.KindAnnotations:
		for call := range tr.open {
			tr.open[call] = append(tr.open[call], len(tr.nodes))
		}
		return len(tr.open) > 0
	}
	return false
}

// hush hides the entries that an open call tells, or shows them when it turns
// out that it was left behind and will not.
func (tr *Transcript) hush(call string, quiet bool) {
	for _, i := range tr.open[call] {
		if n := &tr.nodes[i]; n.quiet != quiet {
			n.quiet = quiet
			n.change++
		}
	}
}

// gap says whether a blank line comes before a node of kind k: calls stand
// together, and everything else alone.
func (tr *Transcript) gap(k plan.Kind) bool {
	if len(tr.nodes) == 0 || k == tree.KindPermission {
		return false
	}
	if k != tree.KindToolCall && k != tree.KindToolResult {
		return true
	}
	for i := len(tr.nodes) - 1; i >= 0; i-- {
		switch tr.nodes[i].item.Kind {
		case kindShownElsewhere, tree.KindPermission, tree.KindAnswer:
			continue
		case tree.KindToolCall, tree.KindToolResult:
			return false
		}
		return true
	}
	return false
}

// SetLive replaces what the running turn shows.
func (tr *Transcript) SetLive(l session.Live) {
	for _, c := range tr.live.Calls {
		tr.setLiveCall(c.ID, nil)
	}
	tr.live = l
	for i := range l.Calls {
		tr.setLiveCall(l.Calls[i].ID, &l.Calls[i])
	}
	for call := range tr.open {
		i, known := tr.calls[call]
		tr.hush(call, known && tr.nodes[i].live != nil)
	}
	tr.changes++
}

func (tr *Transcript) setLiveCall(id string, c *session.LiveCall) {
	if i, ok := tr.calls[id]; ok && tr.nodes[i].result == nil {
		tr.nodes[i].live = c
		tr.nodes[i].change++
	}
}

// View draws height lines of width cells.
func (tr *Transcript) View(width, height int) []string {
	tr.width, tr.spare = width, onTheSpot
	return tr.list.View(width, height)
}

// List is the window, for scrolling.
func (tr *Transcript) List() *rows.List { return tr.list }

// Len implements rows.Source: the entries, and one item for what is live.
func (tr *Transcript) Len() int { return len(tr.nodes) + 1 }

// Key implements rows.Source.
func (tr *Transcript) Key(i int) rows.Key {
	version := tr.changes << 2
	id := "live"
	if i < len(tr.nodes) {
		n := &tr.nodes[i]
		id = string(n.item.ID)
		version = uint64(n.change) << 2
		if n.item.Kind == tree.KindAssistant && tr.rendered.has(tr.markdownKey(id)) {
			version |= 2
		}
	}
	if tr.expanded {
		version |= 1
	}
	return rows.Key{ID: id, Version: version | tr.resets<<40}
}

// Render implements rows.Source.
func (tr *Transcript) Render(i, width int) []string {
	if width <= 0 {
		return nil
	}
	p := pen{t: tr.t, width: width, expanded: tr.expanded, key: tr.key}
	if i == len(tr.nodes) {
		return tr.renderLive(p)
	}
	n := &tr.nodes[i]
	var lines []string
	switch n.item.Kind {
	case kindShownElsewhere:
		return nil
	case tree.KindAssistant:
		lines = decoded(p, n.item, func(a tree.Assistant) []string { return tr.assistant(p, string(n.item.ID), a, n.planning) })
	default:
		lines = n.render(p)
	}
	if n.gap && len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// LastAnswer is the text of the last message of the agent, without the tags of a
// plan in it; false if there is none.
func (tr *Transcript) LastAnswer() (string, bool) {
	for i := len(tr.nodes) - 1; i >= 0; i-- {
		if tr.nodes[i].item.Kind != tree.KindAssistant {
			continue
		}
		if a, err := tree.Decode[tree.Assistant](tr.nodes[i].item); err == nil && a.Text != "" {
			return proposal.Untagged(a.Text), true
		}
	}
	return "", false
}
