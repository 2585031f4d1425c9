// Package branches is the browser of a session's tree: every entry as a node, the
// path that is in use marked, with folds, filters, a search, labels and a preview.
//
// It only looks. What the person wants done comes out as an Outcome, which names
// an entry. All text is taken as hostile and cleaned. Opening and every key cost a
// pass over numbers, never over the texts of the session: an entry is decoded when
// it comes into sight, and for a search once, on another goroutine.
package branches
