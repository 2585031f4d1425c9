package run

import (
	"context"
	"fmt"
	"path"
	"strings"

	"planmode/plan/pull"
)

// Poster previews and posts the review that lies verified in a run folder. It makes
// what it sends from the payload files there and not from what it is told.
type Poster interface {
	// DryRun has no effect. With an exit other than 0 nothing can be posted.
	DryRun(ctx context.Context, f *Folder) (Shown, error)
	// Approved posts once what has that hash: exit 0 is all of it, 3 is nothing, and
	// 1 is that something may have been posted. The receipts say what is known.
	Approved(ctx context.Context, f *Folder, sha256 string) (pull.Receipts, int, error)
}

// Shown is what a dry-run gives.
type Shown struct {
	Approval pull.Approval
	Preview  string
	SHA256   string
	Exit     int
}

// The exit codes of a posting that the run itself gives.
const (
	exitEffect  = 1
	exitRefused = 3
)

// dryRun makes the preview that the person is asked about.
func (e *engine) dryRun(ctx context.Context) pull.Event {
	e.Watch(Progress{What: string(pull.DryRunning)})
	shown, err := e.Poster.DryRun(ctx, e.folder)
	ev := pull.Event{Kind: pull.DryRan, Exit: shown.Exit, SHA256: shown.SHA256, Next: "the draft " + e.Output + " is kept; start a new review to post"}
	switch {
	case err != nil:
		ev.Reason = err.Error()
		if ev.Exit == 0 {
			ev.Exit = exitRefused
		}
	case ev.Exit == 0 && (shown.SHA256 != shown.Approval.Hash() || !strings.HasSuffix(shown.Preview, "approval-sha256: "+shown.SHA256+"\n")):
		ev.Exit, ev.Reason = exitRefused, "the preview is not that of what would be posted"
	}
	e.shown = shown
	return ev
}

// post posts what was approved, unless something was touched since it was shown.
func (e *engine) post(ctx context.Context, f pull.Effect) pull.Event {
	e.Watch(Progress{What: string(pull.Posting)})
	if why := e.touched(ctx); why != "" {
		return pull.Event{Kind: pull.Posted, Exit: exitRefused, Reason: why, Next: "look at it, then start a new review; nothing was posted"}
	}
	receipts, exit, err := e.Poster.Approved(ctx, e.folder, f.SHA256)
	if len(receipts.Actions) > 0 {
		e.receipts = &receipts
	}
	ev := pull.Event{Kind: pull.Posted, Exit: exit, Next: nextOf(e.context.PR.URL, exit)}
	if err != nil {
		ev.Reason = err.Error()
	}
	if exit == 0 && !receipts.Complete {
		ev.Exit, ev.Reason = exitEffect, "the receipts do not say that everything was posted"
	}
	if ev.Exit == exitRefused || ev.Exit == 2 {
		return ev
	}
	for _, a := range receipts.Actions {
		if a.URL != nil {
			e.notes = append(e.notes, "posted "+a.Kind+" "+*a.URL)
		}
		if a.Error != nil && ev.Reason == "" {
			ev.Reason = fmt.Sprintf("the %s is %s: %s", a.Kind, a.State, *a.Error)
		}
		if a.ReadBack != nil && *a.ReadBack != "match" {
			e.notes = append(e.notes, "what stands on GitHub was read back as: "+*a.ReadBack)
		}
	}
	ev.Posting = receipts.Posting()
	if err != nil || ev.Posting == "skipped" || ev.Posting == "posted" {
		ev.Posting = "uncertain" // the receipts do not hold all that happened
	}
	return ev
}

func nextOf(url string, exit int) string {
	if exit == exitRefused || exit == 2 {
		return "nothing was posted and the draft is kept; start a new review to post"
	}
	return "look at " + url + " before anything is posted again; planmode sends nothing a second time"
}

// touched says what somebody changed while the person decided.
func (e *engine) touched(ctx context.Context) string {
	changed, err := e.Workspace.Audit(ctx, e.before, e.Output)
	if err != nil {
		return "what was changed since the preview cannot be said: " + err.Error()
	}
	if len(changed) > 0 {
		return "changed outside of what the run may change: " + strings.Join(changed, ", ")
	}
	data, err := readRegular(e.Workspace.root, e.Output, maxDraft)
	if err != nil || Sum(data) != e.state.Draft {
		return e.Output + " was changed since the preview was made"
	}
	return ""
}

// record writes what is known of the posting into the review file. If that fails the
// receipts stay where they are: they are the only trace there is.
func (e *engine) record(f pull.Effect) pull.Event {
	e.Watch(Progress{What: string(pull.Recording)})
	sum, err := e.folder.Render(e.Output, e.draft(), f.SHA256)
	if err == nil {
		return pull.Event{Kind: pull.Rendered, SHA256: sum}
	}
	e.folder.Keep(Receipts)
	e.notes = append(e.notes, fmt.Sprintf("the receipts are not in %s (%v); they are kept in %s", e.Output, err, path.Join(e.folder.Name(), Receipts)))
	return pull.Event{Kind: pull.Rendered, Exit: exitEffect, Reason: err.Error()}
}

// Create makes one file of the run, durable, which must not be there yet.
func (f *Folder) Create(name string, data []byte) error {
	if path.Base(name) != name || name == "." || name == ".." {
		return fmt.Errorf("%q is no file of a run folder", name)
	}
	if err := writeNew(f.root, name, data, 0o600); err != nil {
		return fmt.Errorf("make %s/%s: %w", f.name, name, err)
	}
	f.record(name)
	return f.w.syncFolder(f.root, ".")
}
