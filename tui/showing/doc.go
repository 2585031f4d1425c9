// Package showing shows the text of a gate to the person on one terminal: the
// reviewer runs as a child in the foreground, and then, if the person has not decided
// in it, the card asks them.
//
// An answer is only ever what the person chose on the card, or the notes that a
// reviewer handed over where the caller knows of nothing else. A reviewer that fails
// or ends oddly approves nothing: the person is told, and can go on. What they wrote
// is kept as a draft before anything else happens, whichever way the showing ends.
package showing
