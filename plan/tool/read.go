package tool

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of one read. A longer file is read in parts.
const (
	maxReadLines = 2000
	maxReadBytes = 256 << 10
	maxLineBytes = 2000
	maxScanBytes = 256 << 20 // how far an offset may make us read
	sniffBytes   = 8 << 10
)

type readArgs struct {
	Path   string `json:"path" doc:"File to read: relative to the working directory, or absolute." min:"1" max:"4096"`
	Offset int    `json:"offset,omitempty" doc:"First line to show, counting from 1." min:"1"`
	Limit  int    `json:"limit,omitempty" doc:"How many lines to show." min:"1" max:"2000"`
}

type readTool struct{ at place }

func (readTool) Spec() Spec {
	return Spec{
		Name: "read",
		Description: "Show a text file with numbered lines, each as `number<TAB>text`. At most 2000 lines or 256 KiB at once; the last " +
			"line says how to go on with offset. Long lines are cut. Binary files are not shown.",
		Schema: schema[readArgs](),
		Effect: Reads,
	}
}

func (readTool) validate(raw []byte) error {
	_, err := decode[readArgs](raw)
	return err
}

func (t readTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[readArgs](call.Args)
	if err != nil {
		return failed(call, err)
	}
	path, err := t.at.abs(args.Path)
	if err != nil {
		return failed(call, err)
	}
	f, info, err := openRegular(path)
	if err != nil {
		return failed(call, about("read", t.at.show(path), err))
	}
	defer f.Close()
	// Only a file that can block has a deadline to set.
	_ = f.SetReadDeadline(time.Now().Add(5 * time.Second))

	in := bufio.NewReaderSize(contextReader{ctx, f}, 64<<10)
	if why := notText(in); why != "" {
		return answer(call, fmt.Sprintf("%s is not shown: it is %s, %s.", t.at.show(path), why, size(info.Size())))
	}
	text, err := numbered(in, max(args.Offset, 1), args.Limit)
	if err != nil {
		return failed(call, about("read", t.at.show(path), err))
	}
	return answer(call, text)
}

// notText looks at the beginning of a file and says what it is, if not text.
func notText(in *bufio.Reader) string {
	head, err := in.Peek(sniffBytes)
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		return "a binary file"
	case !validStart(head, err == nil):
		return "not UTF-8 text"
	}
	return ""
}

// validStart says whether b is UTF-8; more says that the file goes on, so that
// the last character may be cut.
func validStart(b []byte, more bool) bool {
	for cut := 0; more && cut < utf8.UTFMax && cut < len(b); cut++ {
		if utf8.RuneStart(b[len(b)-1-cut]) {
			if !utf8.FullRune(b[len(b)-1-cut:]) {
				b = b[:len(b)-1-cut]
			}
			break
		}
	}
	return utf8.Valid(b)
}

// numbered writes lines from the one numbered first on, with a last line in
// brackets when something is left out.
func numbered(in *bufio.Reader, first, limit int) (string, error) {
	if limit <= 0 {
		limit = maxReadLines
	}
	var out strings.Builder
	line, scanned := 0, 0
	for {
		text, length, err := nextLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		if errors.Is(err, io.EOF) && length == 0 {
			break
		}
		line++
		scanned += length
		switch {
		case scanned > maxScanBytes:
			return "", fmt.Errorf("line %d is more than %s into the file", first, size(maxScanBytes))
		case line < first:
			continue
		case line >= first+limit || out.Len()+len(text) > maxReadBytes && out.Len() > 0:
			fmt.Fprintf(&out, "[more follows; go on with offset %d]\n", line)
			return out.String(), nil
		}
		fmt.Fprintf(&out, "%d\t%s\n", line, text)
	}
	switch {
	case line == 0:
		return "[the file is empty]\n", nil
	case line < first:
		return "", fmt.Errorf("the file has only %d lines; offset %d is past its end", line, first)
	}
	return out.String(), nil
}

// nextLine reads one line of any length, keeping its beginning only. length
// counts its bytes with the line feed; 0 at the end of the file.
func nextLine(in *bufio.Reader) (text string, length int, err error) {
	var kept []byte
	for {
		part, e := in.ReadSlice('\n')
		length += len(part)
		if room := maxLineBytes - len(kept); room > 0 {
			kept = append(kept, part[:min(room, len(part))]...)
		}
		if !errors.Is(e, bufio.ErrBufferFull) {
			err = e
			break
		}
	}
	ended := bytes.HasSuffix(kept, []byte("\n"))
	kept = bytes.TrimSuffix(bytes.TrimSuffix(kept, []byte("\n")), []byte("\r"))
	text = strings.ToValidUTF8(string(kept), "\uFFFD")
	if length > maxLineBytes && !ended {
		text += fmt.Sprintf(" [line cut, %d bytes long]", length)
	}
	return text, length, err
}

// contextReader ends a read between two pieces when its context ends.
type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.in.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New("nothing came within 5 s")
	}
	return n, err
}

func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

func answer(call Call, text string) Result {
	return Result{CallID: call.ID, Name: call.Name, Text: text}
}

func failed(call Call, err error) Result {
	return Result{CallID: call.ID, Name: call.Name, Text: err.Error(), Error: true}
}
