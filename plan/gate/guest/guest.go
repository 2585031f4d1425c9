// Package guest keeps the plans of other agents: what they hand over for review
// becomes revisions in the same store as planmode's own, one plan for each session of
// theirs, and what the person decides is recorded there. planmode cannot make those
// agents read-only; it only holds what was decided on which bytes.
package guest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/gate/waiter"
	"planmode/plan/text"
	"planmode/store"
)

// Agent is another agent's session.
type Agent struct {
	Harness string // its name, such as "claude"
	Session string // as the agent calls it
	Cwd     string
}

// Key names the session in manifests.
func (a Agent) Key() string { return a.Harness + ":" + a.Session }

// Plan is a revision that an agent submitted.
type Plan struct {
	Ref   plan.Ref
	Title string
	Text  []byte // the stored bytes
}

// ErrNone reports an agent that has no plan here.
var ErrNone = errors.New("this session has submitted no plan")

// lookback is how many plans are looked through for the one of a session, the newest
// first.
const lookback = 2000

// Find is the plan of the agent's session that is not closed yet.
func Find(st *store.Store, a Agent) (plan.Manifest, error) {
	ids, err := st.PlanIDs()
	if err != nil {
		return plan.Manifest{}, fmt.Errorf("look for the plan of %s: %w", a.Key(), err)
	}
	infos, err := st.PlanInfos(ids[:min(len(ids), lookback)])
	if err != nil {
		return plan.Manifest{}, fmt.Errorf("look for the plan of %s: %w", a.Key(), err)
	}
	for _, p := range infos {
		if p.Problem == "" && slices.Contains(p.Sessions, a.Key()) {
			return st.Manifest(p.ID)
		}
	}
	return plan.Manifest{}, ErrNone
}

// Submit stores a text as the next revision of the session's plan, or as the first of
// a new one after that was completed or abandoned; the title alone never starts a new
// plan. A text that is the current revision already is that revision. Characters that
// cannot be seen are written out, since nobody could review them.
func Submit(st *store.Store, a Agent, markdown string) (Plan, error) {
	normal, err := Normal(markdown)
	if err != nil {
		return Plan{}, err
	}
	doc := document.Parse(normal)
	sub := store.Submission{
		Session: a.Key(), Cwd: a.Cwd, Title: title(normal), Text: normal, Author: plan.ByAgent, Language: doc.Language(), Steps: doc.Steps(),
	}
	m, err := Find(st, a)
	switch {
	case errors.Is(err, ErrNone):
	case err != nil:
		return Plan{}, err
	case !m.Settled():
		sub.Plan = m.PlanID
	}
	_, ref, err := st.Submit(sub)
	if errors.Is(err, store.ErrUnchanged) {
		ref, _ = m.Ref(m.CurrentRevision)
		return Plan{Ref: ref, Title: m.Title, Text: normal}, nil
	}
	if err != nil {
		return Plan{}, err
	}
	return Plan{Ref: ref, Title: sub.Title, Text: normal}, nil
}

// Normal is the form in which a text is kept.
func Normal(markdown string) ([]byte, error) {
	return document.Normalise([]byte(text.Visible([]byte(markdown))))
}

// title is the first heading of a plan, else its first words.
func title(markdown []byte) string {
	plain := ""
	for line := range strings.Lines(string(markdown)) {
		line = strings.TrimSpace(line)
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.TrimSpace(heading) != "" {
			plain = heading
			break
		}
		if plain == "" {
			plain = line
		}
	}
	t, err := document.CleanTitle(text.Truncate(text.Line(plain), 80))
	if err != nil {
		return "Plan"
	}
	return t
}

// Decide records what the person decided on p in review id. An approval is recorded
// only while the stored bytes are still those that were shown.
func Decide(st *store.Store, a Agent, p Plan, id string, answer waiter.Answer) error {
	d := plan.Decision{Revision: p.Ref.Revision, Hash: p.Ref.Hash, By: plan.ByUser, Session: a.Key(), Review: plan.ReviewID("gate-" + id), Notes: answer.Outcome.Feedback}
	switch answer.Outcome.Decision() {
	case "approved":
		if shown := plan.HashOf(answer.Text.Markdown); shown != p.Ref.Hash {
			return fmt.Errorf("approve %s: the person saw %s", p.Ref, shown.Short())
		}
		d.Kind = plan.DecidedApproved
	case "annotated":
		d.Kind = plan.DecidedChanges
	default:
		d.Kind = plan.DecidedCancelled
	}
	_, err := st.Decide(p.Ref.Plan, d)
	return err
}

// Complete records that the agent says the work of revision n of its plan m is done,
// with notes on it, while the stored bytes are still those that were approved.
func Complete(st *store.Store, a Agent, m plan.Manifest, n int, notes string) (plan.Manifest, error) {
	ref, ok := m.Ref(n)
	if !ok || !m.WorkOf(n).Open() {
		return m, fmt.Errorf("revision %d of %q is not approved and open", n, m.PlanID)
	}
	return st.Decide(m.PlanID, plan.Decision{
		Revision: n, Hash: ref.Hash, Kind: plan.DecidedCompleted, By: plan.ByAgent, Session: a.Key(), Notes: notes,
	})
}
