// Package run carries out one review of a pull request, or of a local range of
// commits, in a folder that belongs to somebody else.
//
// It writes in exactly two places: a fresh run folder below .handoffs, which git
// must ignore before anything is made, and one Markdown file, which must not exist
// yet. What the folder looked like is captured before the first write and compared at
// every end; a change that no part of the run was allowed to make is reported and
// left as it is. A run that ended is never entered again.
//
// When in doubt the run ends and says why. It never posts by itself: that takes the
// hash of the preview, typed by a person.
package run
