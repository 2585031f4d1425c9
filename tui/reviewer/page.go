package reviewer

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// page covers the text with a list of rows: to choose from, or to read.
type page struct {
	title  string
	rows   []string                          // clean and without style
	sel    int                               // the chosen row, or the first one shown of a text
	choose func(int) tea.Cmd                 // nil for a text
	digits bool                              // a digit chooses its row
	act    func(name string) (tea.Cmd, bool) // keys of its own; may be nil
	remove func() tea.Cmd                    // d, on the chosen row; may be nil
	hint   string
}

func (m *Model) pageKey(name string) tea.Cmd {
	p, height := m.page, m.bodyHeight()-1
	if p.act != nil {
		if cmd, used := p.act(name); used {
			return cmd
		}
	}
	last := len(p.rows) - 1
	if p.choose == nil {
		last = max(len(p.rows)-height, 0)
	}
	switch name {
	case "j", "down":
		p.sel++
	case "k", "up":
		p.sel--
	case "pgdown", "space", "ctrl+d":
		p.sel += height
	case "pgup", "ctrl+u":
		p.sel -= height
	case "g", "home":
		p.sel = 0
	case "G", "end":
		p.sel = last
	case "enter":
		m.page = nil
		if p.choose != nil && len(p.rows) > 0 {
			return p.choose(p.sel)
		}
		return nil
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		if n := int(name[0] - '1'); p.digits && n <= last {
			m.page = nil
			return p.choose(n)
		}
	case "d":
		if p.remove != nil && len(p.rows) > 0 {
			return p.remove()
		}
	case "esc", "q", "t", "i", "?", "@":
		m.page = nil
		return nil
	}
	p.sel = max(min(p.sel, last), 0)
	return nil
}

func (m *Model) pageView(width, height int) []string {
	p := m.page
	out := []string{m.theme.Rule(p.title, width)}
	if p.choose == nil {
		return m.theme.Block(append(out, p.rows[min(p.sel, len(p.rows)):]...), width, height)
	}
	from := windowStart(len(p.rows), p.sel, height-1)
	for i := from; i < len(p.rows) && len(out) < height; i++ {
		row := m.theme.Fit("  "+p.rows[i], width)
		if i == p.sel {
			row = m.theme.Selection.Render(m.theme.Fit(m.theme.Glyphs.Pointer+" "+p.rows[i], width))
		}
		out = append(out, row)
	}
	return m.theme.Block(out, width, height)
}

func (m *Model) openContents() {
	rows := make([]string, len(m.subject.headings))
	for i, h := range m.subject.headings {
		rows[i] = strings.Repeat("  ", min(h.level-1, 4)) + h.title
	}
	m.page = &page{title: "Contents", rows: rows, sel: max(m.section(), 0), hint: "Enter go  Esc back",
		choose: func(i int) tea.Cmd { m.toLine(m.subject.headings[i].line); return nil }}
}

func (m *Model) openAbout() {
	if m.about == "" {
		m.message = "no description was given"
		return
	}
	m.page = &page{title: m.aboutTitle(), rows: m.theme.Wrap(m.about, max(m.width-1, 1)), hint: "Esc back  j/k scroll"}
}

// lastRound is what a description is called that does not name itself.
const lastRound = "What you said last round"

// aboutTitle is the heading that the description begins with.
func (m *Model) aboutTitle() string {
	first, _, _ := strings.Cut(m.about, "\n")
	if title, ok := strings.CutPrefix(first, "# "); ok && !strings.HasPrefix(title, "What you said") {
		return m.theme.Cut(title, 40)
	}
	return lastRound
}

// aboutHint is that in the middle of a line.
func (m *Model) aboutHint() string {
	if title := m.aboutTitle(); title != lastRound {
		return title
	}
	return "what you said last round"
}

const helpMove = `Move
  j k  arrows          line
  space  PgDn PgUp     page; Ctrl+D Ctrl+U half a page
  g G  Home End        first line, last line
  J K                  scroll
  left right           sideways, while lines are not wrapped
  ] [                  next change, the one before
  ) (                  next heading, the one before
  } {                  next note, the one before
  /                    search; up and down recall, Esc ends it
  n N                  next match, the one before
  t  Tab               contents list; go into it`

const helpLook = `Look
  r                    source text, or the document as it reads
  w W L                wrapping, changed words, line numbers
  i M                  description, mouse (wheel, click, drag)
  in a comparison:
  C v |                changes only, new text only, side by side
  r                    bare lines; else » moved, = or ≈ only rewrapped`

// helpHang is where the second column of the help begins.
const helpHang = 23

func (m *Model) openHelp() {
	var rows []string
	for line := range strings.SplitSeq(strings.Join([]string{helpMove, helpSay, helpPast, helpLook, helpEnd}, "\n\n"), "\n") {
		hang := helpHang
		if !strings.HasPrefix(line, "  ") || m.width < 2*helpHang || strings.HasPrefix(line, "  in a") {
			hang = 2
		}
		for _, row := range wrap([]piece{{line, faceText}}, max(m.width-1, 1), []piece{{spaces(hang), faceText}}) {
			rows = append(rows, plainText(row))
		}
	}
	m.page = &page{title: "Keys", rows: rows, hint: "Esc back  j/k scroll"}
}
