package demo

import (
	"fmt"
	"strings"
	"unicode"
)

// lang is the language the agent writes in.
type lang string

const (
	english lang = "en"
	chinese lang = "zh-CN"
)

// f fills in the format of the language. Both formats take the same arguments
// in the same order.
func (l lang) f(en, zh string, args ...any) string {
	if l == chinese {
		return fmt.Sprintf(zh, args...)
	}
	return fmt.Sprintf(en, args...)
}

// pick chooses between two texts that are no formats.
func (l lang) pick(en, zh string) string {
	if l == chinese {
		return zh
	}
	return en
}

// list joins quoted names for a sentence.
func (l lang) list(names []string) string {
	return strings.Join(names, l.f(", ", "、"))
}

// language decides the language of this turn: what the host demands, else that
// of the plan at hand, else that of the person.
func (t *talk) language() lang {
	switch lang(t.turn.Language) {
	case chinese:
		return chinese
	case english:
		return english
	}
	return languageOf(t.goal())
}

// languageOf says which language a text is mainly written in. A Han character
// counts as a word, since technical terms stay Latin in Chinese text.
func languageOf(s string) lang {
	han, words, in := 0, 0, false
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
			in = false
		case unicode.IsLetter(r):
			if !in {
				words++
			}
			in = true
		case !unicode.IsDigit(r) && r != '\'' && r != '_':
			in = false
		}
	}
	if han > words {
		return chinese
	}
	return english
}
