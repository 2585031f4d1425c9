// Package image knows the pictures that a message shows: their media types by
// their first bytes, the marks that stand for them in a text, and how a person
// names one by its path. It reads no files and never fails: what it does not
// recognise is text like any other.
package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strings"

	"planmode/plan/text"
)

// What one message may show.
const (
	MaxBytes = 5 << 20 // of one image
	MaxCount = 10
)

// Ref names an image that is kept with a session. The names of its fields are
// written to disk.
type Ref struct {
	Hash  string `json:"hash"`  // of the bytes, "sha256:…"
	Media string `json:"media"` // "image/png"
	Name  string `json:"name"`  // a file name for the person, fit for a label
	Size  int    `json:"size"`  // in bytes
}

// NewRef describes data; false when it is no image of a known kind.
func NewRef(name string, data []byte) (Ref, bool) {
	media := Media(data)
	return Ref{Hash(data), media, labelName(name), len(data)}, media != ""
}

// Hash is the content address of an image.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Media is the media type of an image by its first bytes; empty for anything
// else, whatever its name says.
func Media(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return "image/gif"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// longestName keeps a label on one line of a narrow screen.
const longestName = 40

// labelName is a file name without what would end a label or hide in it. A long
// one keeps its end, which says what it is.
func labelName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch r {
		case '[':
			return '('
		case ']':
			return ')'
		}
		return r
	}, text.Line(name))
	ext := path.Ext(name)
	if text.Width(name) > longestName && len(ext) <= 5 {
		name = text.Truncate(strings.TrimSuffix(name, ext), longestName-len(ext)) + ext
	}
	if name = text.Line(text.Truncate(name, longestName)); name == "" {
		return "image"
	}
	return name
}

// Size writes a number of bytes the way people say it.
func Size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+1<<9)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// Label stands for the image where a person reads the message.
func (r Ref) Label() string { return fmt.Sprintf("[image %s %s]", labelName(r.Name), Size(r.Size)) }

// Mark stands for the image in a text that is still to be sent. It is the label
// with the content address, so that drafts, queues and recalled messages hold
// their images without anything beside the text.
func (r Ref) Mark() string {
	label := r.Label()
	return strings.TrimSuffix(label, "]") + " " + r.Hash + "]"
}

var marks = regexp.MustCompile(`\[image ([^\[\]\n]{1,160}) (\d+(?:\.\d)? (?:B|KB|MB)) (sha256:[0-9a-f]{64})\]`)

// Marked is a mark found in a text.
type Marked struct {
	Mark  string // as it stands there
	Label string
	Name  string
	Hash  string
}

// Marks finds the marks of a text, in order. A mark says only which image is
// meant; whether there is one is for whoever keeps them.
func Marks(s string) []Marked {
	var out []Marked
	for _, m := range marks.FindAllStringSubmatch(s, -1) {
		name := labelName(m[1])
		out = append(out, Marked{Mark: m[0], Label: "[image " + name + " " + m[2] + "]", Name: name, Hash: m[3]})
	}
	return out
}

// Plain is a text with the labels in the place of the marks.
func Plain(s string) string {
	for _, m := range Marks(s) {
		s = strings.Replace(s, m.Mark, m.Label, 1)
	}
	return s
}

// Restore is a text with the marks of refs in the place of their labels: the
// message as it was before it was sent. Images of the same label follow each other
// as refs do.
func Restore(s string, refs []Ref) string {
	by := map[string][]Ref{}
	for _, r := range refs {
		by[r.Label()] = append(by[r.Label()], r)
	}
	var b strings.Builder
	for {
		begin := strings.Index(s, "[image ")
		end := strings.IndexByte(s[max(begin, 0):], ']') + max(begin, 0)
		if begin < 0 || end <= begin {
			return b.String() + s
		}
		b.WriteString(s[:begin])
		label := s[begin : end+1]
		left := by[label]
		if len(left) > 0 {
			b.WriteString(left[0].Mark())
		} else {
			b.WriteString(label)
		}
		if len(left) > 1 {
			by[label] = left[1:]
		}
		s = s[end+1:]
	}
}
