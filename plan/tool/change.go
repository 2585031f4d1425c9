package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"planmode/plan"
	"planmode/plan/text"
	"planmode/plan/tool/rule"
)

// maxFileBytes bounds a file that is changed, before and after.
const maxFileBytes = 4 << 20

// change is one file as it is and as it would become.
type change struct {
	target
	info fs.FileInfo // nil when there is no file yet
	old  []byte
	new  []byte
}

// draft reads the target and computes what it would become. become gets nil for
// a file that is not there.
func draft(t target, become func(old []byte, exists bool) ([]byte, error)) (change, error) {
	c := change{target: t}
	f, info, err := openRegular(t.path)
	switch {
	case err == nil:
		defer f.Close()
		c.info = info
		if c.old, err = readWhole(f, info); err != nil {
			return c, about("read", t.shown, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return c, about("read", t.shown, err)
	}
	if c.new, err = become(c.old, c.info != nil); err != nil {
		return c, fmt.Errorf("%s: %w", t.shown, err)
	}
	switch {
	case len(c.new) > maxFileBytes:
		return c, fmt.Errorf("%s: it would be %s; at most %s are written", t.shown, size(int64(len(c.new))), size(maxFileBytes))
	case c.info != nil && bytes.Equal(c.old, c.new):
		return c, fmt.Errorf("%s: nothing would change", t.shown)
	}
	return c, nil
}

func readWhole(f *os.File, info fs.FileInfo) ([]byte, error) {
	tooLarge := fmt.Errorf("it is larger than %s; it is not changed by this tool", size(maxFileBytes))
	if info.Size() > maxFileBytes {
		return nil, tooLarge
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > maxFileBytes:
		return nil, tooLarge
	case bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b):
		return nil, errors.New("it is not UTF-8 text; it is not changed by this tool")
	}
	return b, nil
}

// state identifies the place and the bytes that a person was shown.
func (c change) state() string {
	if c.info == nil {
		return c.path + "\x00absent"
	}
	return c.path + "\x00" + string(plan.HashOf(c.old))
}

// preview shows the change.
func (c change) preview(verb string) Preview {
	d := diffOf(c.shown, string(c.old), string(c.new), maxPreviewLines)
	danger := c.danger
	if strings.ContainsFunc(string(c.new), invisible) && !strings.ContainsFunc(string(c.old), invisible) {
		danger = append(danger, "the new text holds characters that are not visible")
	}
	if d.cut {
		danger = append(danger, "the change is too long to be shown whole")
	}
	always := rule.Suggestion{}
	if len(c.danger) == 0 {
		always = rule.SuggestFile(filepath.ToSlash(c.name))
	}
	return Preview{
		Always: always,
		Title:  verb + " " + c.shown, Body: d.text, Diff: true,
		Scope: c.scope, Meaning: c.meaning, Danger: strings.Join(danger, "; "),
	}
}

// invisible leaves out what ordinary text files are full of: line ends, tabs and
// what emoji are put together with.
func invisible(r rune) bool {
	switch r {
	case '\n', '\r', '\t', '\u200D', '\uFE0E', '\uFE0F', '\uFEFF':
		return false
	}
	return text.Hidden(r)
}

// result reports the change that was made.
func (c change) result(call Call, verb string) Result {
	d := diffOf(c.shown, string(c.old), string(c.new), maxDetailLines)
	r := answer(call, fmt.Sprintf("%s %s: %d lines added, %d removed.", verb, c.shown, d.added, d.removed))
	r.Details = Marshal(FileDetails{Path: c.shown, Diff: d.text, Added: d.added, Removed: d.removed})
	return r
}

// shownChanges remembers, for calls that a person was asked about, what the file
// was when it was shown: a change that was allowed is not made to another text.
type shownChanges struct {
	mu    sync.Mutex
	state map[string]string
	order []string
}

const maxShown = 256

func keyOf(call Call) string { return call.ID + "\x00" + string(plan.HashOf(call.Args)) }

func (s *shownChanges) remember(call Call, c change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == nil {
		s.state = map[string]string{}
	}
	key := keyOf(call)
	if _, known := s.state[key]; !known {
		s.order = append(s.order, key)
	}
	s.state[key] = c.state()
	for len(s.order) > maxShown {
		delete(s.state, s.order[0])
		s.order = s.order[1:]
	}
}

// commit makes the change, unless it is not what was shown or ctx has ended.
func (s *shownChanges) commit(ctx context.Context, call Call, c change) error {
	if err := s.check(call, c); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.write()
}

// check compares with what was shown, if anything was, and forgets it.
func (s *shownChanges) check(call Call, c change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := keyOf(call)
	was, shown := s.state[key]
	delete(s.state, key)
	if shown && was != c.state() {
		return fmt.Errorf("%s changed after the change was shown to the person; nothing was written. Read it again", c.shown)
	}
	return nil
}
