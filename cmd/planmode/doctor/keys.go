package doctor

import (
	"strings"

	"planmode/store"
	"planmode/tui/keymap"
)

// keys lists what is bound. Whether a terminal delivers a key only the app can
// see: /keys shows it.
func (r *Report) keys(c store.Config) {
	m, warnings := keymap.New(c.Keys)
	for _, w := range warnings {
		r.warn("keys", w, "Change \"keys\" in config.json. Until then the key does what is listed below, and the default stays where a name was wrong.")
	}
	if len(warnings) == 0 {
		r.ok("keys", "no conflicts; /keys in planmode shows which of them your terminal delivers")
	}
	for _, b := range m.Bindings() {
		var shown []string
		for _, key := range b.Keys {
			shown = append(shown, keymap.Display(key))
		}
		if len(shown) == 0 {
			shown = append(shown, "no key")
		}
		r.ok("keys."+string(b.Action), "%s: %s", strings.Join(shown, ", "), b.Does)
	}
}
