package rule

import (
	"path"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxSuggested bounds a rule that is offered: one that cannot be read at a glance
// is not agreed to.
const maxSuggested = 120

// families are programs whose second word says what they do.
var families = setOf(`git go cargo npm pnpm yarn bun make just task gradle mvn dotnet pip pip3 poetry uv bundle rake mix gh
	docker podman kubectl helm terraform brew apt systemctl composer`)

// runners are second words after which anything may run.
var runners = setOf("run exec x dlx tool generate")

// interpreters run whatever they are given, so no beginning of their command says
// what it does.
var interpreters = setOf(`python python2 python3 node deno ruby perl php lua awk gawk mawk sed ed ssh tclsh osascript pwsh powershell
	source . eval trap alias`)

var subcommand = regexp.MustCompile(`^[a-z][a-z0-9:_-]*$`)

// Suggestion is a rule on offer beside a question.
type Suggestion struct {
	Rule    string // as the configuration would hold it; empty if none is on offer
	Meaning string // what it allows, exactly, after "Always allow"
}

// SuggestCommand offers the beginning of a command as a rule. Nothing is offered
// that could run anything at all, or that is more than one plain command.
func SuggestCommand(line string) Suggestion {
	words, err := plainWords(line)
	if err != nil || len(words) == 0 {
		return Suggestion{}
	}
	name := base(word{text: words[0], fixed: true})
	if wrappers[name] || shells[name] || interpreters[name] || name == "" {
		return Suggestion{}
	}
	if families[name] && name == words[0] && len(words) > 1 && !runners[words[1]] {
		if !subcommand.MatchString(words[1]) {
			return Suggestion{}
		}
		words = words[:2]
	}
	shown := make([]string, len(words))
	for i, w := range words {
		if shown[i], err = syntax.Quote(w, syntax.LangBash); err != nil {
			return Suggestion{}
		}
	}
	text := strings.Join(shown, " ")
	if len(text) > maxSuggested || !plainBegins(text, words) {
		return Suggestion{}
	}
	return Suggestion{Rule: Bash + " " + text, Meaning: "every command that begins with: " + text}
}

// meta are the signs of a pattern.
var meta = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`)

// SuggestFile offers a rule for a file in the working directory, named relative to
// it: its directory and what is below, or the file alone when it is at the top.
func SuggestFile(rel string) Suggestion {
	if rel == "" || rel == "." || path.IsAbs(rel) || strings.HasPrefix(rel, "../") || len(rel) > maxSuggested || strings.ContainsAny(rel, "\n\r\t") {
		return Suggestion{}
	}
	dir := path.Dir(rel)
	if dir == "." {
		return Suggestion{Rule: Files + " " + meta.Replace(rel), Meaning: "changes to the file " + rel}
	}
	return Suggestion{Rule: Files + " " + meta.Replace(dir) + "/**", Meaning: "changes to files in " + dir + "/ and below"}
}

// SuggestTool offers a whole tool, whatever its arguments.
func SuggestTool(name string) Suggestion {
	if !toolName.MatchString(name) || name == Bash || pathed[name] {
		return Suggestion{}
	}
	return Suggestion{Rule: name, Meaning: "the tool " + name + " with any arguments"}
}
