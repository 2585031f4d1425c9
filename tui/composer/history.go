package composer

import "slices"

// maxHistory is how many messages are kept for recall.
const maxHistory = 500

// draft is a text being written, with its chips.
type draft struct {
	text  string
	chips []chip
}

// history recalls earlier messages. Place len(items) is the text being written;
// what was changed at a place is kept until something is sent.
type history struct {
	items  []draft
	at     int
	edited map[int]draft
}

// add appends a message, unless it repeats the last one, and goes to the end.
func (h *history) add(d draft) {
	repeats := len(h.items) > 0 && h.items[len(h.items)-1].text == d.text && len(d.chips) == 0
	if d.text != "" && !repeats {
		h.items = append(h.items, draft{d.text, slices.Clone(d.chips)})
	}
	if n := len(h.items) - maxHistory; n > 0 {
		h.items = h.items[n:]
	}
	h.at, h.edited = len(h.items), nil
}

// move goes by delta places, keeping current for when the person comes back;
// false at either end.
func (h *history) move(delta int, current draft) (draft, bool) {
	to := h.at + delta
	if to < 0 || to > len(h.items) {
		return draft{}, false
	}
	if h.edited == nil {
		h.edited = map[int]draft{}
	}
	h.edited[h.at] = draft{current.text, slices.Clone(current.chips)}
	h.at = to
	if d, ok := h.edited[to]; ok {
		return d, true
	}
	if to == len(h.items) {
		return draft{}, true
	}
	return h.items[to], true
}
