// Package transcript reads what other coding agents wrote down of their sessions, to
// find the last things the agent said. Each format has one small decoder; a shape
// that is not known is an error, never an empty answer. Everything it reads was
// written by other programs: it is bounded, links and special files are refused, and
// no id from it ever becomes a part of a path unchecked.
package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"
)

// Harness is an agent whose sessions can be read.
type Harness string

// The harnesses.
const (
	Planmode Harness = "planmode"
	Claude   Harness = "claude"
	Codex    Harness = "codex"
	Gemini   Harness = "gemini"
	Copilot  Harness = "copilot"
	Pi       Harness = "pi"
	OpenCode Harness = "opencode"
	Kimi     Harness = "kimi"
)

// Message is one thing the agent said, as Markdown.
type Message struct {
	ID   string
	Text string
	At   time.Time // zero if it is not known
}

// Session is one conversation. Messages are those of the active branch, oldest
// first, at most maxMessages; messages that only called tools are left out.
type Session struct {
	Harness  Harness
	ID       string
	Path     string // the file it was read from; empty if a program was asked
	Cwd      string
	Modified time.Time
	Messages []Message
}

// maxMessages is how many of the newest messages are kept.
const maxMessages = 25

// Limits of one file. Of a longer one only the end is read.
const (
	maxFile = 64 << 20
	maxLine = 16 << 20
)

// ErrNoMessage reports a session in which the agent has said nothing yet.
var ErrNoMessage = errors.New("no assistant message was found in it")

// ErrShape reports a file that is not in a known shape.
var ErrShape = errors.New("it is not in a shape that planmode knows")

// record is one line of a log.
type record = json.RawMessage

// conversation is what a log says: the messages of the active branch, and how many
// of the last ones belong to a turn that has not ended.
type conversation struct {
	messages []Message
	running  int
}

// decoder turns the records of a log into a conversation. cut says that the
// beginning of the log is missing, so that an entry may name a parent that is not
// there.
type decoder func(records iter.Seq[record], cut bool) (conversation, error)

var decoders = map[Harness]decoder{
	Claude: decodeClaude, Codex: decodeCodex, Gemini: decodeGemini, Copilot: decodeCopilot, Pi: decodePi, Kimi: decodeKimi,
}

// Read reads the log at path, which h has written. passOver leaves out the turn that
// is still running, for a caller that is part of it.
func Read(h Harness, path string, passOver bool) (Session, error) {
	f, info, err := open(path)
	if err != nil {
		return Session{}, fmt.Errorf("read the session log %s: %w", path, err)
	}
	defer f.Close()
	decode, ok := decoders[h]
	if !ok {
		return Session{}, fmt.Errorf("read the session log %s: sessions of %q are not files that planmode reads", path, h)
	}
	s := Session{Harness: h, Path: path, Modified: info.ModTime()}
	cut, err := toEnd(f, info.Size())
	if err == nil {
		var failed error
		var c conversation
		c, err = decode(lines(f, cut, &failed), cut)
		if failed != nil {
			err = failed
		}
		if s.Messages = c.messages; passOver {
			s.Messages = c.messages[:len(c.messages)-c.running]
		}
	}
	if err == nil && len(s.Messages) == 0 {
		err = ErrNoMessage
	}
	if err != nil {
		return Session{}, fmt.Errorf("read the session log %s: %w", path, err)
	}
	s.Messages = newest(s.Messages)
	return s, nil
}

func newest(all []Message) []Message {
	if len(all) > maxMessages {
		return all[len(all)-maxMessages:]
	}
	return all
}

// open opens a regular file and nothing else: a pipe would make us wait for ever.
func open(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, nil, errors.Join(errors.New("it is not a regular file"), err)
	}
	return f, info, nil
}

func toEnd(f io.Seeker, size int64) (cut bool, err error) {
	if size <= maxFile {
		return false, nil
	}
	_, err = f.Seek(size-maxFile, io.SeekStart)
	return true, err
}

// lines gives the lines that are JSON objects. A last line that is still being
// written is no error; neither is one that is damaged, as long as others are good.
func lines(r io.Reader, cut bool, failed *error) iter.Seq[record] {
	return func(yield func(record) bool) {
		in := bufio.NewReaderSize(r, 256<<10)
		first := cut
		for {
			line, err := readLine(in)
			if err != nil && err != io.EOF {
				*failed = err
				return
			}
			line = bytes.TrimSpace(line)
			if !first && len(line) > 0 && line[0] == '{' && json.Valid(line) && !yield(line) {
				return
			}
			first = false
			if err == io.EOF {
				return
			}
		}
	}
}

// readLine reads a line; of one that is longer than the limit nothing is kept.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// content is a string, or a list of parts with text.
type content []part

type part struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"`
	Ignored   bool   `json:"ignored"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*c = content{{Type: "text", Text: s}}
		return nil
	}
	var raw []json.RawMessage
	if json.Unmarshal(b, &raw) != nil {
		*c = nil // a kind of content that has no text
		return nil
	}
	for _, r := range raw {
		var p part
		if json.Unmarshal(r, &p) == nil {
			*c = append(*c, p)
		}
	}
	return nil
}

// text joins the parts of the given kinds.
func (c content) text(between string, kinds ...string) string {
	var out []string
	for _, p := range c {
		for _, k := range kinds {
			if p.Type == k && strings.TrimSpace(p.Text) != "" && !p.Synthetic && !p.Ignored {
				out = append(out, strings.Trim(p.Text, "\n"))
			}
		}
	}
	return strings.Join(out, between)
}

// stamp reads a time in the ways logs write it; zero if it cannot.
func stamp(raw json.RawMessage) time.Time {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return time.Time{}
		}
		return t
	}
	var ms float64
	if json.Unmarshal(raw, &ms) != nil || ms <= 0 || ms > 1e14 {
		return time.Time{}
	}
	if ms < 1e11 { // seconds
		ms *= 1000
	}
	return time.UnixMilli(int64(ms))
}
