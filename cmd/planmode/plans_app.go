package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/session/archive"
	"planmode/tui"
)

// plans is what `/plans` works with in a session.
func (a *app) plans(s *session.Session) *tui.Plans {
	return &tui.Plans{
		Store: a.store, Adopt: s.Adopt,
		Discard: func(id plan.ID) error {
			_, err := archive.DiscardPlan(a.store, id, time.Now())
			return err
		},
		Export:   a.exportPlan,
		About:    s.AboutPlan,
		Diff:     s.Diff,
		Annotate: s.Annotate, AnnotateLast: s.AnnotateLast,
	}
}

// exportPlan writes a revision to a new file in the working directory.
func (a *app) exportPlan(id plan.ID, revision int) (string, error) {
	path := filepath.Join(a.dir, fmt.Sprintf("%s-r%d.md", id, revision))
	return path, exportTo(path, func(w io.Writer) error { return archive.ExportPlan(w, a.store, id, revision) })
}
