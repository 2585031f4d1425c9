package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"planmode/plan/gate"
)

// Timeout is how long the hook may take, in seconds: four days. Without one a harness
// drops the hook after ten minutes and goes on as if there were none.
const Timeout = 345600

// ErrSettings reports a settings file that is not plain JSON, which is not touched.
var ErrSettings = errors.New("it is not plain JSON, so it is left as it is; paste the lines by hand")

// place is where a harness keeps the hook, and what it looks like.
type place struct {
	list    string // path of the list of hooks
	matcher string
	event   string
	scale   int // of the timeout: 1 for seconds, 1000 for milliseconds
}

var places = map[Harness]place{
	Claude: {"hooks.PreToolUse", "ExitPlanMode", "PreToolUse", 1},
	Gemini: {"hooks.BeforeTool", "exit_plan_mode", "BeforeTool", 1000},
	Qwen:   {"hooks.PreToolUse", "exit_plan_mode", "PreToolUse", 1},
}

// Edits says whether the settings of a harness can be changed by Install.
func Edits(h Harness) bool { return h == Claude || h == Gemini }

// entry is the hook itself as JSON.
func (p place) entry(h Harness, binary string) string {
	command := quoteWord(binary) + " hook " + string(h) + " " + p.event
	return fmt.Sprintf(`{"matcher":%s,"hooks":[{"type":"command","command":%s,"timeout":%d}]}`, gate.Quote(p.matcher), gate.Quote(command), Timeout*p.scale)
}

// quoteWord writes a path as one word of the shell that runs hooks.
func quoteWord(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@", r))
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// Snippet is what goes into the settings of a harness, for a person to paste.
func Snippet(h Harness, binary string) string {
	switch h {
	case Codex:
		return "# ~/.codex/config.toml\n[features]\nhooks = true\n\n# ~/.codex/hooks.json\n" +
			indent(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":`+gate.Quote(quoteWord(binary)+" hook codex Stop")+fmt.Sprintf(`,"timeout":%d}]}]}}`, Timeout))
	case Copilot:
		return "# .github/hooks/planmode.json\n" +
			indent(`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":`+gate.Quote(quoteWord(binary)+" hook copilot preToolUse")+fmt.Sprintf(`,"timeoutSec":%d}]}}`, Timeout))
	}
	p, ok := places[h]
	if !ok {
		return ""
	}
	_, event, _ := strings.Cut(p.list, ".")
	return indent(`{"hooks":{` + gate.Quote(event) + `:[` + p.entry(h, binary) + `]}}`)
}

func indent(document string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(document), "", "  ") != nil {
		return document
	}
	return b.String() + "\n"
}

// Install returns settings with the hook for binary in them, once, and everything else
// as it was. An earlier hook of ours is replaced. Empty settings are an empty object.
func Install(h Harness, settings []byte, binary string) ([]byte, error) {
	p := places[h]
	out, err := Uninstall(h, settings)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(out)) == 0 {
		return []byte(Snippet(h, binary)), nil
	}
	if l := gjson.GetBytes(out, "hooks"); l.Exists() && !l.IsObject() {
		return nil, fmt.Errorf("hooks is no object: %w", ErrSettings)
	}
	if l := gjson.GetBytes(out, p.list); l.Exists() && !l.IsArray() {
		return nil, fmt.Errorf("%s is no list: %w", p.list, ErrSettings)
	}
	changed, err := sjson.SetRawBytes(out, p.list+".-1", []byte(p.entry(h, binary)))
	if err != nil {
		return nil, fmt.Errorf("add the hook: %w", err)
	}
	changed = endAs(changed, out)
	if doubled(changed) || Installed(h, changed) != binary { // names that are spelled with escapes
		return nil, ErrSettings
	}
	return changed, nil
}

// Uninstall returns settings without any hook of ours. Lists and objects that held
// nothing else go too. Settings that have none come back byte for byte.
func Uninstall(h Harness, settings []byte) ([]byte, error) {
	p, ok := places[h]
	if !ok {
		return nil, fmt.Errorf("the settings of %s are not changed by planmode", h)
	}
	if len(bytes.TrimSpace(settings)) == 0 {
		return settings, nil
	}
	if !json.Valid(settings) || !gjson.ParseBytes(settings).IsObject() {
		return nil, ErrSettings
	}
	if doubled(settings) {
		return nil, fmt.Errorf("a name is there twice in or beside its hooks, and programs differ in which one counts: %w", ErrSettings)
	}
	out := settings
	for {
		path, _ := ours(h, out, p)
		if path == "" {
			return endAs(out, settings), nil
		}
		var err error
		if out, err = sjson.DeleteBytes(out, path); err != nil {
			return nil, fmt.Errorf("remove the hook: %w", err)
		}
		for _, empty := range []string{p.list, "hooks"} {
			if v := gjson.GetBytes(out, empty); v.Raw != "" && strings.Join(strings.Fields(v.Raw), "") == map[bool]string{true: "[]", false: "{}"}[v.IsArray()] {
				if out, err = sjson.DeleteBytes(out, empty); err != nil {
					return nil, fmt.Errorf("remove the empty %s: %w", empty, err)
				}
			}
		}
	}
}

// endAs gives a document the blanks that were at the end of was.
func endAs(document, was []byte) []byte {
	end := was[len(bytes.TrimRight(was, " \t\r\n")):]
	return append(bytes.TrimRight(document, " \t\r\n"), end...)
}

// ours is the path of our first hook, and what it runs: of the whole entry where that
// holds nothing else, else of the one hook in it.
func ours(h Harness, settings []byte, p place) (path, command string) {
	for i, e := range gjson.GetBytes(settings, p.list).Array() {
		hooks := e.Get("hooks").Array()
		for j, hook := range hooks {
			switch command = hook.Get("command").String(); {
			case !isOurs(h, command):
			case len(hooks) == 1:
				return fmt.Sprintf("%s.%d", p.list, i), command
			default:
				return fmt.Sprintf("%s.%d.hooks.%d", p.list, i, j), command
			}
		}
	}
	return "", ""
}

// isOurs knows a hook of planmode by what it runs, wherever the program lies.
func isOurs(h Harness, command string) bool {
	program, ok := strings.CutSuffix(command, " hook "+string(h)+" "+places[h].event)
	program = unquoteWord(program)
	return ok && (program == "planmode" || strings.HasSuffix(program, "/planmode"))
}

// Installed is the program that the hook in settings runs; empty without one.
func Installed(h Harness, settings []byte) string {
	_, command := ours(h, settings, places[h])
	return unquoteWord(strings.TrimSuffix(command, " hook "+string(h)+" "+places[h].event))
}

// unquoteWord undoes quoteWord.
func unquoteWord(word string) string {
	if len(word) > 1 && strings.HasPrefix(word, "'") && strings.HasSuffix(word, "'") {
		word = strings.ReplaceAll(word[1:len(word)-1], `'\''`, "'")
	}
	return word
}

// Before says whether settings are what Install made of before, and nothing was changed
// since: taking the hook out is then to put before back, byte for byte.
func Before(h Harness, before, settings []byte) bool {
	binary := Installed(h, settings)
	if binary == "" || Installed(h, before) != "" {
		return false
	}
	made, err := Install(h, before, binary)
	return err == nil && bytes.Equal(made, settings)
}
