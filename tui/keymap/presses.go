package keymap

import "time"

// How soon the second press of a pair must come.
const (
	pairWindow = 500 * time.Millisecond
	QuitWindow = 2 * time.Second // for ctrl+c, where a hint is read in between
)

// Presses recognises a key pressed twice. The zero value is ready.
type Presses struct {
	last string
	at   time.Time
}

// Press takes the name of a key and the time of it, and gives the pair it
// completes, "esc esc", or "" if it is a first press. A pair uses up both
// presses, so a third begins anew. Another key in between breaks the pair.
func (p *Presses) Press(name string, now time.Time) string {
	window := pairWindow
	if name == "ctrl+c" {
		window = QuitWindow
	}
	since := now.Sub(p.at)
	if p.last == name && since >= 0 && since <= window {
		p.last = ""
		return name + " " + name
	}
	p.last, p.at = name, now
	return ""
}

// Reset forgets a first press, for when what it meant has changed.
func (p *Presses) Reset() { p.last = "" }
