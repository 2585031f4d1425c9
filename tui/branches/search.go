package branches

import (
	"maps"
	"strings"

	"planmode/plan/session"
)

// searched bounds what of an entry can be found.
const searched = 1000

// Haystack is the text of every entry, made once for a search.
type Haystack struct{ of []string }

// Haystack returns a function that reads the entries; it takes a while for a long
// session and may run on any goroutine.
func (b *Browser) Haystack() func() Haystack {
	entries, labels := b.source.entries, maps.Clone(b.source.labels)
	return func() Haystack {
		h := Haystack{of: make([]string, len(entries))}
		for i, e := range entries {
			h.of[i] = hay(e, labels[e.ID])
		}
		return h
	}
}

func hay(e session.Item, label string) string {
	who, _ := line(e)
	what := whole(e)
	if len(what) > searched {
		what = what[:searched]
	}
	return strings.ToLower(who + " " + what + " " + label)
}

// found are the entries that held every word of a query, whatever the filter.
type found struct {
	query string
	in    []bool
}

// match keeps what holds the query. A query that grew is looked for only in what
// held the shorter one.
func (b *Browser) match(shown []bool) []bool {
	if b.found.query != b.query || b.found.in == nil {
		among := b.found.in
		if among == nil || b.found.query == "" || !strings.HasPrefix(b.query, b.found.query) {
			among = nil
		}
		b.found = found{b.query, b.hay.matches(b.query, among)}
	}
	for i, in := range b.found.in {
		shown[i] = shown[i] && in
	}
	return shown
}

// matches marks the entries that hold every word of a query, among some or, if nil,
// all.
func (h Haystack) matches(query string, among []bool) []bool {
	words := strings.Fields(strings.ToLower(query))
	out := make([]bool, len(h.of))
	for i, s := range h.of {
		out[i] = (among == nil || among[i]) && holdsAll(s, words)
	}
	return out
}

func holdsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}
