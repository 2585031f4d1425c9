package shell

import (
	"errors"
	"regexp"
)

// commands are all commands there are, and which of their flags only look. What
// is not here is refused. Left out on purpose, among others: tail -f, which does
// not end; sort -o and -T, uniq with a second name, tree -o and date with a time,
// which write; rg --pre and -z, diff -l and sort --compress-program, which start
// programs.
var commands = map[string]rule{
	"cat":  {short: "AbeEnstTuv", long: "number number-nonblank show-all show-ends show-tabs squeeze-blank", files: true},
	"tac":  {short: "br", files: true},
	"nl":   {short: "b:d:f:h:i:l:n:ps:v:w:", files: true},
	"head": {short: "c:n:qv#", long: "bytes= lines= quiet verbose", files: true},
	"tail": {short: "c:n:qrv#", long: "bytes= lines= quiet verbose", files: true},
	"wc":   {short: "clLmw", long: "bytes chars lines words max-line-length", files: true},
	"ls": {short: "aAbBcCdfFgGhHiI:kLlmnNopqQrRsStT:uUvw:xXZ1", files: true, long: "all almost-all author classify? color? directory dereference " +
		"file-type format= full-time group-directories-first hide= human-readable ignore= inode numeric-uid-gid recursive reverse si size sort= time= time-style= width="},
	"stat": {short: "c:fFlLnqrst:x", long: "format= printf= dereference file-system terse", files: true},
	"file": {short: "bhiIkLN", long: "brief mime mime-type mime-encoding dereference no-dereference", files: true},
	"du":   {short: "aAbcd:DhHkLlmPsSxt:0", long: "all apparent-size bytes max-depth= exclude= human-readable summarize total one-file-system separate-dirs threshold= time?", files: true},
	"df":   {short: "ahHiklmPT", long: "human-readable inodes local portability print-type total", files: true},
	"tree": {short: "aAdDfFgghiI:L:lnpP:qrsStuvUxCQN", long: "noreport dirsfirst filesfirst gitignore prune matchdirs ignore-case du filelimit= sort? charset=", files: true},

	"grep": grep, "egrep": grep, "fgrep": grep,
	"rg": {short: "ace:E:f:F.g:hHiIj:lLm:M:nNopPqr:sSt:T:uUvwxA:B:C:d:0", long: "after-context= before-context= context= case-sensitive color= column count " +
		"count-matches crlf debug encoding= engine= file files files-with-matches files-without-match fixed-strings follow glob= glob-case-insensitive heading hidden " +
		"iglob= ignore-case ignore-file= invert-match json line-number line-regexp max-columns= max-count= max-depth= max-filesize= multiline multiline-dotall " +
		"no-config no-filename no-heading no-ignore no-ignore-vcs no-ignore-parent no-line-number no-messages null one-file-system only-matching passthru path-separator= " +
		"pcre2 pretty quiet regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-add= type-list type-not= unrestricted vimgrep with-filename word-regexp"},
	"find": {words: findWords, files: true},

	"sort": {short: "bcCdfghik:MmnrRsS:t:uVz", long: "check? debug dictionary-order field-separator= general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks " +
		"key= merge month-sort numeric-sort reverse sort= stable unique version-sort zero-terminated", files: true},
	"uniq":   {short: "cdDf:is:uw:z", long: "count repeated all-repeated? skip-fields= ignore-case skip-chars= unique check-chars= zero-terminated group?", most: 1},
	"cut":    {short: "b:c:d:f:nsz", long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated", files: true},
	"paste":  {short: "d:sz", files: true},
	"join":   {short: "a:e:ij:o:t:v:1:2:z", files: true},
	"comm":   {short: "123iz", long: "check-order nocheck-order total output-delimiter= zero-terminated", files: true},
	"tr":     {short: "cCdst", long: "complement delete squeeze-repeats truncate-set1"},
	"fold":   {short: "bsw:", files: true},
	"rev":    {files: true},
	"column": {short: "c:nN:o:s:tx", long: "table separator= output-separator=", files: true},
	"diff": {short: "abBcC:dEeF:iI:nNpqrsS:tTuU:wW:x:yZ#", long: "brief color? context? exclude= ignore-all-space ignore-blank-lines ignore-case ignore-space-change " +
		"ignore-tab-expansion ignore-trailing-space label= minimal new-file no-dereference recursive report-identical-files side-by-side strip-trailing-cr " +
		"suppress-common-lines text unified? width= from-file= to-file=", files: true},
	"cmp":     {short: "bi:ln:s", long: "bytes= print-bytes quiet silent verbose ignore-initial=", files: true},
	"jq":      {short: "acCeHjL:MnrRsS", long: "arg argjson slurpfile rawfile args jsonargs ascii-output color-output compact-output exit-status indent= join-output monochrome-output null-input raw-input raw-output seq slurp sort-keys stream tab"},
	"od":      {short: "abcdfilosxA:j:N:t:vw?", files: true},
	"hexdump": {short: "bcCden:os:vx", files: true},
	"strings": {short: "an:et:", files: true},
	"md5sum":  sums, "sha1sum": sums, "sha256sum": sums, "sha512sum": sums, "cksum": {files: true}, "shasum": {short: "a:bct", files: true},
	"basename": {short: "as:z", long: "multiple suffix= zero"},
	"dirname":  {short: "z", long: "zero"},
	"realpath": {short: "eLmPqsz", long: "canonicalize-existing canonicalize-missing logical physical quiet relative-to= relative-base= strip no-symlinks zero", files: true},
	"readlink": {short: "efmnqsvz", long: "canonicalize canonicalize-existing canonicalize-missing no-newline", files: true},
	"sed":      {short: "n", check: sedPrint},

	"pwd": {short: "LP", most: none}, "cd": {short: "LP", most: 1},
	"echo": {free: true}, "printf": {free: true}, "true": {free: true}, "false": {free: true}, "test": {free: true}, "[": {free: true},
	"which": {short: "a"}, "type": {short: "aptP"},
	"seq":    {short: "s:w"},
	"date":   {short: "I?jRr:u", long: "utc universal date= iso-8601? rfc-3339= rfc-email reference=", begins: "+"},
	"uname":  {short: "aimnoprsv", most: none},
	"whoami": {most: none}, "id": {short: "agGnruz"}, "nproc": {long: "all", most: none}, "arch": {most: none},
	"hostname": {short: "fsd", most: none},

	"git": {subs: gitCommands},
	"go":  {subs: goCommands},
}

var grep = rule{short: "abA:B:C:cD:d:e:Ef:FGhHiIlLm:nopPqrRsTuUvVwxyzZ#", long: "after-context= before-context= basic-regexp binary-files= byte-offset color? colour? context= " +
	"count dereference-recursive directories= exclude= exclude-dir= exclude-from= extended-regexp file= files-with-matches files-without-match fixed-strings ignore-case include= " +
	"initial-tab invert-match line-buffered line-number line-regexp max-count= no-filename no-ignore-case no-messages null null-data only-matching perl-regexp quiet recursive " +
	"regexp= silent text with-filename word-regexp"}

var sums = rule{short: "bctwz", long: "binary check text tag quiet status strict warn ignore-missing zero", files: true}

var findWords = func() map[string]int {
	m := map[string]int{}
	for _, w := range []string{
		"!", "(", ")", "-H", "-L", "-P", "-E", "-x", "-X", "-a", "-and", "-o", "-or", "-not", "-d", "-daystart", "-depth", "-empty", "-executable", "-false", "-follow",
		"-ignore_readdir_race", "-ls", "-mount", "-nogroup", "-noleaf", "-nouser", "-print", "-print0", "-prune", "-quit", "-readable", "-true", "-warn", "-nowarn",
		"-writable", "-xdev",
	} {
		m[w] = 0
	}
	for _, w := range []string{
		"-amin", "-anewer", "-atime", "-cmin", "-cnewer", "-ctime", "-fstype", "-gid", "-group", "-ilname", "-iname", "-inum", "-ipath", "-iregex", "-iwholename", "-links",
		"-lname", "-maxdepth", "-mindepth", "-mmin", "-mtime", "-name", "-newer", "-path", "-perm", "-printf", "-regex", "-regextype", "-samefile", "-size", "-type",
		"-uid", "-user", "-wholename", "-xtype",
	} {
		m[w] = 1
	}
	return m
}()

// printing is a script of sed that only prints lines.
var printing = regexp.MustCompile(`^(\d+(,(\d+|\$))?|\$)p(;(\d+(,(\d+|\$))?|\$)p)*$`)

func sedPrint(args []string) error {
	if len(args) < 2 || args[0] != "-n" || !printing.MatchString(args[1]) {
		return errors.New("of sed only `sed -n 'FIRST,LASTp' FILE` is allowed, with line numbers")
	}
	for _, a := range args[2:] {
		if len(a) > 1 && a[0] == '-' {
			return errors.New("of sed only `sed -n 'FIRST,LASTp' FILE` is allowed, without further flags")
		}
	}
	return nil
}

// goCommands are those that neither build nor run anything. The environment they
// get keeps them from the network, from another toolchain and from cgo.
var goCommands = map[string]rule{
	"version": {short: "mv", files: true},
	"env":     {},
	"list":    {words: map[string]int{"-m": 0, "-f": 1, "-json": 0, "-deps": 0, "-test": 0, "-e": 0, "-find": 0, "-versions": 0}},
	"doc":     {words: map[string]int{"-all": 0, "-short": 0, "-src": 0, "-u": 0, "-c": 0}},
}
