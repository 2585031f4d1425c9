package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/text/encoding/unicode"

	"planmode/plan/gate"
	"planmode/plan/text"
	"planmode/plan/tool/web"
)

// MaxBytes is the most that one target may hold.
const MaxBytes = 2 << 20

// types are the endings of files that are text to be read, not code.
var types = []string{".md", ".mdx", ".markdown", ".txt", ".html", ".htm", ".yaml", ".yml", ".json", ".jsonc", ".json5", ".toml", ".ini", ".cfg", ".conf",
	".properties", ".csv", ".tsv", ".log", ".xml", ".rst", ".adoc"}

// supported says whether a file of that name may be reviewed. A file with secrets is
// none, the sample beside it is.
func supported(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return name == ".env.example" || slices.Contains(types, filepath.Ext(name))
}

func isHTML(path string) bool {
	return slices.Contains([]string{".html", ".htm"}, strings.ToLower(filepath.Ext(path)))
}

// isMarkdown says whether the text of a file is meant as Markdown.
func isMarkdown(path string) bool {
	return slices.Contains([]string{".md", ".mdx", ".markdown", ".txt", ".html", ".htm"}, strings.ToLower(filepath.Ext(path)))
}

// Reviewable says whether a file that an agent wrote is text for people, so that a
// hook for every file leaves code and data alone.
func Reviewable(path string) bool { return path != "" && supported(path) && isMarkdown(path) }

func unsupported(path string) error {
	kind := filepath.Ext(path)
	if kind == "" {
		kind = filepath.Base(path)
	}
	return failf("File type not supported: %s\nSupported types: %s\nTo look at code changes use a diff reviewer, such as revdiff or planmode reviewer.",
		kind, strings.Join(types, ", "))
}

// read reads what is at a path.
func (o Options) read(ctx context.Context, place string) (Text, error) {
	info, err := os.Stat(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Text{}, notFound(place)
	case err != nil:
		return Text{}, unreadable(place, err)
	case info.IsDir():
		return o.folder(ctx, canonical(place))
	case !info.Mode().IsRegular():
		return Text{}, failf("Not a regular file: %s", place)
	case !supported(place):
		return Text{}, unsupported(place)
	}
	return o.file(ctx, place)
}

func unreadable(place string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return failf("Cannot read %s: %v", place, err)
}

// file reads one file.
func (o Options) file(ctx context.Context, place string) (Text, error) {
	raw, err := contents(place)
	if err != nil {
		return Text{}, err
	}
	t := Text{Subject: gate.SubjectFile, Path: canonical(place), Name: text.Line(filepath.Base(place)), Source: FromFile, Plain: !isMarkdown(place)}
	if isHTML(place) && !o.Raw {
		said, err := o.converted(ctx, place, raw)
		if err != nil {
			return Text{}, err
		}
		t.Markdown, t.Converted = []byte(said), true
		o.say("Converted: " + place)
		return t, nil
	}
	said, err := decode(raw)
	if err != nil {
		return Text{}, failf("Cannot review %s: %v", place, err)
	}
	if isHTML(place) {
		t.Plain = true
		o.say("Raw HTML: " + place)
	}
	t.Markdown = []byte(said)
	return t, nil
}

// contents reads a regular file and nothing else. The open never waits, whatever has
// taken the name since it was looked at.
func contents(place string) ([]byte, error) {
	f, err := os.OpenFile(place, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unreadable(place, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, unreadable(place, err)
	case !info.Mode().IsRegular():
		return nil, failf("Not a regular file: %s", place)
	}
	raw, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	switch {
	case err != nil:
		return nil, unreadable(place, err)
	case len(raw) > MaxBytes:
		return nil, tooLarge(place)
	}
	return raw, nil
}

// conversionTime bounds the conversion of one document.
const conversionTime = 10 * time.Second

func (o Options) converted(ctx context.Context, place string, raw []byte) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, conversionTime)
	defer cancel()
	said, err := web.Document(ctx, raw, &url.URL{Scheme: "file", Path: filepath.ToSlash(place)})
	if err != nil {
		return "", failf("Cannot convert %s: %v", place, err)
	}
	return text.Visible([]byte(said)), nil
}

// decode brings a text to UTF-8 with all of it to be seen. What is no text is refused.
func decode(raw []byte) (string, error) {
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(raw)
		if err != nil {
			return "", fmt.Errorf("it is not valid UTF-16: %w", err)
		}
		return text.Visible(out), nil
	}
	if bytes.IndexByte(raw[:min(len(raw), 8<<10)], 0) >= 0 {
		return "", errors.New("it is binary, not text")
	}
	return text.Visible(raw), nil
}

// page reads a page of the web as Markdown.
func (o Options) page(ctx context.Context, address string) (Text, error) {
	o.say("Fetching: " + address)
	p, err := o.Fetch(ctx, web.Options{Private: o.Private}, address)
	if err != nil {
		hint := ""
		if errors.Is(err, web.ErrPrivate) {
			hint = "; --allow-private reads it all the same"
		}
		return Text{}, failf("Failed to fetch URL: %s: %v%s", address, err, hint)
	}
	if p.Cut {
		o.say("The page is long: only its beginning is reviewed")
	}
	name := p.Title
	if name == "" {
		name = p.URL
	}
	return Text{Subject: gate.SubjectFile, Path: p.URL, Name: text.Line(name), Markdown: []byte(text.Visible([]byte(p.Text + "\n"))), Source: FromURL, Converted: true}, nil
}
