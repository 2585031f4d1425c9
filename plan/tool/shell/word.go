package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one word that stands for itself, or a pattern of file names.
type word struct {
	text   string // what it says, patterns unexpanded
	glob   bool
	loose  bool   // the pattern could become any name, also one like an option
	script string // the same for a shell, quoted
}

// flag says whether the word may be an option.
func (w word) flag() bool { return len(w.text) > 1 && w.text[0] == '-' }

// readWord reads a word without anything that a shell would replace.
func readWord(w *syntax.Word) (word, error) {
	b := &wordBuilder{}
	for i, part := range w.Parts {
		if err := b.part(part, i == 0); err != nil {
			return word{}, err
		}
	}
	b.flush()
	out := word{text: b.text.String(), glob: b.glob, script: b.script.String()}
	if out.script == "" {
		out.script = "''"
	}
	out.loose = b.loose
	if out.glob && out.text[0] == '-' {
		return word{}, fmt.Errorf("the pattern %q could become an option; write ./%s", out.text, out.text)
	}
	return out, nil
}

type wordBuilder struct {
	text, script strings.Builder
	plain        []byte // to be quoted
	glob, loose  bool
}

func (b *wordBuilder) part(p syntax.WordPart, first bool) error {
	switch p := p.(type) {
	case *syntax.Lit:
		return b.bare(p.Value, first)
	case *syntax.SglQuoted:
		if p.Dollar {
			return errors.New("strings in $'' are not allowed; write the characters themselves")
		}
		b.add(p.Value)
		return nil
	case *syntax.DblQuoted:
		if p.Dollar {
			return errors.New(`strings in $"" are not allowed`)
		}
		for _, inner := range p.Parts {
			lit, ok := inner.(*syntax.Lit)
			if !ok {
				return replaced(inner)
			}
			b.quoted(lit.Value)
		}
		return nil
	}
	return replaced(p)
}

// replaced says what a shell would replace.
func replaced(p syntax.WordPart) error {
	switch p.(type) {
	case *syntax.ParamExp:
		return errors.New("variables are not allowed; write the value itself")
	case *syntax.CmdSubst:
		return errors.New("command substitution is not allowed; run the inner command first")
	case *syntax.ProcSubst:
		return errors.New("process substitution is not allowed")
	case *syntax.ArithmExp:
		return errors.New("arithmetic is not allowed")
	case *syntax.ExtGlob:
		return errors.New("extended patterns are not allowed")
	}
	return errors.New("a part of the line is replaced by the shell, which is not allowed")
}

func (b *wordBuilder) add(s string) {
	b.text.WriteString(s)
	b.plain = append(b.plain, s...)
}

// flush quotes what stands for itself.
func (b *wordBuilder) flush() {
	if len(b.plain) > 0 {
		b.script.WriteString(quote(string(b.plain)))
		b.plain = nil
	}
}

// quoted adds the text of a string in double quotes.
func (b *wordBuilder) quoted(s string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch next := s[i+1]; next {
			case '\n':
				i++
				continue
			case '$', '`', '"', '\\':
				i++
			}
		}
		b.add(s[i : i+1])
	}
}

// bare adds text without quotes.
func (b *wordBuilder) bare(s string, first bool) error {
	if first && strings.HasPrefix(s, "~") {
		if s != "~" && !strings.HasPrefix(s, "~/") {
			return errors.New("~NAME is not allowed; write the path")
		}
		b.script.WriteByte('~')
		b.text.WriteByte('~')
		s = s[1:]
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i+1 >= len(s) {
				return errors.New("the line ends in a backslash")
			}
			if i++; s[i] != '\n' {
				b.add(s[i : i+1])
			}
		case '{', '}':
			return errors.New("braces without quotes are not allowed; write the words one by one, or quote them")
		case '*', '?':
			b.pattern(s[i : i+1])
		case '[':
			if set := bracket(s[i:]); set != "" {
				b.pattern(set)
				i += len(set) - 1
			} else {
				b.add("[")
			}
		default:
			b.add(s[i : i+1])
		}
	}
	return nil
}

func (b *wordBuilder) pattern(s string) {
	b.flush()
	b.glob, b.loose = true, b.loose || b.text.Len() == 0
	b.text.WriteString(s)
	b.script.WriteString(s)
}

// bracket is the set of characters that s begins with, if it is a plain one.
func bracket(s string) string {
	end := strings.IndexByte(s[1:], ']')
	if end < 1 {
		return ""
	}
	for i, c := range []byte(s[1 : 1+end]) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !(c == '_' || c == '.' || c == '-' && i > 0 || (c == '^' || c == '!') && i == 0) {
			return ""
		}
	}
	return s[:end+2]
}

// quote makes a word of a shell that stands for s.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
