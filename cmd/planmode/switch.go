package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"planmode/plan"
	"planmode/plan/git"
	"planmode/plan/session/archive"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
	"planmode/tui"
)

// wholeLogs is how many sessions of a list are read whole, the newest first, when
// their ends do not say how their plan stands.
const wholeLogs = 40

// holdTerminal keeps the terminal as a screen has it until the next one begins:
// what is typed meanwhile is for that one, Ctrl+C among it, and nothing of the
// shell shines through.
func (a *app) holdTerminal() {
	if _, err := term.MakeRaw(a.terminal.File().Fd()); err != nil {
		slog.Warn("hold the terminal between two sessions", "error", err)
		return
	}
	_, _ = a.terminal.File().WriteString(ansi.SetModeAltScreenSaveCursor + ansi.EraseEntireScreen + ansi.ResetModeTextCursorEnable) // a glimpse of the shell at worst
}

// createLog begins a session of the working directory.
func (a *app) createLog() (*store.Log, error) {
	branch, err := git.Open(a.dir).Branch(context.Background())
	if err != nil {
		branch = "" // no repository, or one that cannot be read: not worth a word
	}
	return a.store.CreateLog(tree.Header{Cwd: a.dir, Branch: branch})
}

// goOn opens what the person chose to go on with, after the session was was closed.
// When that cannot be, they are back where they were, and told why.
func (a *app) goOn(next tui.Next, was string) (log *store.Log, resumed bool, err error) {
	a.flags = appFlags{noSession: a.flags.noSession, debug: a.flags.debug}
	if next.New {
		if log, err = a.createLog(); err == nil {
			return log, false, nil
		}
	} else if log, err = a.openLog(next.Session); err == nil {
		a.enter(log)
		return log, true, nil
	}
	a.warnings = append(a.warnings, fmt.Sprintf("The other session could not be opened: %v. You are where you were.", err))
	log, back := a.openLog(was)
	if errors.Is(back, store.ErrNoSession) { // nothing had happened in it
		log, back = a.createLog()
		return log, false, errors.Join(back, errIf(back, err))
	}
	return log, true, errors.Join(back, errIf(back, err))
}

// errIf is err when there is another one as well.
func errIf(other, err error) error {
	if other == nil {
		return nil
	}
	return err
}

// enter works in the directory of a session, as long as it is there.
func (a *app) enter(log *store.Log) {
	cwd := log.Header().Cwd
	if cwd == "" || cwd == a.dir || !filepath.IsAbs(cwd) {
		return
	}
	here, err := os.Stat(a.dir)
	there, terr := os.Stat(cwd)
	switch {
	case terr != nil || !there.IsDir():
		a.warnings = append(a.warnings, fmt.Sprintf("The directory of this session, %s, is not there any more; it goes on in %s.", text.Line(cwd), text.Line(a.dir)))
	case err == nil && os.SameFile(here, there):
	default:
		a.dir = cwd
		a.warnings = append(a.warnings, fmt.Sprintf("This session belongs to %s, and works there.", text.Line(cwd)))
	}
}

// earlier lists the sessions that can be resumed: of this directory, or all.
func (a *app) earlier(current string, everywhere bool) ([]tui.Earlier, error) {
	dir := a.dir
	if everywhere {
		dir = ""
	}
	sessions, err := a.store.Sessions(dir)
	if err != nil {
		return nil, err
	}
	out := make([]tui.Earlier, 0, len(sessions))
	whole := wholeLogs
	for _, s := range sessions {
		if s.ID == current {
			continue
		}
		standing := s.Standing
		if standing.Unsure && whole > 0 {
			whole--
			standing = archive.Standing(a.store, s)
		}
		out = append(out, described(s, standing, everywhere, time.Now()))
	}
	return out, nil
}

// described is a row of the list.
func described(s store.SessionInfo, standing store.Standing, everywhere bool, now time.Time) tui.Earlier {
	title := s.Title
	if title == "" {
		title = s.First
	}
	if title == "" {
		title = "(nothing was said)"
	}
	var parts []string
	if plan := strings.TrimSpace(standing.Title + " " + standing.Label()); plan != "" {
		parts = append(parts, text.Truncate(text.Line(plan), 40))
	}
	if s.Branch != "" {
		parts = append(parts, text.Truncate(text.Line(s.Branch), 20))
	}
	if everywhere {
		parts = append(parts, text.Truncate(filepath.Base(s.Cwd), 20))
	}
	parts = append(parts, ago(now, s.Modified))
	return tui.Earlier{ID: s.ID, Title: title, Detail: strings.Join(parts, " · "), Text: s.Cwd + " " + s.First}
}

// ago is how long ago a session was written to.
func ago(now time.Time, then plan.Time) string {
	d := now.Sub(then.Time)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	}
	return fmt.Sprintf("%dd ago", int(d.Hours()/24))
}
