package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/store"
	"planmode/tui/changes"
	"planmode/tui/overlay"
	"planmode/tui/plans"
)

// PlanStore is what the browser reads of the stored plans. Its methods may block.
type PlanStore interface {
	PlanIDs() ([]plan.ID, error)
	PlanInfos([]plan.ID) ([]store.PlanInfo, error)
	Manifest(plan.ID) (plan.Manifest, error)
	Revision(plan.Ref) ([]byte, error)
}

var _ PlanStore = (*store.Store)(nil)

// Plans is what `/plans` works with. The functions may block.
type Plans struct {
	Store   PlanStore
	Adopt   func(context.Context, plan.ID) error                    // continues a plan in this session
	Discard func(plan.ID) error                                     // marks a draft as discarded
	Export  func(id plan.ID, revision int) (path string, err error) // writes a new file
	About   func(context.Context, plan.Manifest) (lines []string)   // what changed since its approval; may be nil
	Diff    func(context.Context) error                             // shows what changed since the approval
	// Annotate shows what is named in the reviewer, AnnotateLast the last answer; the
	// notes go to the agent.
	Annotate     func(ctx context.Context, name string) error
	AnnotateLast func(context.Context) error
}

// firstPlans is how many plans the first screen of the browser waits for.
const firstPlans = 100

// browsing is the browser of plans while it is open.
type browsing struct {
	seq  int // of the answers that count
	list *plans.Browser
	page *plans.Page
}

// plansMsg brings plans for the list; rest are those that are not read yet.
type plansMsg struct {
	seq   int
	known []store.PlanInfo
	rest  []plan.ID
	err   error
}

// planPageMsg brings what the page of a plan shows.
type planPageMsg struct {
	seq   int
	id    plan.ID
	m     plan.Manifest
	about []string
	info  []store.PlanInfo
	err   error
}

// planActMsg brings the outcome of an act on a plan.
type planActMsg struct {
	then func(*model) tea.Cmd
}

// openPlans begins the browser: the newest plans first, so that the first screen
// does not wait for all of them.
func (m *model) openPlans() tea.Cmd {
	if m.opts.Plans == nil {
		return m.tell(warned, "Plans cannot be listed here")
	}
	m.browsing.seq++
	seq, s := m.browsing.seq, m.opts.Plans.Store
	return func() tea.Msg {
		ids, err := s.PlanIDs()
		if err != nil {
			return plansMsg{seq: seq, err: err}
		}
		n := min(len(ids), firstPlans)
		known, err := s.PlanInfos(ids[:n])
		store.SortPlans(known)
		return plansMsg{seq, known, ids[n:], err}
	}
}

// plansCame shows the first plans, and then all.
func (m *model) plansCame(msg plansMsg) tea.Cmd {
	switch {
	case msg.seq != m.browsing.seq:
		return nil
	case msg.err != nil:
		return m.tell(failed, "The plans could not be listed: "+msg.err.Error())
	}
	if m.browsing.list != nil {
		m.browsing.list.Set(msg.known, len(msg.rest))
		return nil
	}
	b := plans.NewBrowser(m.plansOptions(), msg.known, len(msg.rest))
	m.browsing.list = b
	show := m.raise(layer{dialog: b, press: func(k tea.KeyPressMsg) (any, bool) {
		id, closed := b.Key(k)
		if closed {
			m.browsing = browsing{seq: m.browsing.seq + 1}
		}
		return id, closed
	}, act: func(answer any) tea.Cmd { return m.openPage(answer.(plan.ID)) }})
	if len(msg.rest) == 0 {
		return show
	}
	s := m.opts.Plans.Store
	return tea.Batch(show, func() tea.Msg {
		all, err := s.PlanInfos(msg.rest)
		all = append(all, msg.known...)
		store.SortPlans(all)
		return plansMsg{seq: msg.seq, known: all, err: err}
	})
}

func (m *model) plansOptions() plans.Options {
	return plans.Options{Theme: m.th, Now: m.opts.Now, Dir: m.view.Dir, Home: m.opts.Home}
}

// openPage shows one plan and reads the rest of it.
func (m *model) openPage(id plan.ID) tea.Cmd {
	info, ok := m.browsing.list.Known(id)
	if !ok {
		return nil
	}
	p := plans.NewPage(m.plansOptions(), info)
	m.browsing.page = p
	return tea.Batch(m.raise(layer{dialog: p, press: func(k tea.KeyPressMsg) (any, bool) {
		out, closed := p.Key(k)
		return out, closed
	}, act: func(answer any) tea.Cmd { return m.planAct(p, answer.(plans.Outcome)) }}), m.readPage(id))
}

