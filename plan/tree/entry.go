// Package tree is the session tree: entries, the branch from a leaf to the root,
// and the fold of a branch to the state of the law. It is pure; package store
// keeps the lines on disk.
package tree

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"planmode/plan"
	"planmode/plan/image"
)

// The kinds of entry that are not events of the law. The strings are written to
// disk.
const (
	KindUser        plan.Kind = "user"
	KindAssistant   plan.Kind = "assistant"
	KindToolCall    plan.Kind = "tool_call"
	KindToolResult  plan.Kind = "tool_result"
	KindHandoff     plan.Kind = "handoff"
	KindNotice      plan.Kind = "notice"
	KindLeaf        plan.Kind = "leaf"
	KindLabel       plan.Kind = "label"
	KindTitle       plan.Kind = "title"
	KindModel       plan.Kind = "model"
	KindPermission  plan.Kind = "permission"
	KindCompaction  plan.Kind = "compaction"
	KindAnnotations plan.Kind = "annotations"
	KindDecision    plan.Kind = "decision"
)

// Entry is one line of a session log after its header. Body is the JSON object
// of the kind's own fields; it never changes once written.
type Entry struct {
	ID     plan.EntryID
	Parent plan.EntryID // empty at a root
	Kind   plan.Kind
	At     plan.Time
	Body   json.RawMessage
}

// Header is the first line of a session log.
type Header struct {
	Session   string    `json:"session"`
	Version   int       `json:"version"`
	Cwd       string    `json:"cwd"`
	Branch    string    `json:"branch,omitempty"` // of git, when the session began
	CreatedAt plan.Time `json:"createdAt"`
	Parent    string    `json:"parent,omitempty"` // the session forked from
}

// LogVersion is the version of session logs this program writes.
const LogVersion = 1

// User is a message of the person. Where it shows an image, the text has its
// label; the bytes are kept beside the log.
type User struct {
	Text   string      `json:"text"`
	Images []image.Ref `json:"images,omitempty"`
}

// Unsent is the message as it was before it was sent, with marks for its images.
func (u User) Unsent() string { return image.Restore(u.Text, u.Images) }

// Assistant is a finished message of the agent.
type Assistant struct {
	Text      string `json:"text"`
	Reasoning string `json:"reasoning,omitempty"`
	Model     string `json:"model,omitempty"`
	Stopped   string `json:"stopped,omitempty"` // why it ended early: "interrupted", "error", "mode"
}

// ToolCall is a call the agent made.
type ToolCall struct {
	Call string          `json:"call"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// ToolResult is the answer to the call of the same id. Details is structured
// data for the screen and the agent, never needed to understand Text.
type ToolResult struct {
	Call    string          `json:"call"`
	Name    string          `json:"name"`
	Text    string          `json:"text"`
	Error   bool            `json:"error,omitempty"`
	Details json.RawMessage `json:"details,omitempty"`
}

// Handoff hands an approved plan to the agent. It is never the person's words.
type Handoff struct {
	Ref   plan.Ref `json:"ref"`
	Title string   `json:"title"`
	Text  string   `json:"text"`
	Again bool     `json:"again,omitempty"` // injected again after a resume
	Auto  bool     `json:"auto,omitempty"`  // approved without a person
}

// Level ranks a notice. The strings are written to disk.
type Level string

// The levels.
const (
	Info    Level = "info"
	Warning Level = "warning"
	Failure Level = "error"
)

// Notice is something planmode said to the person.
type Notice struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// Leaf records that the branch moved: what follows is a child of To.
type Leaf struct {
	To plan.EntryID `json:"to"`
}

// Title names the session.
type Title struct {
	Text string `json:"text"`
}

// Model records the agent and model in use from here on, or the effort, or both.
type Model struct {
	Agent  string    `json:"agent,omitempty"`
	Model  string    `json:"model,omitempty"`
	Effort string    `json:"effort,omitempty"` // low, medium or high
	For    plan.Mode `json:"for,omitempty"`    // the mode it holds in; empty is both
}

// Permission records an answer to a permission question.
type Permission struct {
	Tool    string `json:"tool"`
	Scope   string `json:"scope"`
	Answer  string `json:"answer"` // "once", "session", "always" or "deny"
	Subject string `json:"subject,omitempty"`
	Reason  string `json:"reason,omitempty"` // of a denial, in the words of the person
}

// Annotations is one batch of comments, as collected in one round.
type Annotations struct {
	Ref      plan.Ref          `json:"ref"`
	Review   plan.ReviewID     `json:"review"`
	Round    int               `json:"round"`
	Reviewer string            `json:"reviewer,omitempty"`
	Items    []plan.Annotation `json:"items"`
}

// Decision copies a recorded decision into the log, for the branch that took it.
type Decision struct {
	Plan     plan.ID       `json:"plan"`
	Decision plan.Decision `json:"decision"`
}

// ErrBadLine reports a line that is not a whole, undamaged entry.
var ErrBadLine = errors.New("damaged log line")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// New makes the entry of body, which must be one of the types of this package
// or an event of package plan and marshal to a JSON object.
func New(id, parent plan.EntryID, at plan.Time, kind plan.Kind, body any) (Entry, error) {
	raw, err := marshal(body)
	if err != nil {
		return Entry{}, fmt.Errorf("encode %s entry: %w", kind, err)
	}
	if len(raw) < 2 || raw[0] != '{' {
		return Entry{}, fmt.Errorf("encode %s entry: body is not an object", kind)
	}
	return Entry{ID: id, Parent: parent, Kind: kind, At: at, Body: raw}, nil
}

// marshal writes JSON without the HTML escapes, which would only cost bytes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// head is the fixed beginning of every line, in an order that never changes, so
// that an index can be built from the head of a line alone.
type head struct {
	ID     plan.EntryID `json:"id"`
	Parent plan.EntryID `json:"parent"`
	Kind   plan.Kind    `json:"kind"`
	At     plan.Time    `json:"at"`
}

// AppendLine appends the line of e, with its checksum and the final newline.
func AppendLine(dst []byte, e Entry) ([]byte, error) {
	if len(e.Body) < 2 || e.Body[0] != '{' {
		return dst, fmt.Errorf("encode %s entry %s: body is not an object", e.Kind, e.ID)
	}
	h, err := marshal(head{e.ID, e.Parent, e.Kind, e.At})
	if err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(dst, h[:len(h)-1]...)
	if fields := bytes.TrimSpace(e.Body[1 : len(e.Body)-1]); len(fields) > 0 {
		dst = append(append(dst, ','), fields...)
	}
	return seal(dst, start), nil
}

// AppendHeader appends the header line, likewise sealed.
func AppendHeader(dst []byte, h Header) ([]byte, error) {
	raw, err := marshal(h)
	if err != nil {
		return dst, err
	}
	start := len(dst)
	return seal(append(dst, raw[:len(raw)-1]...), start), nil
}

// seal closes the object begun at start with the CRC-32C of what precedes it.
func seal(dst []byte, start int) []byte {
	return appendSeal(dst, dst[start:])
}

func appendSeal(dst, sealed []byte) []byte {
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.Checksum(sealed, castagnoli))
	dst = append(dst, `,"crc":"`...)
	dst = hex.AppendEncode(dst, sum[:])
	return append(dst, "\"}\n"...)
}

