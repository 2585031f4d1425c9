package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"planmode/plan"
	"planmode/plan/git"
	"planmode/plan/process"
	"planmode/plan/session"
	"planmode/revdiff"
	"planmode/revdiff/herdr"
	"planmode/store"
	"planmode/tui"
)

// errNoTerminal is what a caller without a terminal is told; nothing was written.
var errNoTerminal = errors.New("needs a terminal on standard input and output (and TERM other than \"dumb\"); nothing was started")

// app is one run of the program: what outlives a change of session.
type app struct {
	flags    appFlags
	store    *store.Store
	config   store.Config
	warnings []string
	dir      string
	dirs     store.Dirs // the person's own, also when nothing is kept
	self     string
	terminal *process.Terminal
	herdr    *herdr.Reporter
	servers  servers
	signaled chan os.Signal
	log      *store.LogFile // nil if none is written
}

// runApp starts the app and goes on from session to session until the person
// leaves.
func runApp(ctx context.Context, f appFlags) error {
	if !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stdout.Fd()) || os.Getenv("TERM") == "dumb" {
		return usage(errNoTerminal)
	}
	a, err := newApp(f)
	if err != nil {
		return &codeError{exitError, notStarted(err)}
	}
	defer a.close()
	// The packages of all providers have been initialised, and most of that is never
	// looked at again.
	if err := process.Shrink(); err != nil {
		slog.Debug("memory of the start is kept", "error", err)
	}
	log, resumed, err := a.firstLog()
	if err != nil {
		return &codeError{exitError, notStarted(err)}
	}
	for {
		was := log.Header().Session
		next, err := a.runSession(ctx, log, resumed)
		if err == nil && next == (tui.Next{}) {
			return nil
		}
		if err == nil {
			if log, resumed, err = a.goOn(next, was); err == nil {
				continue
			}
			err = &codeError{exitError, err}
		}
		a.restoreTerminal()
		return err
	}
}

func newApp(f appFlags) (*app, error) {
	a := &app{flags: f, signaled: make(chan os.Signal, 4)}
	var err error
	if a.dir, err = os.Getwd(); err != nil {
		return nil, fmt.Errorf("find the working directory: %w", err)
	}
	if a.self, err = os.Executable(); err != nil {
		return nil, fmt.Errorf("find planmode's own executable: %w", err)
	}
	dirs, err := store.Locate(os.Getenv)
	if err != nil {
		return nil, err
	}
	if a.terminal, err = process.OpenTerminal(); err != nil {
		return nil, err
	}
	a.dirs = dirs
	a.config, a.warnings = store.LoadConfig(dirs)
	options := store.Options{Now: time.Now, Random: rand.Reader}
	if f.noSession {
		a.store, err = store.OpenTemporary(options)
	} else {
		a.store, err = store.Open(dirs, options)
	}
	if err != nil {
		return nil, err
	}
	a.startLog(dirs)
	process.OnRestore(a.restoreTerminal)
	process.OnPanic(func(v any, stack []byte) {
		a.panicked(v, stack)
		os.Exit(exitError)
	})
	a.herdr = herdr.New(herdr.Options{Getenv: os.Getenv})
	signal.Notify(a.signaled, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT)
	return a, nil
}

// close ends what newApp began. Giving up the pane comes after everything that
// could be lost, and signals are caught until that is done.
func (a *app) close() {
	if err := a.store.Close(); err != nil {
		complain(err)
	}
	a.servers.close()
	a.herdr.Close()
	signal.Stop(a.signaled)
	a.endLog()
}

// panicked does what is left to do after a panic in a goroutine of ours.
func (a *app) panicked(v any, stack []byte) {
	slog.Error("panic", "value", fmt.Sprint(v), "stack", string(stack))
	a.herdr.Close()
	// Once more: the screen may have drawn meanwhile.
	a.restoreTerminal()
	fmt.Print(tui.Leftovers(os.Getenv))
	fmt.Fprintf(os.Stderr, "planmode: internal error: %v\nplanmode: the session is saved; resume it with planmode --continue.\n", v)
	if a.log != nil {
		fmt.Fprintf(os.Stderr, "planmode: details are in %s\n", a.log.Path())
	}
}