func (m *model) readPage(id plan.ID) tea.Cmd {
	seq, ctx, o := m.browsing.seq, m.ctx, m.opts.Plans
	return func() tea.Msg {
		msg := planPageMsg{seq: seq, id: id}
		if msg.m, msg.err = o.Store.Manifest(id); msg.err != nil {
			return msg
		}
		if infos, err := o.Store.PlanInfos([]plan.ID{id}); err == nil {
			msg.info = infos
		}
		if o.About != nil {
			msg.about = o.About(ctx, msg.m)
		}
		return msg
	}
}

func (m *model) pageCame(msg planPageMsg) {
	if msg.seq != m.browsing.seq || m.browsing.list == nil {
		return
	}
	for _, info := range msg.info {
		m.browsing.list.Update(info)
	}
	if p := m.browsing.page; p != nil && p.Plan() == msg.id {
		p.Load(msg.m, msg.err)
		lines := make([]string, len(msg.about))
		for i, l := range msg.about {
			lines[i] = m.th.Warning.Render(m.th.Glyphs.Bang + " " + text.Line(l))
		}
		p.Note(lines...)
	}
}

// planAct does what the person wants of a plan.
func (m *model) planAct(p *plans.Page, out plans.Outcome) tea.Cmd {
	switch out.Act {
	case plans.Read:
		return m.withRevision(out.Plan, func(title, body string) tea.Cmd {
			return m.showPlan(planTextMsg{title: title, markdown: body})
		}, out.Revision)
	case plans.Copy:
		return m.withRevision(out.Plan, func(title, body string) tea.Cmd {
			return tea.Batch(tea.SetClipboard(body), m.openSaid(title+" was given to the clipboard"))
		}, out.Revision)
	case plans.Compare:
		return m.comparePlans(out)
	case plans.Log:
		return m.readManifest(out.Plan, func(mf plan.Manifest) tea.Cmd {
			m.open("Decisions", archive.LogText(mf))
			return nil
		})
	case plans.Export:
		return m.exportPlan(out)
	case plans.Continue:
		return m.readManifest(out.Plan, m.confirmContinue)
	case plans.Discard:
		return m.readManifest(out.Plan, m.confirmDiscard)
	}
	return nil
}

// openSaid says the outcome of an act over the browser, which hides the line that
// otherwise says it.
func (m *model) openSaid(s string) tea.Cmd {
	m.open("Plans", s)
	return nil
}

// withRevision reads a revision, verified, and goes on with its text.
func (m *model) withRevision(id plan.ID, then func(title, body string) tea.Cmd, n int) tea.Cmd {
	s := m.opts.Plans.Store
	return m.acting(func() (func(*model) tea.Cmd, error) {
		title, body, err := revisionOf(s, id, n)
		return func(*model) tea.Cmd { return then(title, body) }, err
	})
}

func revisionOf(s PlanStore, id plan.ID, n int) (title, body string, err error) {
	mf, err := s.Manifest(id)
	if err != nil {
		return "", "", err
	}
	ref, ok := mf.Ref(n)
	if !ok {
		return "", "", store.ErrNoRevision
	}
	b, err := s.Revision(ref)
	return fmt.Sprintf("%s · r%d", text.Line(mf.Revisions[n-1].Title), n), string(b), err
}

func (m *model) readManifest(id plan.ID, then func(plan.Manifest) tea.Cmd) tea.Cmd {
	s := m.opts.Plans.Store
	return m.acting(func() (func(*model) tea.Cmd, error) {
		mf, err := s.Manifest(id)
		return func(*model) tea.Cmd { return then(mf) }, err
	})
}

// acting runs what may block, and then goes on in the loop, unless the browser was
// closed meanwhile.
func (m *model) acting(run func() (func(*model) tea.Cmd, error)) tea.Cmd {
	seq := m.browsing.seq
	return func() tea.Msg {
		then, err := run()
		return planActMsg{func(m *model) tea.Cmd {
			switch {
			case seq != m.browsing.seq:
				return nil
			case err != nil:
				return m.openSaid("That did not work: " + err.Error())
			}
			return then(m)
		}}
	}
}

func (m *model) comparePlans(out plans.Outcome) tea.Cmd {
	s := m.opts.Plans.Store
	return m.acting(func() (func(*model) tea.Cmd, error) {
		_, old, err := revisionOf(s, out.Plan, out.Old)
		title, fresh, err2 := revisionOf(s, out.Plan, out.Revision)
		d := changes.Of(old, fresh)
		return func(m *model) tea.Cmd {
			render := func(width int) []string {
				if len(d.Hunks) == 0 {
					return []string{m.th.Muted.Render("The two revisions have the same text.")}
				}
				return d.Draw(m.th, width)
			}
			head := fmt.Sprintf("r%d %s %s · +%d -%d", out.Old, m.th.Glyphs.Arrow, title, d.Added, d.Removed)
			v := overlay.NewRendered(m.th.Signs(head), render, m.th)
			return m.raise(layer{dialog: v, press: func(k tea.KeyPressMsg) (any, bool) { return nil, v.Key(k) }})
		}, errors.Join(err, err2)
	})
}

