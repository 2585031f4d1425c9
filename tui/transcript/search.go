package transcript

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planmode/plan"
	"planmode/plan/proposal"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// Hit is an entry that a search can go to.
type Hit struct {
	Entry int    // for Reveal
	Label string // one line, clean
	Text  string // all that can be found in it
}

// searchWidth is how wide entries are drawn for a search.
const searchWidth = 160

// Searchable returns a function that lists the last entries that show anything,
// newest first. The function only reads copies, so it may run on any goroutine;
// drawing thousands of entries takes a moment.
func (tr *Transcript) Searchable(most int) func() []Hit {
	first := max(len(tr.nodes)-most, 0)
	nodes := append([]node(nil), tr.nodes[first:]...)
	p := pen{t: tr.t, width: searchWidth, key: tr.key}
	return func() []Hit {
		var hits []Hit
		for i := len(nodes) - 1; i >= 0; i-- {
			if said := nodes[i].plain(p); said != "" {
				hits = append(hits, Hit{Entry: first + i, Label: text.Line(text.Truncate(said, searchWidth)), Text: said})
			}
		}
		return hits
	}
}

// plain is the node without colours; empty if it shows nothing.
func (n *node) plain(p pen) string {
	switch n.item.Kind {
	case kindShownElsewhere:
		return ""
	case tree.KindAssistant:
		a, err := tree.Decode[tree.Assistant](n.item)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(text.Clean(proposal.Untagged(a.Text)))
	}
	return strings.TrimSpace(ansi.Strip(strings.Join(n.render(p), "\n")))
}

// Reveal shows an entry at the top of the view.
func (tr *Transcript) Reveal(entry int) {
	if entry >= 0 && entry < len(tr.nodes) {
		tr.list.ScrollTo(entry, 0)
	}
}

// landmarks are the entries that a person steps through: what happened to plans.
var landmarks = map[plan.Kind]bool{
	plan.KindPlanningEntered: true, plan.KindRevisionAttached: true, plan.KindRevisionSubmitted: true,
	plan.KindPlanApproved: true, plan.KindPlanningLeft: true,
	plan.KindWorkCompleted: true, plan.KindWorkAbandoned: true, plan.KindWorkAdopted: true, plan.KindWorkRecovered: true,
}

// Step goes to the next plan event after the one at the top of the view, or with
// back to the one before it; false if there is none.
func (tr *Transcript) Step(back bool) bool {
	at, _ := tr.list.Position()
	by := 1
	if back {
		by = -1
	}
	for i := at + by; i >= 0 && i < len(tr.nodes); i += by {
		if landmarks[tr.nodes[i].item.Kind] {
			tr.Reveal(i)
			return true
		}
	}
	return false
}