// restoreTerminal gives the terminal back as it was. One that is gone cannot be,
// and there is nobody to tell.
func (a *app) restoreTerminal() {
	if err := a.terminal.Restore(); err != nil {
		slog.Warn("restore the terminal", "error", err)
	}
}

// firstLog opens or creates the session that the flags ask for.
func (a *app) firstLog() (log *store.Log, resumed bool, err error) {
	switch {
	case a.flags.resumeLast:
		sessions, err := a.store.Sessions(a.dir)
		if err != nil {
			return nil, false, err
		}
		if len(sessions) == 0 {
			return nil, false, errors.New("there is no session of this directory to continue; start one with planmode")
		}
		log, err = a.openLog(sessions[0].ID)
		return log, true, err
	case a.flags.resume != "" && a.flags.resume != chooseSession:
		if log, err = a.openLog(a.flags.resume); err == nil {
			a.enter(log)
		}
		return log, true, err
	}
	log, err = a.createLog()
	return log, false, err
}

// openLog opens a session for writing or, when another process has it or the
// disk takes nothing, for reading: the screen then says why.
func (a *app) openLog(id string) (*store.Log, error) {
	log, err := a.store.OpenLog(id)
	var held *store.HeldError
	switch {
	case errors.As(err, &held):
		return a.store.ReadLog(id)
	case unwritable(err):
		log, rerr := a.store.ReadLog(id)
		if rerr != nil {
			return nil, err
		}
		log.Because(err)
		return log, nil
	}
	return log, err
}

// unwritable says whether the disk refused a write, as it may stop doing later.
func unwritable(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, os.ErrPermission)
}

// notStarted adds to the error of a start what the person can do.
func notStarted(err error) error {
	if !unwritable(err) {
		return err
	}
	return fmt.Errorf("%w\nnothing was started, and what is saved is as it was. Make room or give write access there, set PLANMODE_HOME to another directory, or use --no-session, which keeps nothing", err)
}

// runSession shows one session. It returns where to go on, if anywhere.
func (a *app) runSession(ctx context.Context, log *store.Log, resumed bool) (tui.Next, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	desk := tui.NewDesk()
	slog.Debug("session opened", "session", log.Header().Session, "resumed", resumed, "entries", log.Tree().Len(), "read-only", log.ReadOnly() != nil)
	s := a.newSession(log, resumed, desk)
	screen, err := a.newScreen(s, desk, log.Header().Session)
	if err != nil {
		return tui.Next{}, &codeError{exitError, errors.Join(err, s.Close())}
	}
	code := a.watchSignals(ctx, stop)
	process.Go("begin", func() { a.begin(ctx, s) })
	runErr := screen.Run(ctx)
	next, ended := screen.Next(), code()
	if next != (tui.Next{}) && runErr == nil && ended == exitOK {
		a.holdTerminal()
		return next, s.Close()
	}
	closeErr := s.Close()
	a.restoreTerminal()
	return tui.Next{}, a.leave(screen, ended, errors.Join(runErr, closeErr))
}

func (a *app) newSession(log *store.Log, resumed bool, desk session.Desk) *session.Session {
	repo := git.Open(a.dir)
	branch, err := repo.Branch(context.Background())
	if err != nil {
		branch = "" // no repository, or one that cannot be read: not worth a word
	}
	instructions, warnings := session.Instructions(a.dir)
	warnings = append(slices.Clip(a.warnings), warnings...)
	a.warnings = nil // told once
	dirs := a.store.Dirs()
	return session.New(session.Options{
		Store: a.store, Log: log, Session: log.Header().Session, Resumed: resumed,
		Config: a.config, ConfigPath: filepath.Join(dirs.Config, "config.json"), Warnings: warnings,
		Servers: a.servers.in(a.config, a.dir),
		Agent:   newAgent(a.config, a.dirs), Model: a.flags.model, Desk: desk, Observer: a.herdr,
		Dir: a.dir, Instructions: instructions, Temp: os.TempDir(), Env: os.Environ(),
		Private:    []string{dirs.Config, dirs.Data, dirs.State, dirs.Run},
		Finder:     revdiff.FindOptions{Choice: revdiff.Choice(a.config.Reviewer), Getenv: os.Getenv, Self: a.self, Look: look(a.config)},
		ProbeCache: filepath.Join(dirs.State, "reviewers.json"),
		Repo:       repo, Branch: branch, Now: time.Now, Random: rand.Reader, Persistent: !a.flags.noSession,
		Permission: plan.Permission(a.flags.mode), AlwaysAllow: a.alwaysAllow(),
	})
}

