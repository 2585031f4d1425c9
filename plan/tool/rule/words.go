package rule

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one word of a command. Its text is known only when it is fixed: when
// nothing in it is substituted.
type word struct {
	text  string
	fixed bool
	plain bool // fixed, and the shell does not look for file names by it either
}

func readShell(line string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
}

// fixedWord is the text of a word as a program would get it.
func fixedWord(w *syntax.Word) word {
	out := word{fixed: true, plain: true}
	var b strings.Builder
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text, plain := unescape(p.Value, i == 0)
			b.WriteString(text)
			out.plain = out.plain && plain
		case *syntax.SglQuoted:
			out.fixed = out.fixed && (!p.Dollar || !strings.Contains(p.Value, `\`))
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					return word{}
				}
				b.WriteString(unescapeQuoted(lit.Value))
			}
		default:
			return word{}
		}
	}
	out.text = b.String()
	out.plain = out.plain || out.text == "[" // the program
	out.plain = out.plain && out.fixed
	return out
}

// unescape takes the backslashes out of unquoted text and says whether it is free
// of signs by which the shell would make other words of it.
func unescape(s string, first bool) (text string, plain bool) {
	plain = !first || !strings.HasPrefix(s, "~")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			if i++; s[i] != '\n' {
				b.WriteByte(s[i])
			}
		case strings.IndexByte("*?[]{}", c) >= 0:
			plain = false
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), plain
}

// unescapeQuoted is unescape inside double quotes, where a backslash stands for
// itself before most characters.
func unescapeQuoted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\\"$`\n", s[i+1]) >= 0 {
			if i++; s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

var errNotPlain = errors.New("only the plain words that a command begins with can be named: no pipes, quotes that substitute, patterns or redirections")

// plainWords are the words of a line that is one simple command of fixed words and
// nothing else.
func plainWords(line string) ([]string, error) {
	f, err := readShell(line)
	if err != nil || len(f.Stmts) != 1 {
		return nil, errNotPlain
	}
	s := f.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || s.Disown || s.Semicolon.IsValid() || len(s.Redirs) > 0 || len(call.Assigns) > 0 {
		return nil, errNotPlain
	}
	var out []string
	for _, w := range call.Args {
		known := fixedWord(w)
		if !known.plain {
			return nil, errNotPlain
		}
		out = append(out, known.text)
	}
	return out, nil
}

// prefix reads the words of a rule; none stands for every command.
func prefix(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	words, err := plainWords(text)
	if err == nil && (len(words) == 0 || words[0] == "") {
		err = errNotPlain
	}
	return words, err
}

// plainBegins says whether a line is one plain command that begins with exactly
// these words: another path to the program is another program.
func plainBegins(line string, words []string) bool {
	have, err := plainWords(line)
	if err != nil || len(words) == 0 || len(have) < len(words) {
		return false
	}
	for i, w := range words {
		if have[i] != w {
			return false
		}
	}
	return true
}
