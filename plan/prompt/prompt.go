package prompt

import (
	"embed"
	"slices"
	"strings"
	"text/template"

	"planmode/plan"
	"planmode/plan/document"
	"planmode/plan/text"
)

//go:embed templates/*.md
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"line":  text.Line,
	"auto":  func() string { return plan.AutoApproved },
	"quote": quote,
	"names": names,
	"modes": modeNames,
	"ends":  func(s string) bool { return strings.HasSuffix(s, "\n") },
}).ParseFS(files, "templates/*.md"))

// Facts are what a model is told about its situation at the start of a turn.
type Facts struct {
	Mode         plan.Mode
	Language     string // the setting: auto, en or zh-CN
	Dir          string
	Instructions string     // the project's own, from AGENTS.md; may be empty
	Draft        *Reference // the attached draft, while planning
	Work         *Reference // the open work, in normal mode
	ModeChanged  bool       // since the model last ran
	Tools        []string   // the names of the tools of this turn
	Unattended   bool       // nobody answers questions
	Texts        Texts      // in place of our own instructions for the modes
}

// Has says whether the turn has the tool of that name: a prompt speaks of no
// other.
func (f Facts) Has(name string) bool { return slices.Contains(f.Tools, name) }

// Reference names one revision to a model. Text is its exact bytes where a
// prompt shows them, and may be empty elsewhere.
type Reference struct {
	Ref      plan.Ref
	Title    string
	Status   plan.Status
	Path     string
	Text     string
	Auto     bool // approved without a person
	Compared int  // the revision it was shown against; 0 when none or unknown
}

// System is the system prompt: who the model is, the project's instructions,
// and the rules of the mode it runs in. Work is mentioned in normal mode and a
// draft while planning, so that neither mode hears of the other's task.
func System(f Facts) string {
	parts := []string{fill("base.md", f)}
	if instructions := strings.TrimSpace(f.Instructions); instructions != "" {
		parts = append(parts, "# Project instructions (AGENTS.md)\n\n"+instructions)
	}
	switch {
	case f.Mode == plan.ModePlanning:
		parts = append(parts, fill("planning.md", f), f.modeText("plan.md"), fill("submit.md", f), languageBlock(f.Language), fill("reference.md", f.Draft))
	case f.Work != nil:
		parts = append(parts, f.modeText("default.md"), fill("work.md", f.Work))
	default:
		parts = append(parts, f.modeText("default.md"))
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "\n\n") + "\n"
}

// modeText is the instructions for the mode: those of the model or the person, or
// else the preset.
func (f Facts) modeText(preset string) string {
	if text, ok := f.Texts.of(NameOf(f.Mode)); ok {
		return text
	}
	return fill(preset, f)
}

func languageBlock(setting string) string {
	data := struct {
		Language      string
		First, Second []string
	}{Language: setting}
	switch setting {
	case document.English, document.Chinese:
		data.First = document.Names(setting)
	default:
		data.First, data.Second = document.Names(document.Chinese), document.Names(document.English)
	}
	return fill("language.md", data)
}

// Turn is the one line that reminds a model of its mode in every turn, since
// what an older message says about the mode may no longer hold.
func Turn(f Facts) string {
	var b strings.Builder
	b.WriteString("[planmode] ")
	if f.ModeChanged {
		b.WriteString("The mode has changed; what earlier messages say about it no longer holds. ")
	}
	switch {
	case f.Mode == plan.ModePlanning && f.Draft != nil:
		b.WriteString("Plan Mode is on, read-only: revise " + f.Draft.Ref.String() + " and submit the whole plan with its planId.")
	case f.Mode == plan.ModePlanning:
		b.WriteString("Plan Mode is on, read-only: explore, then submit a new plan without planId.")
	case f.Work != nil:
		b.WriteString("Plan Mode is off: you are implementing " + f.Work.Ref.String() + "; when all of it is done and verified, call complete_plan alone.")
	default:
		b.WriteString("Plan Mode is off and no approved plan is open.")
	}
	return b.String()
}

// fill executes a template without blank lines around it. The templates are
// part of the program and a test executes each, so an error is a defect.
func fill(name string, data any) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		panic("fill prompt " + name + ": " + err.Error())
	}
	return strings.Trim(b.String(), "\n")
}

// quote sets text of others apart from the words around it, line by line.
func quote(s string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(text.Clean(s), "\n"), "\n", "\n> ")
}

// names lists tools in words, each in backticks.
func names(tools []string) string {
	quoted := make([]string, len(tools))
	for i, t := range tools {
		quoted[i] = "`" + text.Line(t) + "`"
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + " and " + quoted[n-1]
	}
	return strings.Join(quoted, "")
}