const sealLen = len(`,"crc":"00000000"}`)

// unseal checks the checksum of a line without its newline and returns the
// object without it.
func unseal(line []byte) ([]byte, error) {
	cut := len(line) - sealLen
	if cut < 1 || line[0] != '{' {
		return nil, fmt.Errorf("%w: too short or no object", ErrBadLine)
	}
	var room [sealLen + 1]byte
	if !bytes.Equal(line[cut:], bytes.TrimSuffix(appendSeal(room[:0], line[:cut]), []byte("\n"))) {
		return nil, fmt.Errorf("%w: checksum does not match", ErrBadLine)
	}
	return append(bytes.Clone(line[:cut]), '}'), nil
}

// ParseHeader reads a header line. The error wraps ErrBadLine.
func ParseHeader(line []byte) (Header, error) {
	raw, err := unseal(bytes.TrimRight(line, "\n"))
	if err != nil {
		return Header{}, err
	}
	var h Header
	if err := json.Unmarshal(raw, &h); err != nil {
		return Header{}, fmt.Errorf("%w: %w", ErrBadLine, err)
	}
	if h.Session == "" || h.Version < 1 {
		return Header{}, fmt.Errorf("%w: header lacks session or version", ErrBadLine)
	}
	return h, nil
}

// ParseLine reads an entry line. Unknown kinds are entries like any other. The
// error wraps ErrBadLine.
func ParseLine(line []byte) (Entry, error) {
	raw, err := unseal(bytes.TrimRight(line, "\n"))
	if err != nil {
		return Entry{}, err
	}
	if e, ok := parsePlain(raw); ok {
		return e, nil
	}
	return parseAny(raw)
}

// parseAny reads an unsealed line of any form.
func parseAny(raw []byte) (Entry, error) {
	var h head
	if err := json.Unmarshal(raw, &h); err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrBadLine, err)
	}
	if h.ID == "" || h.Kind == "" {
		return Entry{}, fmt.Errorf("%w: no id or kind", ErrBadLine)
	}
	prefix, err := marshal(h)
	if err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrBadLine, err)
	}
	rest, ok := bytes.CutPrefix(raw, prefix[:len(prefix)-1])
	if !ok || !bytes.Equal(rest, bytes.TrimSpace(rest)) {
		return Entry{}, fmt.Errorf("%w: fields are out of order", ErrBadLine)
	}
	fields := bytes.TrimPrefix(rest[:len(rest)-1], []byte(","))
	if !bytes.Equal(fields, bytes.TrimSpace(fields)) {
		return Entry{}, fmt.Errorf("%w: blanks between fields", ErrBadLine)
	}
	body := append(append(json.RawMessage("{"), fields...), '}')
	return Entry{ID: h.ID, Parent: h.Parent, Kind: h.Kind, At: h.At, Body: body}, nil
}

// Decode reads the body of e as a T.
func Decode[T any](e Entry) (T, error) {
	var v T
	if err := json.Unmarshal(e.Body, &v); err != nil {
		return v, fmt.Errorf("entry %s: decode %s: %w", e.ID, e.Kind, err)
	}
	return v, nil
}