func (m *model) exportPlan(out plans.Outcome) tea.Cmd {
	export := m.opts.Plans.Export
	if export == nil {
		return m.openSaid("Plans cannot be exported here")
	}
	return m.acting(func() (func(*model) tea.Cmd, error) {
		path, err := export(out.Plan, out.Revision)
		return func(m *model) tea.Cmd {
			return m.openSaid(fmt.Sprintf("r%d was written, with the decisions on it, to %s", out.Revision, path))
		}, err
	})
}

// confirmContinue asks before a plan goes on in this session.
func (m *model) confirmContinue(mf plan.Manifest) tea.Cmd {
	id, adopt := mf.PlanID, m.opts.Plans.Adopt
	if adopt == nil {
		return m.openSaid("Plans cannot be continued here")
	}
	body := []string{"It goes on in this session, in " + text.Line(m.view.Dir) + "; what other sessions recorded stays as it is."}
	if mf.Cwd != m.view.Dir {
		body = append(body, "It was made in "+text.Line(mf.Cwd)+".")
	}
	what := fmt.Sprintf("The draft r%d", mf.CurrentRevision)
	if mf.ApprovedRevision > 0 {
		what = fmt.Sprintf("The approved r%d", mf.ApprovedRevision)
		if adopted := mf.CurrentRevision; adopted != mf.ApprovedRevision {
			what += fmt.Sprintf(" or the later r%d, as you choose,", adopted)
		}
	}
	body[0] = what + strings.TrimPrefix(body[0], "It")
	about := m.opts.Plans.About
	ctx := m.ctx
	return m.acting(func() (func(*model) tea.Cmd, error) {
		if about != nil {
			body = append(body, about(ctx, mf)...)
		}
		return func(m *model) tea.Cmd {
			return m.confirm(session.Confirmation{
				Title: fmt.Sprintf("Continue %q here?", text.Line(mf.Title)), Body: strings.Join(body, "\n"),
				Yes: "Continue here", No: "Leave it",
			}, func() tea.Cmd {
				m.closePlans()
				return m.planning(func(ctx context.Context) error { return adopt(ctx, id) })
			})
		}, nil
	})
}

// confirmDiscard asks before a draft is marked as discarded. The draft at hand is
// let go of by the session itself.
func (m *model) confirmDiscard(mf plan.Manifest) tea.Cmd {
	id, discard := mf.PlanID, m.opts.Plans.Discard
	if p := m.view.State.Planning; p != nil && p.Plan == id {
		m.closePlans()
		return m.plan("discard")
	}
	if discard == nil {
		return m.openSaid("Plans cannot be discarded here")
	}
	return m.confirm(session.Confirmation{
		Title: fmt.Sprintf("Discard the draft r%d of %q?", mf.CurrentRevision, text.Line(mf.Title)),
		Body:  "It is only marked as discarded: every file is kept, and it can still be read here.",
		Yes:   "Discard", No: "Keep it",
	}, func() tea.Cmd {
		return m.acting(func() (func(*model) tea.Cmd, error) {
			return func(m *model) tea.Cmd { return m.readPage(id) }, discard(id)
		})
	})
}

// confirm asks, and does yes on yes.
func (m *model) confirm(q session.Confirmation, yes func() tea.Cmd) tea.Cmd {
	d := overlay.NewConfirm(q, m.th, m.opts.Now)
	return m.raise(layer{dialog: d, press: answers(d.Key), then: func(answer any) tea.Cmd {
		if answer == true {
			return yes()
		}
		return nil
	}})
}

// closePlans takes the browser away.
func (m *model) closePlans() {
	for i := len(m.layers) - 1; i >= 0; i-- {
		switch m.layers[i].dialog.(type) {
		case *plans.Browser, *plans.Page:
			m.lower(i)
		}
	}
	m.browsing = browsing{seq: m.browsing.seq + 1}
}

// diff shows what changed in the work tree since the plan at hand was approved.
func (m *model) diff() tea.Cmd {
	if m.opts.Plans == nil || m.opts.Plans.Diff == nil {
		return m.tell(warned, "Changes cannot be shown here")
	}
	return m.planning(m.opts.Plans.Diff)
}
