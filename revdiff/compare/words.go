package compare

import (
	"unicode"
	"unicode/utf8"

	"planmode/revdiff/record"
)

const (
	// maxWordLine is the longest paragraph whose words are compared.
	maxWordLine = 8 << 10

	// maxWordPairs bounds the product of the words of both lines, for lines of
	// many short ones.
	maxWordPairs = 2_000_000

	// maxPairing bounds the product of removed and added lines of one change up
	// to which the most similar lines are paired; beyond it they are paired in
	// order.
	maxPairing = 2_500

	// alike is the share of common words from which two lines count as two
	// versions of one.
	alike = 0.4
)

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Pairs pairs removed with added lines, in order and without crossings, so
// that the similarity is greatest. The result has, for each removed line, the
// index of its added line or -1.
func Pairs(removed, added []string) []int {
	pairs := make([]int, len(removed))
	for i := range pairs {
		pairs[i] = -1
	}
	if len(removed)*len(added) > maxPairing {
		for i := range min(len(removed), len(added)) {
			pairs[i] = i
		}
		return pairs
	}
	bagsA, bagsB := bags(removed), bags(added)
	n, m := len(removed), len(added)
	score := make([][]float64, n+1)
	for i := range score {
		score[i] = make([]float64, m+1)
	}
	like := func(i, j int) float64 {
		if s := bagsA[i].similarity(bagsB[j]); s >= alike {
			return s
		}
		return -1
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			score[i][j] = max(score[i+1][j], score[i][j+1], score[i+1][j+1]+like(i, j))
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch s := like(i, j); {
		case s >= 0 && score[i][j] == score[i+1][j+1]+s:
			pairs[i] = j
			i, j = i+1, j+1
		case score[i][j] == score[i+1][j]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// bag counts the words of a line.
type bag struct {
	words map[string]int
	size  int
}

func bags(lines []string) []bag {
	out := make([]bag, len(lines))
	for i, line := range lines {
		out[i] = bagOf(words(line[:min(len(line), maxWordLine)]))
	}
	return out
}

func bagOf(words []string) bag {
	b := bag{words: make(map[string]int, len(words))}
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsSpace(r) {
			b.words[w] += len(w)
			b.size += len(w)
		}
	}
	return b
}

func (b bag) similarity(c bag) float64 {
	if b.size+c.size == 0 {
		return 0
	}
	common := 0
	for w, n := range b.words {
		common += min(n, c.words[w])
	}
	return 2 * float64(common) / float64(b.size+c.size)
}

// words cuts a line into runs of letters and digits, runs of blanks, and single
// other characters; a CJK character is a word of its own.
func words(line string) []string {
	var out []string
	start, last := 0, 0
	for i, r := range line {
		class := wordClass(r)
		if i > start && (class != last || class == 0) {
			out = append(out, line[start:i])
			start = i
		}
		last = class
	}
	if start < len(line) {
		out = append(out, line[start:])
	}
	return out
}

func wordClass(r rune) int {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return 0
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', unicode.Is(unicode.Mn, r):
		return 1
	case unicode.IsSpace(r):
		return 2
	}
	return 0
}

// Words are the parts of each text that the other does not have; none when they
// have too little in common for marks to mean anything.
func Words(old, new string) (gone, fresh []Span) {
	gone, fresh, _ = changedWords(old, new)
	return gone, fresh
}

// changedWords are the parts of each text that the other does not have. It fails
// when they are too long or have too little in common for the marks to mean
// anything.
func changedWords(old, new string) (gone, fresh []Span, related bool) {
	if len(old) > maxWordLine || len(new) > maxWordLine {
		return nil, nil, false
	}
	oldWords, newWords := words(old), words(new)
	if len(oldWords)*len(newWords) > maxWordPairs || bagOf(oldWords).similarity(bagOf(newWords)) < alike/2 {
		return nil, nil, false
	}
	a, b, common := 0, 0, 0
	for _, e := range Exact(oldWords, newWords) {
		switch e.Op {
		case record.Context:
			n := len(oldWords[e.Old-1])
			a, b, common = a+n, b+n, common+n
		case record.Removed:
			n := len(oldWords[e.Old-1])
			gone = extend(gone, Span{a, a + n})
			a += n
		case record.Added:
			n := len(newWords[e.New-1])
			fresh = extend(fresh, Span{b, b + n})
			b += n
		}
	}
	if 4*common < min(len(old), len(new)) {
		return nil, nil, false
	}
	return bridge(gone, old), bridge(fresh, new), true
}

func extend(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && spans[n-1].End == s.Start {
		spans[n-1].End = s.End
		return spans
	}
	return append(spans, s)
}

// bridge joins spans that only blanks separate: a changed phrase is one mark.
func bridge(spans []Span, line string) []Span {
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && blank(line[out[n-1].End:s.Start]) {
			out[n-1].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

func blank(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}
