package run

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"planmode/plan/pull"
)

// Source is what a review is about: a pull request, or a range of the workspace.
type Source interface {
	Reading
	// Facts collects everything that is known before a role looks at it. A partial
	// history is said in it.
	Facts(ctx context.Context, now time.Time) (pull.Context, string, error)
	// Drift says how the source moved on since then; empty if it did not.
	Drift(ctx context.Context) (string, error)
}

var _ Source = (*Range)(nil)

// local stands where a name of GitHub would: nothing of a local review goes there.
const local = "local"

// Facts implements Source: what git knows of the range, and the messages of its commits.
// There is no discussion and no check, and nobody to post as.
func (r *Range) Facts(ctx context.Context, now time.Time) (pull.Context, string, error) {
	title := strings.ToValidUTF8(r.Subject, "\ufffd")
	reason := "a local range has no discussion"
	c := pull.Context{
		Schema: "review.context/1",
		PR:     pull.PR{URL: "local:" + r.BaseName + ".." + r.HeadName, Owner: local, Repo: local, Number: 1, Title: title, State: "open"},
		Pins:   pull.Pins{Base: r.BaseName, BaseSHA: r.Base, BaseTipSHA: r.BaseTip, HeadSHA: r.Head},
		History: pull.History{Status: "unavailable", Reason: &reason, Threads: []pull.Thread{},
			Reviews: []pull.PriorReview{}},
		CI:         pull.CI{ObservedAt: now.UTC().Format(time.RFC3339), HeadSHA: r.Head, Overall: "none", Checks: []pull.Check{}},
		Files:      pull.Files{Items: []pull.FileItem{}},
		Dimensions: []pull.Dimension{}, Uncovered: []pull.Uncovered{}, Guidance: []pull.Guidance{},
		Intent: pull.Intent{Requirements: []string{}}, Risks: []pull.Risk{}, Sources: []pull.Source{}, Limitations: []string{},
	}
	for _, f := range r.Files {
		c.Files.Total++
		if !nameable(f.Path) || f.Previous != "" && !nameable(f.Previous) {
			continue // it cannot be named in a payload: the list is not complete then
		}
		item := pull.FileItem{Path: f.Path, Status: f.Status, Additions: int64(f.Added), Deletions: int64(f.Deleted), Patch: "full"}
		if f.Previous != "" {
			item.PreviousPath = &f.Previous
		}
		if f.Binary {
			item.Patch = "missing"
		} else if f.Added+f.Deleted == 0 {
			item.Patch = "empty"
		}
		c.Files.Items = append(c.Files.Items, item)
	}
	c.Files.Listed = int64(len(c.Files.Items))
	c.Files.Complete = c.Files.Listed == c.Files.Total
	return c, r.Message, nil
}

func nameable(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsFunc(path, func(c rune) bool { return c < 0x20 || c == 0x7f })
}
