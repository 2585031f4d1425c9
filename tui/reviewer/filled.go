package reviewer

import (
	"strings"
	"unicode/utf8"

	"planmode/plan/text"
)

// minFilled is the narrowest column that prose is filled to.
const minFilled = 50

// filled says that lines are one paragraph that was filled to some column, so
// that their line ends mean nothing. Lines that end early, or that are a
// sentence each, were ended on purpose: they are what a person comments on.
func filled(lines []string) bool {
	if len(lines) < 2 {
		return false
	}
	column := 0
	for _, line := range lines {
		column = max(column, text.Width(strings.TrimSpace(line)))
	}
	if column < minFilled {
		return false
	}
	sentences := true
	for i, line := range lines[:len(lines)-1] {
		line = strings.TrimSpace(line)
		if text.Width(line)+firstWord(lines[i+1]) < column {
			return false
		}
		end, _ := utf8.DecodeLastRuneInString(line)
		sentences = sentences && strings.ContainsRune(".!?:;。！？：；", end)
	}
	return !sentences
}

// firstWord is the cells of what would have to fit on the line before, with a
// blank.
func firstWord(line string) int {
	line = strings.TrimLeft(line, " >")
	for i, r := range line {
		if r == ' ' {
			return text.Width(line[:i]) + 1
		}
		if r > 0x2e80 {
			return text.Width(line[:i+utf8.RuneLen(r)])
		}
	}
	return text.Width(line) + 1
}
