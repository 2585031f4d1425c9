package transcript

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// maxEvent is the most that is read of a hook's event.
const maxEvent = 16 << 20

// Event is what a harness tells its hook on standard input about the session. Any
// part of it may be missing.
type Event struct {
	Session string `json:"session_id"`
	Path    string `json:"transcript_path"`
	Cwd     string `json:"cwd"`
	Message string `json:"last_assistant_message"`
}

// ReadEvent reads the event of a hook. Nothing at all on r is an empty event.
func ReadEvent(r io.Reader) (Event, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	switch {
	case err != nil:
		return Event{}, fmt.Errorf("read the hook event from standard input: %w", err)
	case len(raw) > maxEvent:
		return Event{}, fmt.Errorf("read the hook event from standard input: it is larger than %d MB", maxEvent>>20)
	case len(strings.TrimSpace(string(raw))) == 0:
		return Event{}, nil
	}
	var e Event
	if err := json.Unmarshal(raw, &e); err != nil {
		return Event{}, fmt.Errorf("read the hook event from standard input: %w", err)
	}
	return e, nil
}

// Of reads the session that the event names; ok is false if it names none, and the
// session has to be found. What it names and cannot be read is an error: another
// session's words would be a wrong review.
func (e Event) Of(o Options) (s Session, ok bool, err error) {
	if strings.TrimSpace(e.Message) != "" {
		h := o.Harness
		if h == "" {
			h = guess(e.Path, o.fromEnvironment())
		}
		return Session{Harness: h, ID: e.Session, Path: e.Path, Cwd: e.Cwd, Messages: []Message{{Text: e.Message}}}, true, nil
	}
	if e.Path == "" {
		return Session{}, false, nil
	}
	if !filepath.IsAbs(e.Path) {
		return Session{}, true, fmt.Errorf("read the session log %s: the hook event names it without a full path", e.Path)
	}
	s, err = readAny(guess(e.Path, o.fromEnvironment()), e.Path, o.PassOver)
	if s.ID == "" {
		s.ID = e.Session
	}
	if s.Cwd == "" {
		s.Cwd = e.Cwd
	}
	return s, true, err
}

// guess is whose log a path is, by the folder it is kept in; or otherwise.
func guess(path string, otherwise Harness) Harness {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for _, g := range []struct {
		folder  string
		harness Harness
	}{{".claude", Claude}, {".codex", Codex}, {".gemini", Gemini}, {".copilot", Copilot}, {".pi", Pi}, {".kimi", Kimi}} {
		if slices.Contains(parts, g.folder) {
			return g.harness
		}
	}
	if otherwise == "" {
		return Claude
	}
	return otherwise
}

// readAny reads a log whose harness is only a guess: another decoder may know it.
func readAny(first Harness, path string, passOver bool) (Session, error) {
	s, err := Read(first, path, passOver)
	if err == nil || !errors.Is(err, ErrShape) && !errors.Is(err, ErrNoMessage) {
		return s, err
	}
	for _, h := range []Harness{Claude, Codex, Gemini, Copilot, Pi, Kimi} {
		if h == first {
			continue
		}
		if other, oerr := Read(h, path, passOver); oerr == nil {
			return other, nil
		}
	}
	return s, err
}
