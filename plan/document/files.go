package document

import (
	"regexp"
	"slices"
	"strings"
)

const (
	maxFiles    = 200
	maxFilePath = 300
)

// codeSpan is the text between single back quotes on one line. In a plan that is
// how files are named; whatever else stands there rarely looks like a path.
var codeSpan = regexp.MustCompile("`([^`\n]{1,300})`")

// filePath is a relative path of ordinary names. A name may have letters of any
// script, and dots, but none is only dots.
var filePath = regexp.MustCompile(`^(?:\./)?[\pL\pN_@+.-]+(?:/[\pL\pN_@+.-]+)*$`)

// lineSuffix is a place in a file, as compilers write it.
var lineSuffix = regexp.MustCompile(`:\d+(?:[:-]\d+)*$`)

// extensions are the ends of names by which a token without a slash is taken for a
// file: without this list every method call would be one.
var extensions = set("bash c cc cfg clj cmd conf cpp cs css csv cue dart diff ejs env ex exs fish go gradle graphql h hcl hpp hs htm html " +
	"ini ipynb java jl js json jsonl jsx kt kts less lock lua m md mdx mjs mk ml mod nix patch php pl plist png proto ps1 py pyi r rb rs rst " +
	"sass scala scss sh sol sql sum svelte svg swift tex tf toml ts tsx txt vim vue wasm xml yaml yml zig zsh")

// names are files that have no extension.
var names = set("Dockerfile Makefile LICENSE README CHANGELOG Justfile justfile Gemfile Rakefile Procfile Vagrantfile Jenkinsfile go.work .gitignore .editorconfig .env")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// Files names the files that the plan speaks of: tokens that look like relative
// paths, in code spans anywhere and in the words of the execution steps. Each is
// clean, with slashes, without a place in it, and there once, in the order of the
// text. Whether there is such a file is for others to find out.
func (d *Document) Files() []string {
	var out []string
	add := func(token string, sure bool) {
		if p, ok := pathIn(token, sure); ok && len(out) < maxFiles && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for _, m := range codeSpan.FindAllStringSubmatch(d.text, -1) {
		for word := range strings.FieldsSeq(m[1]) {
			add(word, true)
		}
	}
	for _, step := range d.steps {
		for word := range strings.FieldsSeq(step) {
			add(word, false)
		}
	}
	return out
}

// pathIn is the path that a token names. In running text, where sure is false, a
// slash alone does not make a path: and/or.
func pathIn(token string, sure bool) (string, bool) {
	const around = "\"'()[]{}<>,;!?“”‘’，。；：、（）"
	token = strings.TrimLeft(strings.TrimRight(token, around+".:"), around)
	token = strings.TrimRight(lineSuffix.ReplaceAllString(token, ""), ":")
	if token == "" || len(token) > maxFilePath || !filePath.MatchString(token) || strings.HasPrefix(token, "-") {
		return "", false
	}
	token = strings.TrimPrefix(token, "./")
	parts := strings.Split(token, "/")
	for _, p := range parts {
		if strings.Trim(p, ".") == "" || p == ".git" {
			return "", false
		}
	}
	last := parts[len(parts)-1]
	dot := strings.LastIndexByte(last, '.')
	known := names[last] || dot >= 0 && extensions[last[dot+1:]]
	return token, known || sure && len(parts) > 1 && dot > 0
}
