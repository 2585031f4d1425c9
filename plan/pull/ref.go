package pull

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Ref names one pull request on github.com. It comes only from what the person wrote:
// nothing that is fetched later changes it.
type Ref struct {
	Owner, Repo string
	Number      int
}

// URL is the one canonical spelling.
func (r Ref) URL() string {
	return fmt.Sprintf("https://github.com/%s/%s/pull/%d", r.Owner, r.Repo, r.Number)
}

// ErrNoRef says that a text names no pull request.
var ErrNoRef = errors.New("no pull request is named; write https://github.com/OWNER/REPO/pull/NUMBER")

var (
	linkForm  = regexp.MustCompile(`^([^/]*)/([^/]*)/pull/([^/]*)(?:/(?:files|commits|changes)?/?)?$`)
	shortForm = regexp.MustCompile(`^([^/#]*)/([^/#]*)#([0-9]+)$`)
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$`)
	repoForm  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
	countForm = regexp.MustCompile(`^[1-9][0-9]{0,9}$`)
)

// ParseRef finds the pull requests that a text names, each of them once and in the
// order of the text. Words that are no link are passed over; a link that is not quite
// one is an error, since to guess would review something else.
func ParseRef(text string) ([]Ref, error) {
	if i := strings.IndexFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7f }); i >= 0 {
		return nil, fmt.Errorf("parse %.80q: a control character at byte %d", text, i)
	}
	var out []Ref
	for _, word := range strings.Fields(text) {
		r, looks, err := parseWord(word)
		if err != nil {
			return nil, fmt.Errorf("parse %.200q: %w", word, err)
		}
		if looks && !slices.ContainsFunc(out, r.same) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, ErrNoRef
	}
	return out, nil
}

func (r Ref) same(o Ref) bool {
	return r.Number == o.Number && strings.EqualFold(r.Owner, o.Owner) && strings.EqualFold(r.Repo, o.Repo)
}

// parseWord reads one word, and says whether it is meant to name a pull request.
func parseWord(word string) (r Ref, looks bool, err error) {
	scheme, rest, isLink := strings.Cut(word, "://")
	if !isLink {
		if m := shortForm.FindStringSubmatch(word); m != nil {
			r, err = newRef(m[1], m[2], m[3])
			return r, true, err
		}
		return Ref{}, false, nil
	}
	if strings.ToLower(scheme) != "https" {
		return Ref{}, true, errors.New("only https links are followed")
	}
	host, path, _ := strings.Cut(rest, "/")
	if strings.ToLower(host) != "github.com" {
		return Ref{}, true, errors.New("only pull requests of github.com are reviewed")
	}
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	m := linkForm.FindStringSubmatch(path)
	if m == nil {
		return Ref{}, true, errors.New("this is no link to a pull request")
	}
	r, err = newRef(m[1], m[2], m[3])
	return r, true, err
}

func newRef(owner, repo, number string) (Ref, error) {
	n, err := strconv.Atoi(number)
	switch {
	case !ownerForm.MatchString(owner):
		return Ref{}, errors.New("this is no name of an owner")
	case !repoForm.MatchString(repo) || repo == "." || repo == "..":
		return Ref{}, errors.New("this is no name of a repository")
	case err != nil || !countForm.MatchString(number):
		return Ref{}, errors.New("this is no number of a pull request")
	}
	return Ref{Owner: owner, Repo: repo, Number: n}, nil
}

// CheckOutput says by its name alone whether a draft may be written there: a Markdown
// file below the workspace, in no folder that Git or a run owns.
func CheckOutput(name string) error {
	bad := func(why string) error { return fmt.Errorf("output file %.80q: %s", name, why) }
	switch {
	case name == "":
		return bad("a name is missing")
	case strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xfffd }):
		return bad("a control character")
	case strings.ContainsAny(name, `\:`):
		return bad("a backslash or a colon")
	case strings.HasPrefix(name, "/"):
		return bad("it has to be relative to the workspace")
	case !strings.HasSuffix(name, ".md"):
		return bad("it has to end in .md")
	}
	for i, part := range strings.Split(name, "/") {
		switch {
		case part == "" || part == "." || part == "..":
			return bad("an empty part, or one of dots")
		case strings.EqualFold(part, ".git"):
			return bad("it lies in a folder of Git")
		case i == 0 && strings.EqualFold(part, ".handoffs"):
			return bad("it lies in the folder of the runs")
		case strings.TrimRight(part, " .") != part:
			return bad("a part ends in a space or a dot")
		case len(part) > 255:
			return bad("a part is longer than 255 bytes")
		case part == ".md":
			return bad("a name is missing")
		}
	}
	return nil
}
