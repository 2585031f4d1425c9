package showing

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/process"
	"planmode/revdiff/brief"
	"planmode/tui/card"
	"planmode/tui/theme"
)

// ask shows the card alone on the terminal.
func (s *showing) ask(ctx context.Context, data card.GateData) (brief.GateVerdict, error) {
	o := theme.Options{Dark: s.Theme != "light", ASCII: s.ASCII, NoColor: noColor(s.Env)}
	th := theme.New(o)
	m := &desk{card: card.NewGate(data, th, s.Now), theme: th}
	tty := s.Terminal.File()
	shown, gone := context.WithCancel(ctx)
	defer gone()
	p := tea.NewProgram(m, tea.WithContext(shown), tea.WithInput(process.Watched{File: tty, Gone: gone}), tea.WithOutput(tty), tea.WithEnvironment(s.Env), tea.WithoutSignalHandler())
	_, err := p.Run()
	lost := shown.Err() != nil || err != nil && m.verdict == nil
	switch rerr := s.Terminal.Restore(); {
	case ctx.Err() != nil:
		return brief.GateVerdict{}, ctx.Err()
	case lost, rerr != nil:
		return brief.GateVerdict{}, ErrLost
	case m.left:
		return brief.GateVerdict{}, ErrLeft
	case m.verdict == nil:
		return brief.GateVerdict{}, errors.New("the card was closed without an answer")
	}
	return *m.verdict, nil
}

func noColor(env []string) bool {
	for _, pair := range env {
		if v, ok := strings.CutPrefix(pair, "NO_COLOR="); ok && v != "" {
			return true
		}
	}
	return false
}

// desk is the card as a program of its own.
type desk struct {
	card          *card.Gate
	theme         *theme.Theme
	width, height int
	left          bool
	verdict       *brief.GateVerdict
}

// armedMsg says that the card may take keys by now.
type armedMsg struct{}

// Init implements tea.Model.
func (d *desk) Init() tea.Cmd { return d.arm() }

func (d *desk) arm() tea.Cmd {
	if wait := d.card.Wait(); wait > 0 {
		return tea.Tick(wait, func(time.Time) tea.Msg { return armedMsg{} })
	}
	return nil
}

// Update implements tea.Model.
func (d *desk) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		d.width, d.height = msg.Width, msg.Height
	case armedMsg:
		return d, d.arm()
	case tea.PasteMsg:
		d.card.Paste(msg.Content)
	case tea.KeyPressMsg:
		return d, d.key(msg)
	}
	return d, nil
}

func (d *desk) key(msg tea.KeyPressMsg) tea.Cmd {
	if msg.String() == "ctrl+c" {
		d.left = true
		return tea.Quit
	}
	v, done := d.card.Key(msg)
	if !done {
		return d.arm()
	}
	d.verdict = &v
	return tea.Quit
}

// View implements tea.Model.
func (d *desk) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.WindowTitle = "planmode: decide"
	if d.width <= 0 || d.height <= 0 {
		return v
	}
	v.SetContent(strings.Join(d.card.View(d.width, d.height), "\n"))
	if x, y, ok := d.card.Cursor(); ok {
		v.Cursor = tea.NewCursor(x, y)
	}
	return v
}
