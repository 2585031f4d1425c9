// Package tui is the screen of a session: one Bubble Tea model that routes
// messages, keeps focus and layout, and shows what the parts below it draw.
//
// The screen never waits: whatever may block runs as a command, and the session
// is only asked for copies of what it has, at most twenty times a second. What
// the session must ask the person comes through the Desk. The terminal is given
// back on every way out, and what was being written is saved.
package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/process"
	"planmode/plan/session"
	"planmode/revdiff"
	"planmode/tui/keymap"
	"planmode/tui/theme"
)

// framesPerSecond is the rate of the renderer. At 120 a key is on the screen
// 10 ms after it was pressed, at 60 after 18 ms; an idle screen costs about the
// same at both.
const framesPerSecond = 120

// Conductor is what the screen uses of a session. Every method but Plan, Toggle,
// SetPermission, Send, Shell, SaveDraft and those about branches returns at once.
type Conductor interface {
	Poked() <-chan struct{}
	View() session.View
	Items(from int) []session.Item
	Send(text string) error
	Unqueue() (string, bool)
	Interrupt()
	Plan(ctx context.Context, arg string) error
	Toggle(ctx context.Context) error
	SetPermission(ctx context.Context, mode string) error
	Shell(command string) error
	SaveDraft(text string) error
	Draft() string
	Look() // at the work tree, which may have changed meanwhile
	brancher
}

var _ Conductor = (*session.Session)(nil)

// Foreground is a child that gets the terminal while the screen is released.
type Foreground interface {
	tea.ExecCommand
	Stop()
	Exit() revdiff.Exit
}

var _ Foreground = (*process.Foreground)(nil)

// Earlier is a session that can be resumed.
type Earlier struct {
	ID     string
	Title  string
	Detail string
	Text   string // found by a search, and not shown
}

// Options configure a screen. Conductor and Desk are needed; the desk must be
// the one the session was made with.
type Options struct {
	Conductor  Conductor
	Desk       *Desk
	Foreground func(*revdiff.Job) Foreground // runs a reviewer; nil refuses every review

	Theme  string // "auto", "light" or "dark"
	ASCII  bool
	Keys   map[string][]string
	Still  bool // nothing moves by itself: no spinner, no blinking
	Notify bool // ring and notify when the person is needed
	// BellOnly leaves notifications to another program, which shows its own.
	BellOnly bool
	Home     string

	History []string // earlier messages of the person, oldest first
	// Earlier lists the sessions that can be resumed: of this directory, or all.
	Earlier func(ctx context.Context, everywhere bool) ([]Earlier, error)
	Servers func() string                                     // what `/mcp` shows; nil if there is nothing
	Restart func(name string) error                           // connects an MCP server again
	Files   func(ctx context.Context, prefix string) []string // completions after "@"
	Plans   *Plans                                            // what `/plans` works with; nil leaves it out
	// Show gives the text of the plan at hand for `/plan show`; nil leaves the
	// command to the session.
	Show     func(context.Context) (title, markdown string, err error)
	Warnings []string // shown once at the start

	// Edit makes the person's editor for a file; nil leaves its key without effect.
	Edit   func(path string) (Foreground, error)
	Choose bool // begin by listing the earlier sessions
	// Held names the process that has the session, when it can only be read because
	// of that: the screen then begins by offering a fork.
	Held string

	Now func() time.Time
	// Program is added to the options of the Bubble Tea program; tests use it to
	// give a terminal of their own.
	Program []tea.ProgramOption
}

// App is a screen. It runs once.
type App struct {
	model *model
	opts  Options
}

// New makes a screen. Keys that cannot be bound are warned about on it.
func New(o Options) (*App, error) {
	if o.Conductor == nil || o.Desk == nil {
		return nil, errors.New("make the screen: no session or no desk")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	keys, warnings := keymap.New(o.Keys)
	o.Warnings = append(o.Warnings[:len(o.Warnings):len(o.Warnings)], warnings...)
	th := theme.New(theme.Options{Dark: o.Theme != "light", ASCII: o.ASCII})
	return &App{opts: o, model: newModel(o, keys, th)}, nil
}

// Run shows the screen until the person quits or ctx ends, which is no error.
// What was being written is saved on every way out.
func (a *App) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer a.opts.Desk.Close()
	a.model.ctx = ctx
	opts := append([]tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond)}, a.opts.Program...)
	_, runErr := tea.NewProgram(a.model, opts...).Run()
	saveErr := a.model.drafts.final(a.model.unfinished())
	if runErr != nil {
		return fmt.Errorf("run the screen: %w", runErr)
	}
	return saveErr
}

// Lost says whether the terminal went away while a reviewer had it.
func (a *App) Lost() bool { return a.model.lost }

// Next is where the person chose to go on.
func (a *App) Next() Next { return a.model.next }
