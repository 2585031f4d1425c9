package revdiff

// used are the flags that a review is better with, and what each is for.
var used = []struct{ flag, does string }{
	{"compare-old", "compares two revisions"},
	{"word-diff", "marks changed words"},
	{"exit-code-on-annotations", "says by its exit code whether there are notes"},
	{"annotations", "takes unsent notes back in"},
	{"description-file", "shows the notes on the last revision"},
	{"history-dir", "keeps a recovery copy where planmode looks"},
}

// Capabilities lists what a probed reviewer can and cannot do for a review. The
// built-in one can do everything.
func (r Reviewer) Capabilities() (can, cannot []string) {
	for _, u := range used {
		if r.Builtin || r.probed(u.flag) {
			can = append(can, u.does)
		} else {
			cannot = append(cannot, u.does)
		}
	}
	return can, cannot
}
