// Package keymap turns the names of keys into actions. Keys are matched by the
// name Bubble Tea gives them, never by modifier bits, since lock keys appear in
// those. A name may also be a key pressed twice, written "esc esc".
//
// A bad override never fails: it is left out, its default stays, and a warning
// says so.
package keymap

import (
	"slices"
	"strings"
)

// Action names what a key does. The strings are written in the configuration.
type Action string

// The actions of the screen.
const (
	PlanToggle   Action = "plan.toggle"
	PlanSteps    Action = "plan.steps"
	Expand       Action = "expand"
	Interrupt    Action = "interrupt"
	Submit       Action = "submit"
	Newline      Action = "newline"
	QueueEdit    Action = "queue.edit"
	HistoryPrev  Action = "history.prev"
	HistoryNext  Action = "history.next"
	Accept       Action = "complete.accept"
	Clear        Action = "clear"
	Quit         Action = "quit"
	QuitEmpty    Action = "quit.empty"
	Suspend      Action = "suspend"
	Redraw       Action = "redraw"
	Editor       Action = "editor"
	PasteImage   Action = "image.paste"
	History      Action = "history.find"
	Find         Action = "find"
	EventPrev    Action = "event.prev"
	EventNext    Action = "event.next"
	ScrollUp     Action = "scroll.up"
	ScrollDown   Action = "scroll.down"
	PageUp       Action = "scroll.pageup"
	PageDown     Action = "scroll.pagedown"
	ScrollTop    Action = "scroll.top"
	ScrollBottom Action = "scroll.bottom"
)

// Binding is an action with its keys, as a list of keys shows it.
type Binding struct {
	Action Action
	Keys   []string
	Does   string
}

var defaults = []Binding{
	{PlanToggle, []string{"ctrl+alt+p", "shift+tab"}, "turn Plan Mode on or off"},
	{PlanSteps, []string{"ctrl+alt+o"}, "expand or collapse the plan summary"},
	{Expand, []string{"ctrl+o"}, "expand or collapse tool output"},
	{Interrupt, []string{"esc esc", "alt+esc"}, "interrupt the running turn"},
	{Submit, []string{"enter"}, "send the message, or queue it while a turn runs"},
	{Newline, []string{"alt+enter", "shift+enter", "ctrl+j"}, "break the line"},
	{QueueEdit, []string{"alt+up"}, "take the last queued message back"},
	{HistoryPrev, []string{"up"}, "earlier message, on the first line"},
	{HistoryNext, []string{"down"}, "later message, on the last line"},
	{Accept, []string{"tab"}, "accept the completion"},
	{Clear, []string{"ctrl+c"}, "clear the text"},
	{Quit, []string{"ctrl+c ctrl+c"}, "quit"},
	{QuitEmpty, []string{"ctrl+d"}, "quit, if there is no text"},
	{Suspend, []string{"ctrl+z"}, "suspend"},
	{Redraw, []string{"ctrl+l"}, "draw the screen again"},
	{Editor, []string{"ctrl+g"}, "write the message in your editor"},
	{PasteImage, []string{"ctrl+v"}, "show the agent the image in the clipboard"},
	{History, []string{"ctrl+r"}, "find something you said"},
	{Find, []string{"ctrl+s"}, "search the conversation"},
	{EventPrev, []string{"alt+,"}, "go to the plan event before"},
	{EventNext, []string{"alt+."}, "go to the plan event after"},
	{ScrollUp, []string{"shift+up"}, "scroll up"},
	{ScrollDown, []string{"shift+down"}, "scroll down"},
	{PageUp, []string{"pgup"}, "scroll up by a page"},
	{PageDown, []string{"pgdown"}, "scroll down by a page"},
	{ScrollTop, []string{"ctrl+home"}, "scroll to the start"},
	{ScrollBottom, []string{"ctrl+end"}, "scroll to the end"},
}

// Map holds what is bound. It never changes after New.
type Map struct {
	bindings []Binding
	index    map[Action]int
}

// New makes the default map with the overrides of the configuration in place:
// action names to key names, an empty list to unbind. The warnings name what was
// left out.
func New(overrides map[string][]string) (*Map, []string) {
	m := &Map{index: make(map[Action]int, len(defaults))}
	for i, b := range defaults {
		b.Keys = slices.Clone(b.Keys)
		m.bindings = append(m.bindings, b)
		m.index[b.Action] = i
	}
	names := make([]string, 0, len(overrides))
	for name := range overrides {
		names = append(names, name)
	}
	slices.Sort(names)
	var warnings []string
	for _, name := range names {
		i, ok := m.index[Action(name)]
		if !ok {
			warnings = append(warnings, "keys: unknown action \""+name+"\"")
			continue
		}
		keys, bad := parseAll(Action(name), overrides[name])
		warnings = append(warnings, bad...)
		if len(keys) > 0 || len(overrides[name]) == 0 {
			m.bindings[i].Keys = keys
		}
	}
	return m, append(warnings, m.clashes()...)
}

func parseAll(action Action, names []string) (keys, warnings []string) {
	for _, name := range names {
		key, why := parse(name)
		if why == "" {
			why = forbidden(action, key)
		}
		if why != "" {
			warnings = append(warnings, "keys: "+string(action)+": \""+name+"\" "+why)
			continue
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys, warnings
}

// clashes names keys that two actions claim; the first in the list gets them.
func (m *Map) clashes() []string {
	var warnings []string
	owner := map[string]Action{}
	for _, b := range m.bindings {
		for _, key := range b.Keys {
			if first, taken := owner[key]; taken {
				warnings = append(warnings, "keys: \""+key+"\" is bound to both "+string(first)+" and "+string(b.Action))
				continue
			}
			owner[key] = b.Action
		}
	}
	return warnings
}

// Has says whether a key name, or a pair as Presses gives it, is bound to the action.
func (m *Map) Has(name string, action Action) bool {
	i, ok := m.index[action]
	return ok && slices.Contains(m.bindings[i].Keys, name)
}

// Action gives the action of a key name or pair, or "" for none.
func (m *Map) Action(name string) Action {
	for _, b := range m.bindings {
		if slices.Contains(b.Keys, name) {
			return b.Action
		}
	}
	return ""
}

// Bindings lists every action with its keys, in a fixed order.
func (m *Map) Bindings() []Binding {
	out := slices.Clone(m.bindings)
	for i := range out {
		out[i].Keys = slices.Clone(out[i].Keys)
	}
	return out
}

// Hint is the first key of an action as a hint shows it, "Ctrl+Alt+P"; empty
// when the action has no key.
func (m *Map) Hint(action Action) string {
	i, ok := m.index[action]
	if !ok || len(m.bindings[i].Keys) == 0 {
		return ""
	}
	return Display(m.bindings[i].Keys[0])
}

// Display writes a key name for people: "ctrl+alt+p" is "Ctrl+Alt+P".
func Display(name string) string {
	presses := strings.Split(name, " ")
	for i, press := range presses {
		mods, key := split(press)
		if shown, ok := named[key]; ok {
			key = shown
		} else {
			key = strings.ToUpper(key)
		}
		for j, mod := range mods {
			mods[j] = strings.ToUpper(mod[:1]) + mod[1:]
		}
		presses[i] = strings.Join(append(mods, key), "+")
	}
	return strings.Join(presses, " ")
}
