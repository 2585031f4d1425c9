package shell

import (
	"fmt"
	"slices"
	"strings"
)

// What several subcommands of git take. Left out on purpose: --output and describe
// --dirty, which write; --ext-diff, --textconv, --show-signature and -O, which start
// programs; what shows a patch where its converters cannot be switched off, as status
// -v and reflog -c do; and everything that goes into submodules, which have a
// configuration of their own. Flags before the subcommand are refused: -c and
// --exec-path are there.
const (
	diffLong = "abbrev? binary cached cc check color? color-words? compact-summary cumulative diff-algorithm= diff-filter= dirstat? exit-code find-copies? find-renames? full-index " +
		"function-context histogram ignore-all-space ignore-blank-lines ignore-cr-at-eol ignore-space-at-eol ignore-space-change inter-hunk-context= merge-base minimal name-only " +
		"name-status no-color no-ext-diff no-index no-patch no-prefix no-renames no-textconv numstat patch patch-with-stat patience pickaxe-all pickaxe-regex quiet raw relative? " +
		"shortstat src-prefix= dst-prefix= staged stat? summary text unified= word-diff? word-diff-regex= "
	diffShort = "abBC?DG:iI:l:M?pqrRsS:tu?U:wWz"

	logLong = "abbrev-commit after= all all-match ancestry-path author= author-date-order basic-regexp before= boundary branches? cherry cherry-mark cherry-pick children committer= " +
		"date= date-order decorate? decorate-refs= encoding= exclude= extended-regexp first-parent fixed-strings follow format= full-history glob= graph grep= invert-grep " +
		"left-only left-right left-right-only log-size max-count= max-parents= merge merges min-parents= no-abbrev-commit no-decorate no-merges no-notes no-walk? not notes? oneline " +
		"parents perl-regexp pretty? reflog regexp-ignore-case relative-date remotes? remove-empty reverse right-only show-pulls simplify-by-decoration since= skip= source " +
		"sparse tags? topo-order until= use-mailmap walk-reflogs "
	logShort = "EFgkL:n:P#"
)

var history = rule{short: "cm" + logShort + diffShort, long: logLong + diffLong}

var gitCommands = map[string]rule{
	"log": history, "show": history, "whatchanged": history,
	"diff":      {short: diffShort + "#", long: diffLong},
	"diff-tree": {short: diffShort + "cmv", long: diffLong + "root stdin no-commit-id"},
	"status": {short: "bsu?z", long: "ahead-behind branch column? find-renames? ignored? long no-ahead-behind no-column no-renames porcelain? renames short show-stash " +
		"untracked-files?"},
	"blame": {short: "bcC?eflL:M?nps:stw", long: "abbrev= date= first-parent ignore-rev= incremental line-porcelain porcelain reverse root score-debug show-email show-name show-number show-stats since="},
	"grep": {short: "aA:B:C:cEe:FGhHiIlLm:nopPqvwWz#", long: "all-match and after-context= before-context= break cached color? column context= count exclude-standard " +
		"extended-regexp files-with-matches files-without-match fixed-strings full-name function-context heading ignore-case invert-match line-number max-count= max-depth= " +
		"name-only no-color no-exclude-standard no-index no-recursive not null only-matching or perl-regexp quiet recursive show-function text threads= untracked word-regexp"},
	"ls-files": {short: "cdikmostuvx:zX:", long: "abbrev? cached debug deduplicate deleted directory eol error-unmatch exclude= exclude-from= exclude-standard full-name ignored killed " +
		"modified no-empty-directory others resolve-undo stage unmerged"},
	"ls-tree":  {short: "dlrtz", long: "abbrev? format= full-name full-tree long name-only name-status object-only"},
	"cat-file": {short: "epst"},
	"rev-parse": {short: "q", long: "abbrev-ref? absolute-git-dir all branches? exclude= git-common-dir git-dir git-path= is-bare-repository is-inside-git-dir is-inside-work-tree " +
		"is-shallow-repository local-env-vars path-format= quiet remotes? short? show-cdup show-prefix show-toplevel symbolic symbolic-full-name tags? verify"},
	"rev-list":      {short: "cgmn:s#", long: logLong + "count objects timestamp header"},
	"describe":      {long: "abbrev= all always candidates= contains exact-match exclude= first-parent long match= tags"},
	"shortlog":      {short: "censw?" + "#", long: "committer email group= numbered summary " + logLong},
	"merge-base":    {short: "a", long: "all fork-point independent is-ancestor octopus"},
	"name-rev":      {long: "all always name-only no-undefined refs= tags"},
	"for-each-ref":  {long: "color? contains= count= exclude= format= ignore-case merged= no-contains= no-merged= points-at= sort="},
	"show-ref":      {short: "dqs?", long: "abbrev? branches dereference hash? head heads quiet tags verify"},
	"check-ignore":  {short: "nqvz", long: "no-index non-matching quiet verbose"},
	"count-objects": {short: "Hv", long: "human-readable verbose", most: none},
	"branch": {short: "aiqrv", long: "abbrev= all color? column? contains= format= ignore-case list merged= no-color no-column no-contains= no-merged= points-at= remotes show-current " +
		"sort= verbose", check: listing("git branch", "--list")},
	"tag": {short: "iln?", long: "color? column? contains= format= ignore-case list merged= no-column no-contains= no-merged= points-at= sort=",
		check: listing("git tag", "--list", "-l")},
	"remote":   {short: "v", long: "verbose", check: only("git remote", "", "get-url")},
	"stash":    {check: only("git stash", "list"), short: "n:#", long: "format= oneline date= max-count="},
	"worktree": {check: only("git worktree", "list"), short: "vz", long: "porcelain verbose"},
	"reflog":   {check: only("git reflog", "", "show"), short: logShort, long: logLong},
	"version":  {most: none},
}

// operands are the arguments that are no flags, without the values of long flags
// that are words of their own.
func operands(args []string) []string {
	var out []string
	for i, a := range args {
		if (len(a) < 2 || a[0] != '-') && !(i > 0 && takesValue[args[i-1]]) {
			out = append(out, a)
		}
	}
	return out
}

var takesValue = map[string]bool{
	"--abbrev": true, "--contains": true, "--format": true, "--merged": true, "--no-contains": true, "--no-merged": true, "--points-at": true, "--sort": true,
}

// listing is for subcommands that list, and make something of a name when no flag
// says to list.
func listing(name string, flags ...string) func([]string) error {
	return func(args []string) error {
		asked := slices.ContainsFunc(args, func(a string) bool { return slices.Contains(flags, a) })
		if slices.Contains(args, "--") || len(operands(args)) > 0 && !asked {
			return fmt.Errorf("%s with a name is not allowed; to list, give %s first", name, flags[0])
		}
		return nil
	}
}

// only is for subcommands with subcommands of their own; "" stands for none.
func only(name string, allowed ...string) func([]string) error {
	return func(args []string) error {
		first := ""
		if rest := operands(args); len(rest) > 0 {
			first = rest[0]
		}
		if !slices.Contains(allowed, first) || first != "" && args[0] != first {
			return fmt.Errorf("of %s only %s is allowed", name, strings.TrimPrefix(strings.Join(allowed, ", "), ", "))
		}
		return nil
	}
}
