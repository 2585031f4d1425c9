package overlay

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/tui/composer"
	"planmode/tui/theme"
)

const (
	permitHint = "Enter choose · Esc deny · Ctrl+O all"
	reasonHint = "Enter deny · Esc back · Alt+Enter new line"
)

// Permission asks a session.Permit: may this call run?
type Permission struct {
	menu    Menu
	answers []session.GrantAnswer
	why     int // the row that asks for a reason
	reason  *composer.Box
	typing  bool
	full    bool // only what the call would do is shown
	x, y    int
}

// NewPermission makes the dialog for a call. A dangerous one opens on Deny.
func NewPermission(p session.Permit, th *theme.Theme, now func() time.Time) *Permission {
	d := &Permission{menu: NewMenu(th, now), reason: composer.NewBox(th, "> ")}
	m := &d.menu
	m.Title, m.Hint = or(p.Preview.Title, "Run "+text.Line(p.Call.Name)), th.Signs(permitHint)
	if p.Of > 1 && p.Place > 0 {
		m.Title += fmt.Sprintf(" %s %d of %d", th.Glyphs.Dot, p.Place, p.Of)
	}
	preview := p.Preview
	m.Body = func(width int) []string { return permitBody(m.theme, p, width) }
	d.add(Row{Key: "y", Label: "Allow once"}, session.GrantOnce)
	if preview.Scope != "" {
		d.add(Row{Key: "s", Label: "Allow " + or(preview.Meaning, "this") + " for this session"}, session.GrantSession)
	}
	if preview.Always.Rule != "" {
		d.add(Row{Key: "a", Label: "Always allow " + preview.Always.Meaning, Detail: "from now on, in every session"}, session.GrantAlways)
	}
	d.add(Row{Key: "n", Label: "Deny"}, session.GrantDeny)
	if preview.Danger != "" {
		m.Selected = len(m.Rows) - 1
	}
	d.why = len(m.Rows)
	d.add(Row{Key: "w", Label: "Deny and say why"}, session.GrantDeny)
	return d
}

func (d *Permission) add(row Row, answer session.GrantAnswer) {
	d.menu.Rows = append(d.menu.Rows, row)
	d.answers = append(d.answers, answer)
}

// permitBody shows everything of a preview, wrapped rather than cut, since what
// is out of sight may be what matters.
func permitBody(th *theme.Theme, asked session.Permit, width int) []string {
	p := asked.Preview
	var lines []string
	warn := func(s string) {
		for _, line := range th.Wrap(th.Glyphs.Bang+" "+sentence(text.Line(s)), width) {
			lines = append(lines, th.Warning.Render(line))
		}
	}
	for _, s := range []string{asked.Why, p.Danger} {
		if s != "" {
			warn(s)
		}
	}
	body := text.Clean(p.Body)
	if body != strings.ReplaceAll(p.Body, "\t", "    ") {
		warn("It holds characters that cannot be shown; they were left out here.")
	}
	if body = strings.TrimRight(body, "\n"); body == "" {
		return append(lines, alwaysLines(th, p, width)...)
	}
	styleOf := func(string) lipgloss.Style { return th.Text }
	if p.Diff {
		styleOf = th.DiffLines(th.Text)
	}
	for _, line := range strings.Split(body, "\n") {
		style := styleOf(line)
		for _, part := range th.Wrap(line, width) {
			lines = append(lines, style.Render(part))
		}
	}
	return append(lines, alwaysLines(th, p, width)...)
}

// sentence begins s with a capital.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// Key handles a key; done says that grant is the answer.
func (d *Permission) Key(msg tea.KeyPressMsg) (grant session.Grant, done bool) {
	if d.typing {
		return d.typeKey(msg)
	}
	if d.full || msg.String() == fullKey {
		d.fullKey(msg.String())
		return session.Grant{}, false
	}
	switch d.menu.Key(msg.String()) {
	case Cancelled:
		return session.Grant{Answer: session.GrantDeny}, true
	case Chosen:
		if d.menu.Selected == d.why {
			d.typing = true
			return session.Grant{}, false
		}
		return session.Grant{Answer: d.answers[d.menu.Selected]}, true
	}
	return session.Grant{}, false
}

func (d *Permission) typeKey(msg tea.KeyPressMsg) (session.Grant, bool) {
	switch msg.String() {
	case "esc":
		d.typing = false
	case "enter":
		return session.Grant{Answer: session.GrantDeny, Reason: strings.TrimSpace(d.reason.Value())}, true
	case "alt+enter", "shift+enter", "ctrl+j":
		d.reason.Insert("\n")
	case "pgup", "pgdown":
		d.menu.Key(msg.String())
	default:
		d.reason.Key(msg)
	}
	return session.Grant{}, false
}

// Paste goes to the text box, if it is open.
func (d *Permission) Paste(s string) {
	if d.typing {
		d.reason.Insert(s)
	}
}

// View draws at most height lines of exactly width cells.
func (d *Permission) View(width, height int) []string {
	if d.full {
		return d.fullView(width, height)
	}
	if !d.typing {
		return d.menu.View(width, height)
	}
	var lines []string
	lines, d.x, d.y = d.menu.ViewBox(d.reason, BoxLabel{"Deny, and say why", d.menu.theme.Signs(reasonHint)}, width, height)
	return lines
}

// Cursor is the place of the text cursor in the last view; false if no text is
// being typed.
func (d *Permission) Cursor() (x, y int, ok bool) { return d.x, d.y, d.typing }

// Wait is how long until it must be drawn again.
func (d *Permission) Wait() time.Duration { return d.menu.Wait() }

// SetTheme changes the appearance.
func (d *Permission) SetTheme(th *theme.Theme) {
	d.menu.SetTheme(th)
	d.reason.SetTheme(th)
}
