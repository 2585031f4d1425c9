package target

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"planmode/plan/tool/web"
)

// Options are what a target is looked for with.
type Options struct {
	Cwd     string // where names begin, and what is searched for a bare one
	Home    string // what ~ stands for
	Stdin   io.Reader
	Strict  bool     // one word, which is the target
	Hook    bool     // without a word, standard input names the file
	Raw     bool     // HTML is shown as it is written
	Private bool     // addresses of the own network may be read
	Content []string // flags about content, for the hint how to run it again
	// Fetch reads a page; nil reads it from the network.
	Fetch func(ctx context.Context, o web.Options, address string) (web.Page, error)
	// Say tells on the way what was found, one line at a time; nil tells nobody.
	Say func(line string)
}

func (o Options) say(line string) {
	if o.Say != nil {
		o.Say(line)
	}
}

// hit is a word that names something, and what that is.
type hit struct {
	word  string
	place string // canonical path or address
	url   bool
}

// Resolve finds what the words name and reads it. Agents write prose around a name:
// of several words the one that names something counts, if there is exactly one.
func Resolve(ctx context.Context, o Options, words []string) (Text, error) {
	if o.Fetch == nil {
		o.Fetch = web.Fetch
	}
	switch {
	case len(words) == 0 && o.Hook:
		word, err := fromHook(o.Stdin)
		if err != nil {
			return Text{}, err
		}
		return o.one(ctx, word)
	case len(words) == 0:
		return Text{}, failf("Usage: planmode annotate %s [--gate] [--json] [--hook]", targets)
	case len(words) == 1 || o.Strict:
		return o.one(ctx, words[0])
	}
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			return o.one(ctx, words[0])
		}
	}
	return o.among(ctx, words)
}

// one reads the target that a single word names.
func (o Options) one(ctx context.Context, word string) (Text, error) {
	if word == "-" {
		return o.standardInput()
	}
	for _, w := range spellings(word) {
		if isURL(w) {
			return o.page(ctx, w)
		}
	}
	for _, w := range spellings(word) {
		if place := o.locate(w); exists(place) {
			return o.read(ctx, place)
		}
	}
	return o.search(ctx, word)
}

// among finds the one word that names something.
func (o Options) among(ctx context.Context, words []string) (Text, error) {
	var distinct []string
	for _, w := range words {
		if !slices.Contains(distinct, w) {
			distinct = append(distinct, w)
		}
	}
	if len(distinct) == 1 {
		return o.one(ctx, distinct[0])
	}
	var hits []hit
	for _, w := range distinct {
		h, err := o.probe(w)
		if err != nil {
			return Text{}, err
		}
		if h.place != "" && !slices.ContainsFunc(hits, func(x hit) bool { return x.place == h.place }) {
			hits = append(hits, h)
		}
	}
	switch len(hits) {
	case 0:
		return Text{}, handoff(distinct, o.Content)
	case 1:
		if hits[0].url {
			return o.page(ctx, hits[0].place)
		}
		o.say("Resolved: " + hits[0].place)
		return o.read(ctx, hits[0].place)
	}
	return Text{}, ambiguousWords(hits)
}

// probe says what one of several words names, if anything. A folder counts only if
// the word looks like a path, so that a word of a sentence is never one.
func (o Options) probe(word string) (hit, error) {
	for _, w := range spellings(word) {
		if isURL(w) {
			return hit{word, w, true}, nil
		}
	}
	for _, w := range spellings(word) {
		place := o.locate(w)
		info, err := os.Stat(place)
		if err != nil || info.IsDir() && !strings.ContainsAny(w, `/\`) {
			continue
		}
		return hit{word, canonical(place), false}, nil
	}
	for _, w := range spellings(word) {
		switch found := o.find(w); len(found) {
		case 0:
		case 1:
			return hit{word, canonical(filepath.Join(o.Cwd, found[0])), false}, nil
		default:
			return hit{}, ambiguousName(w, found)
		}
	}
	return hit{}, nil
}

// spellings are the ways in which a word may be meant: without quotes around it, and
// without the sign that some agents write before a file; that as it is comes last.
func spellings(word string) []string {
	w := unquoted(word)
	if rest, at := strings.CutPrefix(w, "@"); at && rest != "" {
		return []string{unquoted(rest), w}
	}
	return []string{w}
}

func unquoted(w string) string {
	for _, q := range []string{`"`, "'", "`"} {
		if len(w) > 2 && strings.HasPrefix(w, q) && strings.HasSuffix(w, q) {
			return w[1 : len(w)-1]
		}
	}
	return w
}

func isURL(w string) bool {
	lower := strings.ToLower(w)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// locate is the path that a word would be.
func (o Options) locate(w string) string {
	if w == "~" || strings.HasPrefix(w, "~/") {
		w = filepath.Join(o.Home, w[1:])
	}
	if filepath.IsAbs(w) {
		return filepath.Clean(w)
	}
	return filepath.Join(o.Cwd, w)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// canonical is a path without links, or the path where that cannot be known.
func canonical(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
