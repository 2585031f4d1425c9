package reviewer

// Pairs pairs removed with added lines as the reviewer does: for each removed line
// the index of the added line that it became, or -1.
func Pairs(removed, added []string) []int { return pairLines(removed, added) }

// ChangedWords are the half-open ranges of bytes of two lines that the other does
// not have; none when the lines have too little in common.
func ChangedWords(old, new string) (gone, fresh [][2]int) {
	g, f := changedWords(old, new)
	return ranges(g), ranges(f)
}

func ranges(spans []span) [][2]int {
	var out [][2]int
	for _, s := range spans {
		out = append(out, [2]int{s.start, s.end})
	}
	return out
}