// look makes the built-in reviewer look like the app. Under "auto" it asks the
// terminal itself.
func look(c store.Config) []string {
	var flags []string
	if c.Theme == "light" || c.Theme == "dark" {
		flags = append(flags, "--theme="+c.Theme)
	}
	if c.ASCII {
		flags = append(flags, "--ascii")
	}
	return flags
}

func (a *app) newScreen(s *session.Session, desk *tui.Desk, current string) (*tui.App, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	history, err := a.store.History(a.dir)
	if err != nil {
		s.Warn("What you said in earlier sessions cannot be recalled: %v.", err)
	}
	return tui.New(tui.Options{
		Conductor: s, Desk: desk,
		Foreground: func(j *revdiff.Job) tui.Foreground { return j.Foreground(a.terminal) },
		Theme:      a.config.Theme, ASCII: a.config.ASCII, Keys: a.config.Keys, Home: home,
		Still: a.config.Motion == "reduced", Notify: a.config.Notify, BellOnly: a.herdr.Enabled(),
		History: history,
		Servers: s.Servers, Restart: s.RestartServer,
		Earlier: func(_ context.Context, everywhere bool) ([]tui.Earlier, error) {
			return a.earlier(current, everywhere)
		},
		Files:  s.Files,
		Plans:  a.plans(s),
		Show:   func(context.Context) (string, string, error) { return shown(s) },
		Choose: a.flags.resume == chooseSession,
		Held:   s.HeldBy(),
		Edit:   a.editor,
	})
}

// shown is the plan for `/plan show`.
func shown(s *session.Session) (title, markdown string, err error) {
	p, err := s.Show()
	return fmt.Sprintf("%s · r%d", p.Title, p.Ref.Revision), p.Text, err
}

// begin does what needs the person once the screen can ask.
func (a *app) begin(ctx context.Context, s *session.Session) {
	if a.flags.adopt != "" {
		if err := s.Adopt(ctx, plan.ID(a.flags.adopt)); err != nil {
			s.Warn("Not adopted: %v.", err)
		}
		return
	}
	s.Begin(ctx, a.flags.plan)
}

// watchSignals ends the screen on a signal. A signal saves and never submits.
func (a *app) watchSignals(ctx context.Context, stop context.CancelFunc) (code func() int) {
	got := make(chan int, 1)
	process.Go("signals", func() {
		select {
		case sig := <-a.signaled:
			slog.Info("ended by a signal", "signal", sig.String())
			got <- signalCode(sig)
			stop()
		case <-ctx.Done():
		}
	})
	return func() int {
		select {
		case c := <-got:
			return c
		default:
			return exitOK
		}
	}
}

func signalCode(sig os.Signal) int {
	switch sig {
	case syscall.SIGHUP:
		return exitHup
	case syscall.SIGINT:
		return exitInt
	case syscall.SIGQUIT:
		return exitQuit
	}
	return exitTerm
}

// leave prints what remains in the normal screen and turns how the session ended
// into an exit code.
func (a *app) leave(screen *tui.App, code int, err error) error {
	if screen.Lost() {
		code = exitHup
	}
	if code != exitHup && !a.flags.noSession {
		fmt.Print(screen.Summary())
	}
	switch {
	case code != exitOK:
		return &codeError{code, err}
	case err != nil:
		return &codeError{exitError, err}
	}
	return nil
}
