// Package plans draws the browser of stored plans: a list that is searched and
// filtered, and the page of one plan with its revisions and what can be done with
// them.
//
// Both are dialogs: they take keys and return what the person wants as a value,
// and do no I/O; the caller fetches and acts. Nothing here decides anything about
// a plan: what changes one is asked about first, by the caller. Titles, paths and
// all else that was written by others is cleaned before it is drawn.
package plans
