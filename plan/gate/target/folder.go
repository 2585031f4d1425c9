package target

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"planmode/plan/gate"
	"planmode/plan/text"
)

// maxWalked is how many files a search looks at before it gives up.
const maxWalked = 5000

// passedOver are folders that hold nothing a person wrote.
var passedOver = []string{"node_modules", ".git", "dist", "build", ".next", "__pycache__", ".obsidian", ".trash"}

// walk visits the files below root that could be reviewed, by their paths relative to
// it, in order; no link is followed.
func walk(root string, visit func(rel string)) {
	seen := 0
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if d != nil && d.IsDir() {
				return fs.SkipDir // it cannot be looked into
			}
			return nil
		case d.IsDir():
			if path != root && slices.Contains(passedOver, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if seen++; seen > maxWalked {
			return fs.SkipAll
		}
		if rel, err := filepath.Rel(root, path); err == nil && d.Type().IsRegular() && supported(path) {
			visit(rel)
		}
		return nil
	})
}

// find looks for a bare name, or the end of a path, below the working directory,
// in whatever case it is written.
func (o Options) find(word string) []string {
	want := strings.ToLower(filepath.ToSlash(filepath.Clean(word)))
	if word == "" || filepath.IsAbs(word) || strings.HasPrefix(want, "../") || !supported(word) {
		return nil
	}
	bare := !strings.Contains(want, "/")
	var found []string
	walk(o.Cwd, func(rel string) {
		have := strings.ToLower(filepath.ToSlash(rel))
		if have == want || bare && have[strings.LastIndexByte(have, '/')+1:] == want {
			found = append(found, rel)
		}
	})
	return found
}

// search reads the one file of a name.
func (o Options) search(ctx context.Context, word string) (Text, error) {
	for _, w := range spellings(word) {
		switch found := o.find(w); len(found) {
		case 0:
		case 1:
			place := filepath.Join(o.Cwd, found[0])
			o.say("Resolved: " + place)
			return o.read(ctx, place)
		default:
			return Text{}, ambiguousName(w, found)
		}
	}
	return Text{}, notFound(word)
}

// folder joins the files of a folder to one text, on which there is one decision.
func (o Options) folder(ctx context.Context, place string) (Text, error) {
	t := Text{Subject: gate.SubjectFolder, Path: place, Name: text.Line(filepath.Base(place)) + "/", Source: FromFolder}
	var b strings.Builder
	var left []string
	line := 1
	put := func(s string) {
		b.WriteString(s)
		line += strings.Count(s, "\n")
	}
	walk(place, func(rel string) {
		f, err := o.quiet().file(ctx, filepath.Join(place, rel))
		switch {
		case err != nil:
			left = append(left, rel)
			return
		case b.Len()+len(f.Markdown) > MaxBytes:
			left = append(left, rel+" (the folder is larger than 2MB)")
			return
		}
		body := strings.TrimRight(string(f.Markdown), "\n") + "\n"
		open, shut := "", ""
		if f.Plain {
			fence := strings.Repeat("`", max(3, longestRun(body)+1))
			open, shut = fence+"\n", fence+"\n"
		}
		put(fmt.Sprintf("# File: %s\n\n", text.Line(filepath.ToSlash(rel))) + open)
		t.Parts = append(t.Parts, Part{Path: filepath.ToSlash(rel), Line: line, Size: strings.Count(body, "\n")})
		t.Converted = t.Converted || f.Converted
		put(body + shut + "\n")
	})
	if len(t.Parts) == 0 {
		return Text{}, failf("No annotatable files (markdown, plain-text, config, or HTML) found in %s", place)
	}
	if len(left) > 0 {
		put("# Not shown\n\n")
		for _, l := range left {
			put("- " + text.Line(l) + "\n")
		}
	}
	o.say("Folder: " + place)
	t.Markdown = []byte(b.String())
	return t, nil
}

func (o Options) quiet() Options {
	o.Say = nil
	return o
}

func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
