package transcript

import (
	"strings"

	"planmode/plan/proposal"
	"planmode/plan/text"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

// onTheSpot is how many bytes of Markdown are rendered while a frame is drawn,
// which takes about 2 ms. Short answers so never show their markup.
const onTheSpot = 256

// assistant draws a finished message: as Markdown once that is rendered, as
// plain text until then.
func (tr *Transcript) assistant(p pen, id string, a tree.Assistant, planning bool) []string {
	var out []string
	if p.expanded && strings.TrimSpace(a.Reasoning) != "" {
		out = append(out, p.para("", p.t.Dim, a.Reasoning)...)
		out = append(out, "")
	}
	if strings.TrimSpace(a.Text) != "" {
		out = append(out, tr.body(p, id, a.Text, standing{planning, a.Stopped != ""})...)
	}
	if a.Stopped != "" {
		out = append(out, p.line(p.t.Warning.Render(stopped(p, a.Stopped))))
	}
	return out
}

func stopped(p pen, why string) string {
	word := map[string]string{
		"interrupted": "interrupted",
		"error":       "ended by an error",
		"mode":        "ended by the change of mode",
	}[why]
	if word == "" {
		word = text.Line(why)
	}
	return p.t.Glyphs.Bang + " " + word
}

func (tr *Transcript) body(p pen, id, s string, st standing) []string {
	plans := proposal.Mentions(s)
	if !plans && (len(s) > maxMarkdown || !marked(s)) {
		return Markdown(p.t, s, p.width)
	}
	key := tr.markdownKey(id)
	if lines, ok := tr.rendered.get(key); ok {
		return lines
	}
	if len(s) <= tr.spare {
		tr.spare -= len(s)
		return message(p, s, st, rich(p.t))
	}
	tr.rendered.want(Job{key: key, theme: p.t, text: s, standing: st})
	return message(p, s, st, unstyled(p.t))
}

// renderLive draws what the running turn shows before it is an entry.
func (tr *Transcript) renderLive(p pen) []string {
	var out []string
	if s := strings.TrimSpace(tr.live.Reasoning); s != "" && strings.TrimSpace(tr.live.Text) == "" {
		if p.expanded {
			out = append(out, p.para("", p.t.Dim, s)...)
		} else {
			out = append(out, p.line(p.t.Dim.Render("Thinking: "+text.Line(s[strings.LastIndexByte(s, '\n')+1:]))))
		}
	}
	if strings.TrimSpace(tr.live.Text) != "" {
		out = append(out, tr.tail.lines(p, tr.live.Text)...)
	}
	for i := range tr.live.Calls {
		c := &tr.live.Calls[i]
		if _, shown := tr.calls[c.ID]; !shown {
			out = append(out, toolLines(p, tool.Call{ID: c.ID, Name: c.Name, Args: []byte(c.Args)}, nil, c)...)
		}
	}
	if len(out) > 0 && len(tr.nodes) > 0 {
		out = append([]string{""}, out...)
	}
	return out
}

// streaming keeps the wrapped lines of text that grows at its end, so that a new
// piece costs what is new.
type streaming struct {
	done  string // the text up to its last newline
	wraps []string
	width int
	theme string
}

// gutter stands before every line.
func (s *streaming) lines(p pen, full, gutter string) []string {
	if s.width != p.width || s.theme != p.t.Version() || !strings.HasPrefix(full, s.done) {
		*s = streaming{width: p.width, theme: p.t.Version()}
	}
	if cut := strings.LastIndexByte(full, '\n') + 1; cut > len(s.done) {
		fresh := text.Clean(full[len(s.done):cut])
		for _, l := range p.t.Wrap(strings.TrimSuffix(fresh, "\n"), p.width) {
			s.wraps = append(s.wraps, strings.TrimRight(gutter+l, " "))
		}
		s.done = full[:cut]
	}
	out := s.wraps[:len(s.wraps):len(s.wraps)]
	if rest := text.Clean(full[len(s.done):]); rest != "" {
		for _, l := range p.t.Wrap(rest, p.width) {
			out = append(out, gutter+l)
		}
	}
	return out
}
