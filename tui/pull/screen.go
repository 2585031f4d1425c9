package pull

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/process"
	"planmode/plan/pull/run"
	"planmode/tui/theme"
)

// ErrLost reports that the terminal went away while a review ran.
var ErrLost = errors.New("the terminal went away during the review")

// Options are what a screen needs. Program is added to the options of the Bubble Tea
// program; tests use it to give a terminal of their own.
type Options struct {
	Title    string // what is reviewed
	Terminal *process.Terminal
	Env      []string
	Theme    string // auto, light or dark
	ASCII    bool
	Still    bool // nothing moves by itself
	Now      func() time.Time
	Program  []tea.ProgramOption
}

// Screen is the live view of one run. Its board stands among the other lines of the
// terminal and stays there when the run is over.
type Screen struct {
	opts  Options
	theme *theme.Theme
	board *Board
	there context.Context    // ends with the terminal
	stop  context.CancelFunc // of the run

	mu   sync.Mutex
	news []happened
	wake chan struct{}

	width, height int
	asking        bool // whether to stop
	stopping      bool
	over          bool
}

// happened is a progress with its time.
type happened struct {
	run.Progress
	at time.Time
}

// Show shows review while it runs and returns when it has returned. Esc ends the context
// of review, as does a terminal that goes away, which is ErrLost.
func Show(ctx context.Context, o Options, review func(context.Context, *Screen)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &Screen{opts: o, board: NewBoard(o.Title, o.Now()), stop: stop, wake: make(chan struct{}, 1)}
	s.theme = theme.New(theme.Options{Dark: o.Theme != "light", ASCII: o.ASCII, NoColor: noColor(o.Env)})
	there, gone := context.WithCancel(context.Background())
	defer gone()
	s.there = there
	opts := append([]tea.ProgramOption{tea.WithContext(there), tea.WithEnvironment(o.Env), tea.WithoutSignalHandler()}, o.Program...)
	if o.Terminal != nil {
		tty := o.Terminal.File()
		opts = append(opts, tea.WithInput(process.Watched{File: tty, Gone: gone}), tea.WithOutput(tty))
	}
	p := tea.NewProgram(s, opts...)
	reviewed := make(chan struct{})
	process.Go("review of a pull request", func() {
		defer close(reviewed)
		review(ctx, s)
		p.Send(overMsg{})
	})
	_, err := p.Run()
	lost := there.Err() != nil
	stop()
	<-reviewed
	if o.Terminal != nil {
		if rerr := o.Terminal.Restore(); rerr != nil {
			lost = true
		}
	}
	switch {
	case lost:
		return ErrLost
	case err != nil:
		return fmt.Errorf("show the review: %w", err)
	}
	return nil
}

func noColor(env []string) bool {
	for _, pair := range env {
		if v, ok := strings.CutPrefix(pair, "NO_COLOR="); ok && v != "" {
			return true
		}
	}
	return false
}

// Watch takes what happens in the run, from any goroutine.
func (s *Screen) Watch(p run.Progress) {
	s.mu.Lock()
	s.news = append(s.news, happened{p, s.opts.Now()})
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// The messages of the screen.
type (
	overMsg struct{} // the review has returned
	newsMsg struct{} // something happened
	tickMsg struct{} // the clock moved
)

// newsEvery is the least time between two looks at what happened.
const newsEvery = 50 * time.Millisecond

// Init implements tea.Model.
func (s *Screen) Init() tea.Cmd { return tea.Batch(s.await, s.tick()) }

// await waits for news, and lets what comes at once come as one.
func (s *Screen) await() tea.Msg {
	select {
	case <-s.wake:
		time.Sleep(newsEvery)
		return newsMsg{}
	case <-s.there.Done():
		return nil
	}
}

func (s *Screen) tick() tea.Cmd {
	pace := 200 * time.Millisecond
	if s.opts.Still {
		pace = 10 * time.Second
	}
	return tea.Tick(pace, func(time.Time) tea.Msg { return tickMsg{} })
}

// Update implements tea.Model.
func (s *Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case newsMsg:
		s.follow()
		return s, s.await
	case tickMsg:
		return s, s.tick()
	case overMsg:
		s.follow()
		s.board.End(s.opts.Now())
		s.over = true
		return s, tea.Quit
	case tea.KeyPressMsg:
		s.key(msg.String())
	}
	return s, nil
}

// follow takes the news over to the board.
func (s *Screen) follow() {
	s.mu.Lock()
	news := s.news
	s.news = nil
	s.mu.Unlock()
	for _, n := range news {
		s.board.Take(n.Progress, n.at)
	}
}

// key stops the run. Esc asks once when much would be lost by it.
func (s *Screen) key(name string) {
	switch name {
	case "esc", "alt+esc":
		if !s.asking && name == "esc" && s.board.Dear(s.opts.Now()) {
			s.asking = true
			return
		}
	case "ctrl+c":
	default:
		s.asking = false
		return
	}
	s.asking, s.stopping = false, true
	s.stop()
}

// Dear says that so much was done that it should not be lost by one key.
func (b *Board) Dear(now time.Time) bool {
	u := b.Spent()
	return now.Sub(b.began) >= 20*time.Second || u.InputTokens+u.OutputTokens >= 20_000
}

// View implements tea.Model.
func (s *Screen) View() tea.View {
	v := tea.NewView("")
	v.WindowTitle = "planmode: review"
	if s.width <= 0 || s.height <= 0 {
		return v
	}
	lines := s.board.Lines(Look{s.theme, s.opts.Still, s.opts.Now()}, s.width, s.height-2)
	last := "" // the line of the cursor, which is wiped when the board is left standing
	if !s.over {
		last = s.theme.Cut(s.hint(), s.width)
	}
	v.SetContent(strings.Join(append(lines, last), "\n"))
	return v
}

func (s *Screen) hint() string {
	switch {
	case s.stopping:
		return s.theme.Warning.Render("Stopping: the roles are told to end, then it is checked what was changed")
	case s.asking:
		return s.theme.Warning.Render("Stop? What was found so far is lost. Esc stops, any other key goes on")
	}
	return s.theme.Dim.Render("Esc stops")
}
