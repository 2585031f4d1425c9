package revdiff

import (
	"path/filepath"
	"strings"

	"planmode/plan/process"
)

// unwanted are the options, in the spelling of fold, that make a plan review
// fail, write somewhere else, run something, or hide part of the plan. They are
// taken out of the environment and of the person's config file.
var unwanted = map[string]bool{
	"include":               true, // these four conflict with the flags that show a plan
	"exclude":               true,
	"staged":                true,
	"untracked":             true,
	"allfiles":              true,
	"only":                  true,
	"compareold":            true,
	"comparenew":            true,
	"stdin":                 true,
	"stdinname":             true,
	"annotations":           true,
	"description":           true,
	"descriptionfile":       true,
	"output":                true,
	"historydir":            true,
	"exitcodeonannotations": true,
	"postflushcommand":      true,
	"collapsed":             true, // would hide removed lines
	"compact":               true, // would hide unchanged lines
}

// fold brings the spellings of one option together: HISTORY_DIR, history-dir and
// HistoryDir.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

// QuickStart is the variable by which the built-in reviewer is started without the
// collection of garbage, "off"; it takes that up again itself at once.
const QuickStart = "GOGC"

const variablePrefix = "REVDIFF_"

// environment is base without provider keys, without variables that break the
// review (also empty ones: a blank value is read as a value) and with relative
// paths made absolute, since the reviewer runs in another directory.
func environment(base []string, dir string) []string {
	drop := map[string]bool{
		"PWD": true, "GIT_DIR": true, "GIT_WORK_TREE": true, "GIT_INDEX_FILE": true, "GIT_EXTERNAL_DIFF": true,
	}
	env := make([]string, 0, len(base)+2)
	for _, pair := range process.Environment(base) {
		name, value, _ := strings.Cut(pair, "=")
		option, ours := strings.CutPrefix(name, variablePrefix)
		switch {
		case drop[name]:
			continue
		case ours && (strings.TrimSpace(value) == "" || unwanted[fold(option)]):
			continue
		case option == "CONFIG" || option == "KEYS":
			if abs, err := filepath.Abs(value); ours && err == nil {
				pair = name + "=" + abs
			}
		}
		env = append(env, pair)
	}
	// Read by every version that knows it and ignored by the others, unlike the
	// flag, which an old version refuses.
	return append(env, "PWD="+dir, variablePrefix+"EXIT_CODE_ON_ANNOTATIONS=true")
}

// configPath is where revdiff, run with env, reads its config.
func configPath(env []string) string {
	if path := process.Lookup(env, variablePrefix+"CONFIG"); path != "" {
		return path
	}
	if home := process.Lookup(env, "HOME"); home != "" {
		return filepath.Join(home, ".config", "revdiff", "config")
	}
	return ""
}

// filterConfig copies a config without the unwanted options and reports whether
// there were any. Everything else stays as it is, comments included.
func filterConfig(config string) (string, bool) {
	var kept []string
	found := false
	for line := range strings.SplitSeq(config, "\n") {
		text := strings.TrimSpace(line)
		end := strings.IndexAny(text, "=:")
		if end < 0 {
			end = len(text)
		}
		comment := text == "" || text[0] == '#' || text[0] == ';' || text[0] == '['
		if !comment && unwanted[fold(strings.TrimSpace(text[:end]))] {
			found = true
			continue
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n"), found
}
