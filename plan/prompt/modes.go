package prompt

import (
	"strings"

	"planmode/plan"
)

// Names of the modes as a model and a configuration know them.
const (
	ModePlan    = "plan"
	ModeDefault = "default"
)

// Presets are the modes in their order, with the names that are shown.
var Presets = []struct{ Name, Shown string }{{ModePlan, "Plan"}, {ModeDefault, "Default"}}

// aliases are other names for a mode that models, older files and other programs
// use. They are read and never written.
var aliases = map[string]string{
	"planning": ModePlan,
	"normal":   ModeDefault, "code": ModeDefault, "pair_programming": ModeDefault, "execute": ModeDefault, "custom": ModeDefault,
}

// ModeName reads the name of a mode, whatever its case; ok is false if it names
// none.
func ModeName(s string) (name string, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if to, known := aliases[s]; known {
		return to, true
	}
	for _, p := range Presets {
		if s == p.Name {
			return s, true
		}
	}
	return "", false
}

// NameOf is the name of a mode of the law. One that is not known counts as plan.
func NameOf(m plan.Mode) string {
	if m == plan.ModeNormal || m == "" {
		return ModeDefault
	}
	return ModePlan
}

// modeNames lists the modes in words, "Plan and Default".
func modeNames() string {
	var shown []string
	for _, p := range Presets {
		shown = append(shown, p.Shown)
	}
	return strings.Join(shown, " and ")
}

// Texts are instructions for the modes in place of our own, by the names of the
// modes. The text that belongs to a model comes first, even an empty one, which
// leaves the mode without instructions; then what the person wrote, unless that
// is empty; then the preset. The rules that the program enforces, the tools, the
// language and the attached plan are told in any case.
type Texts struct {
	Model  map[string]string
	Person map[string]string
}

// of is the text for a mode; ok is false where the preset holds.
func (t Texts) of(mode string) (text string, ok bool) {
	if text, ok := t.Model[mode]; ok {
		return strings.TrimSpace(text), true
	}
	if text := strings.TrimSpace(t.Person[mode]); text != "" {
		return text, true
	}
	return "", false
}
