package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/session"
	"planmode/tui/composer"
	"planmode/tui/keymap"
	"planmode/tui/theme"
	"planmode/tui/transcript"
)

// model is the one Bubble Tea model. Its fields stand in groups that change
// together.
type model struct {
	opts Options
	ctx  context.Context
	keys *keymap.Map

	// appearance
	th            *theme.Theme
	width, height int
	frame         frame
	steps         bool // the plan summary is expanded

	// the session as last pulled
	view  session.View
	ready bool // pulled at least once

	// parts
	transcript *transcript.Transcript
	composer   *composer.Composer
	layers     []layer   // dialogs, the last one on top
	settled    time.Time // when the dialog that came back into sight takes keys
	reviewing  *request  // the review that has the terminal

	// what the person does
	presses keymap.Presses
	burst   burst
	seen    []string // names of the last keys, for /keys
	lastKey time.Time
	flash   flash
	drafts  drafts
	outbox  outbox
	busy    bool          // a plan command runs
	planned []planCommand // plan commands that wait for it
	said    []string      // every message, oldest first, for recall
	alerts  alerts

	browsing browsing // the browser of plans

	// the end
	lost bool
	next Next
}

func newModel(o Options, keys *keymap.Map, th *theme.Theme) *model {
	m := &model{opts: o, ctx: context.Background(), keys: keys, th: th, said: o.History}
	m.transcript = transcript.New(th, keys.Hint(keymap.Expand))
	m.composer = composer.New(composer.Options{Theme: th, Keys: keys, Commands: commands(), History: o.History})
	m.drafts.save = o.Conductor.SaveDraft
	if d := o.Conductor.Draft(); d != "" {
		m.composer.SetText(d)
		m.drafts.saved = d
	}
	return m
}

// Init starts what the screen listens to.
func (m *model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.pull(false), m.awaitDesk(), m.awaitEnd()}
	if m.opts.Theme != "light" && m.opts.Theme != "dark" {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	for _, w := range m.opts.Warnings {
		cmds = append(cmds, m.tell(warned, w))
	}
	if m.opts.Held != "" {
		cmds = append(cmds, m.offerFork())
	}
	if m.opts.Choose {
		cmds = append(cmds, m.listEarlier(false))
	}
	return tea.Batch(cmds...)
}

// Update takes a message, then draws, so that what a frame found missing can be
// fetched.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	if _, key := msg.(tea.KeyPressMsg); key && m.burst.text.Len() > 0 {
		return m, cmd // nothing of it shows before it is over
	}
	m.draw()
	return m, tea.Batch(cmd, m.renderJobs())
}

// route is the table of contents: every message and who handles it.
func (m *model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resized(msg)
	case tea.BackgroundColorMsg:
		m.setDark(msg.IsDark())
	case tea.ColorProfileMsg:
		m.setProfile(msg)
	case tea.FocusMsg:
		m.alerts.learn(msg)
		m.opts.Conductor.Look()
	case tea.EnvMsg, tea.BlurMsg:
		m.alerts.learn(msg)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case pulledMsg:
		return m.pulled(msg)
	case deskMsg:
		return m.deskChanged()
	case reviewedMsg:
		return m.reviewEnded(msg)
	case renderedMsg:
		m.transcript.Deliver(msg.rendering)
	case sentMsg:
		return m.sent(msg)
	case ranMsg:
		return m.ran(msg)
	case hitsMsg:
		return m.hits(msg)
	case quietMsg:
		return m.quieted(msg)
	case draftingMsg:
		return m.edit(msg)
	case draftedMsg:
		return m.drafted(msg)
	case planDoneMsg:
		return m.planDone(msg)
	case draftDueMsg:
		return m.draftDue(msg)
	case draftSavedMsg:
		return m.draftSaved(msg)
	case flashOverMsg:
		m.flashOver(msg)
	case tickMsg:
		return m.ticked(msg)
	case armedMsg:
		return m.arm()
	case burstOverMsg:
		return m.burstOver()
	case attachedMsg:
		return m.attached(msg)
	case filesMsg:
		m.composer.Files(msg.seq, msg.paths)
	case planTextMsg:
		return m.showPlan(msg)
	case offersMsg:
		return m.offers(msg)
	case chosenMsg:
		return m.chosen(msg)
	case restartedMsg:
		return m.restarted(msg)
	case plansMsg:
		return m.plansCame(msg)
	case planPageMsg:
		m.pageCame(msg)
	case planActMsg:
		return msg.then(m)
	case actingMsg:
		return msg.act(m)
	case tea.ResumeMsg:
		return tea.ClearScreen
	case endMsg:
		return tea.Quit
	}
	return nil
}

// resized draws all of the screen again, once it is laid out for the new size: a
// frame of the old size may reach a terminal that already has the new one, and
// what such a terminal then shows nobody knows.
func (m *model) resized(msg tea.WindowSizeMsg) tea.Cmd {
	first := m.width == 0
	m.width, m.height = msg.Width, msg.Height
	if first {
		return nil
	}
	return tea.ClearScreen
}

// endMsg reports that the context of Run ended.
type endMsg struct{}

func (m *model) awaitEnd() tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		<-ctx.Done()
		return endMsg{}
	}
}

// after is a message after d, unless the screen ends before.
func (m *model) after(d time.Duration, msg tea.Msg) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

func (m *model) setDark(dark bool) {
	if m.opts.Theme == "light" || m.opts.Theme == "dark" {
		return
	}
	o := m.th.Options
	o.Dark = dark
	m.setTheme(o)
}

// setProfile drops colours where the terminal or NO_COLOR says so.
func (m *model) setProfile(msg tea.ColorProfileMsg) {
	o := m.th.Options
	o.NoColor = msg.Profile <= noColour
	m.setTheme(o)
}

func (m *model) setTheme(o theme.Options) {
	if o == m.th.Options {
		return
	}
	m.th = theme.New(o)
	m.transcript.SetTheme(m.th)
	m.composer.SetTheme(m.th)
	for _, l := range m.layers {
		l.dialog.SetTheme(m.th)
	}
}
