package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// approvalPrefix keeps a hash of this document from being one of any other.
const approvalPrefix = "planmode/review-approval/v1\n"

// Approval is everything that one posting sends, to where, as whom, and on what it
// rests. Its hash is what a person approves; what is posted is made from the same value.
type Approval struct {
	Actor, APIBase             string
	Owner, Repo                string
	Number                     int64
	Base, BaseSHA, HeadSHA     string
	RunID                      string
	AuthorSHA256, VerifySHA256 string
	Event, Body                string
	Comments                   []PostComment
	Replies                    []PostReply
}

// PostComment is one remark of the review that is posted.
type PostComment struct {
	Path string
	Anchor
	Body string
}

// PostReply is one answer in a discussion that is there.
type PostReply struct {
	RootID int64
	Body   string
}

// Ref is the pull request that is written to.
func (a Approval) Ref() Ref { return Ref{Owner: a.Owner, Repo: a.Repo, Number: int(a.Number)} }

// Canonical is the one spelling of the document: sorted keys, no space, and strings
// escaped only where JSON demands it.
func (a Approval) Canonical() []byte {
	var w canon
	w.object(
		"actor", a.Actor, "api_base", a.APIBase, "author_sha256", a.AuthorSHA256, "base", a.Base, "base_sha", a.BaseSHA,
		"body", a.Body, "comments", w.comments(a.Comments), "event", a.Event, "head_sha", a.HeadSHA,
		"kind", "planmode.review-approval", "number", a.Number, "owner", a.Owner, "replies", a.replies(),
		"repo", a.Repo, "run_id", a.RunID, "v", int64(1), "verify_sha256", a.VerifySHA256)
	return []byte(w.String())
}

// Hash is the SHA-256 that is approved, in lower-case hex.
func (a Approval) Hash() string {
	sum := sha256.Sum256(append([]byte(approvalPrefix), a.Canonical()...))
	return hex.EncodeToString(sum[:])
}

// ReviewBody is the body of the one request that posts the review.
func ReviewBody(a Approval) []byte {
	var w canon
	w.object("body", a.Body, "comments", w.comments(a.Comments), "commit_id", a.HeadSHA, "event", a.Event)
	return []byte(w.String())
}

// ReplyBody is the body of the request that posts one answer.
func ReplyBody(r PostReply) []byte {
	var w canon
	w.object("body", r.Body)
	return []byte(w.String())
}

func (a Approval) replies() raw {
	items := make([]string, len(a.Replies))
	for i, r := range a.Replies {
		var w canon
		w.object("body", r.Body, "root_id", r.RootID)
		items[i] = w.String()
	}
	return raw("[" + strings.Join(items, ",") + "]")
}

// raw is JSON that is already written.
type raw string

// canon writes canonical JSON. Object takes its keys in sorted order.
type canon struct{ strings.Builder }

func (*canon) comments(list []PostComment) raw {
	items := make([]string, len(list))
	for i, c := range list {
		fields := []any{"body", c.Body, "line", c.Line, "path", c.Path, "side", c.Side}
		if c.StartLine != 0 {
			fields = append(fields, "start_line", c.StartLine, "start_side", c.StartSide)
		}
		var w canon
		w.object(fields...)
		items[i] = w.String()
	}
	return raw("[" + strings.Join(items, ",") + "]")
}

func (w *canon) object(fields ...any) {
	w.WriteByte('{')
	for i := 0; i < len(fields); i += 2 {
		if i > 0 {
			w.WriteByte(',')
		}
		w.text(fields[i].(string))
		w.WriteByte(':')
		switch v := fields[i+1].(type) {
		case string:
			w.text(v)
		case int64:
			w.WriteString(strconv.FormatInt(v, 10))
		case raw:
			w.WriteString(string(v))
		}
	}
	w.WriteByte('}')
}

func (w *canon) text(s string) {
	short := map[byte]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	w.WriteByte('"')
	for i := range len(s) {
		esc, ok := short[s[i]]
		switch {
		case ok:
			w.WriteString(esc)
		case s[i] < 0x20:
			fmt.Fprintf(w, `\u%04x`, s[i])
		default:
			w.WriteByte(s[i])
		}
	}
	w.WriteByte('"')
}
