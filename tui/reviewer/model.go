package reviewer

import (
	"os"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"planmode/revdiff/brief"
	"planmode/tui/rows"
	"planmode/tui/theme"
)

// ending is how the review ended.
type ending int

const (
	endNone    ending = iota
	endDone           // q: the notes are the result
	endDiscard        // Q: there is no result
	endLeft           // Ctrl+C: no result, the notes stay as a draft
	endSignal         // likewise, by a signal
)

// Model is the whole screen. It is used by pointer: what it holds is there for
// the caller also when the program ended with an error.
type Model struct {
	opts    Options
	subject *subject
	notes   *notebook
	saver   *saver
	about   string // the description, clean

	width, height int
	theme         *theme.Theme
	paint         *painter
	list          *rows.List
	look          look
	items         []item
	shownAt       []int32 // the item that shows each edit, plus one
	sided         bool    // the two texts are beside each other now
	flow          *flow
	shades        shades
	shift         int // cells scrolled to the right while lines are not wrapped
	rangeFrom     int // item where the selected range begins, or -1

	contents contents
	search   search
	box      *noteBox
	page     *page
	confirm  *confirm
	editor   *editor
	mouse    bool
	dragFrom int    // item where the button went down, or -1
	message  string // shown instead of the hints until the next key
	urgent   bool   // the message says that what the person asked for failed

	brief         *brief.Brief   // what planmode said besides the flags; nil when it did not
	past          past           // notes of earlier rounds
	away          *away          // set while another comparison than the first is shown
	revisionSizes map[int]string // how much each changed, once it is known
	labels        []string       // quick labels, by the digits that give them
	keeper        keeper         // saves what is written
	cardTyped     brief.Typed    // text in the boxes of the decision card
	card          decisionCard   // the decision card, while it is open; nil else
	editAside     bool           // and the person knows that it is not used
	hasEdit       bool           // the person's own edit of the text is kept
	deciding      bool           // the decision is being written; no key may change it
	handing       bool           // the notes are being written; no key may change them
	delivered     bool           // they are in the output
	ending        ending
	signal        os.Signal
	now           func() time.Time
}

// look is how the lines are shown; every field is a key the person can press.
type look struct {
	wrap, words, numbers, compact, collapsed, raw, sides bool
}

func newModel(o Options, s *subject, sv *saver) *Model {
	m := &Model{
		opts: o, subject: s, notes: newNotebook(), labels: quickLabels(o.Labels), saver: sv, rangeFrom: -1, dragFrom: -1, mouse: o.Mouse && !o.NoMouse, now: time.Now,
		look: look{wrap: true, words: !o.NoWordDiff, numbers: o.LineNumbers, compact: o.Compact, collapsed: o.Collapsed},
	}
	m.contents.wanted = true
	m.freshList()
	m.setTheme(theme.Options{Dark: o.Theme != "light", ASCII: o.ASCII, NoColor: o.NoColors})
	m.layItems()
	m.list.Select(m.step(-1, 1))
	return m
}

// freshList forgets all that was drawn of the subject before.
func (m *Model) freshList() {
	m.flow, m.shades = newFlow(m.subject), shades{version: m.shades.version + 1}
	m.list = rows.New(m)
	m.list.Decorate = m.decorate
	if m.theme != nil {
		m.list.SetTheme(m.theme.Version())
	}
}

func (m *Model) setTheme(o theme.Options) {
	m.theme = theme.New(o)
	m.paint = newPainter(m.theme)
	m.list.SetTheme(m.theme.Version())
	if m.box != nil {
		m.box.SetTheme(m.theme)
	}
	if m.card != nil {
		m.card.SetTheme(m.theme)
	}
}

// Init asks for the background colour; the answer may come at any time or never,
// and the first frame does not wait for it.
func (m *Model) Init() tea.Cmd {
	if m.opts.Theme == "light" || m.opts.Theme == "dark" {
		return m.locatePast()
	}
	return tea.Batch(tea.RequestBackgroundColor, m.locatePast())
}

// Update routes a message to the file that owns the concern, and has code that
// came into sight coloured.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	if shade := m.shadeVisible(); shade != nil {
		cmd = tea.Batch(cmd, shade)
	}
	return m, cmd
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		first := m.width == 0
		m.width, m.height = msg.Width, msg.Height
		m.layout()
		if !first { // a frame of the old size may have reached the new screen
			return tea.ClearScreen
		}
	case tea.BackgroundColorMsg:
		o := m.theme.Options
		o.Dark = msg.IsDark()
		m.setTheme(o)
	case tea.KeyPressMsg:
		if !m.handing {
			return m.key(msg)
		}
	case tea.PasteMsg:
		if !m.handing {
			return m.paste(msg.Content)
		}
	case tea.MouseMsg:
		m.pointer(msg)
	case savedMsg:
		return m.saved(msg)
	case flushedMsg:
		m.flushed(msg)
	case armedMsg: // drawn again, and once more if it was drawn later than asked for
		return m.armCard()
	case rewrittenMsg:
		return m.rewritten(msg)
	case decidedMsg:
		return m.decided(msg)
	case handedMsg:
		return m.handed(msg)
	case pastMsg:
		m.pastLocated(msg)
	case sizesMsg:
		m.sized(msg)
	case editedMsg:
		return m.edited(msg)
	case matchesMsg:
		m.matched(msg)
	case shadedMsg:
		m.shaded(msg)
	case retryMsg:
		return m.retried()
	case signalMsg:
		return m.signalled(msg)
	}
	return nil
}

// key goes to what has the keyboard: a question, the note being typed, the
// search prompt, a page, the contents list, and else the text.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.message, m.urgent = "", false
	name := msg.String()
	switch {
	case m.confirm != nil && (name != "ctrl+c" || m.confirm.again == name):
		return m.confirmKey(name)
	case name == "ctrl+c":
		m.ask("Leave? Nothing is handed over; notes stay as a draft.", "leave", m.leave, name)
		return nil
	case m.card != nil:
		return m.cardKey(msg)
	case m.box != nil:
		return m.boxKey(msg)
	case m.search.typing:
		return m.searchKey(msg)
	case m.page != nil:
		return m.pageKey(plainKey(name))
	case m.contents.focus && m.contentsKey(plainKey(name)):
		return nil
	}
	if m.away != nil && m.away.edit {
		if cmd, used := m.editKey(plainKey(name)); used {
			return cmd
		}
	}
	if act, ok := actions[plainKey(name)]; ok {
		return act(m)
	}
	return nil
}

// plainKey undoes what a Chinese or Japanese input method makes of the signs
// that are keys here.
func plainKey(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	switch {
	case size != len(name):
	case r >= '！' && r <= '～':
		return string(r - '！' + '!')
	case r == '【' || r == '「':
		return "["
	case r == '】' || r == '」':
		return "]"
	case r == '、':
		return "/"
	}
	return name
}

// paste goes to the text box that is open; elsewhere it means nothing.
func (m *Model) paste(content string) tea.Cmd {
	switch {
	case m.confirm != nil:
	case m.card != nil:
		m.card.Paste(content)
		return m.keepCard()
	case m.box != nil:
		return m.boxInsert(content)
	case m.search.typing:
		m.search.paste(content)
	}
	return nil
}

func (m *Model) leave() tea.Cmd { return m.end(endLeft) }

func (m *Model) end(e ending) tea.Cmd {
	m.ending = e
	return tea.Quit
}
