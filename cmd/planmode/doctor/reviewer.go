package doctor

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"planmode/plan/git"
	"planmode/revdiff"
	"planmode/store"
)

func (r *Report) reviewer(ctx context.Context, s Surroundings, c store.Config) {
	const what = "reviewer"
	found, err := revdiff.Find(revdiff.FindOptions{Choice: revdiff.Choice(c.Reviewer), Getenv: s.Getenv, Self: s.Self})
	switch {
	case errors.Is(err, revdiff.ErrMissing):
		r.fail(what, "Plan Mode is disabled: config.json asks for revdiff, and it is not installed", "Install it ("+revdiff.InstallHint+"), or set \"reviewer\" to \"auto\".")
		return
	case err != nil:
		r.fail(what, "Plan Mode is disabled: "+err.Error(), "Correct or unset REVDIFF_BIN, or set \"reviewer\" to \"builtin\" in config.json.")
		return
	case found.Builtin && found.Hint != "":
		r.ok(what, "%s, since revdiff is not installed (optional: %s)", found.Name, found.Hint)
		return
	case found.Builtin:
		r.ok(what, "%s, as config.json says", found.Name)
		return
	}
	// Without a cache: what counts is what it says now.
	known, err := revdiff.Probe(ctx, found, s.Environ, "")
	if err != nil {
		r.warn(what, found.Path+" does not say what it can do: "+err.Error(), "Run it by hand; if it is not revdiff, correct REVDIFF_BIN or PATH. Until then planmode takes it to be revdiff 1.0.0.")
		return
	}
	r.ok(what, "revdiff at %s, version %s", known.Path, cmp.Or(known.Version, "unknown"))
	can, cannot := known.Capabilities()
	if len(cannot) > 0 {
		r.warn("reviewer.capabilities", "it lacks: "+strings.Join(cannot, "; "), "Install a newer revdiff: "+revdiff.InstallHint+". Reviews work without, less conveniently.")
		return
	}
	r.ok("reviewer.capabilities", "%s", strings.Join(can, "; "))
}

func (r *Report) git(ctx context.Context, s Surroundings) {
	repo := git.Open(s.Dir)
	version, err := repo.Version(ctx)
	if err != nil {
		r.warn("git", "cannot be run: "+err.Error(), "Install git. Without it no commit is recorded with an approval, and revdiff cannot compare revisions.")
		return
	}
	r.ok("git", "%s", version)
	branch, err := repo.Branch(ctx)
	switch {
	case errors.Is(err, git.ErrNoRepository):
		r.ok("git.repository", "%s is in none; planmode works without", s.Dir)
	case err != nil:
		r.warn("git.repository", "cannot be read: "+err.Error(), "Run git status here and follow what it says; planmode works without, and records no commit.")
	default:
		r.ok("git.repository", "%s, on %s", s.Dir, branch)
	}
}
