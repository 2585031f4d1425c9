// Package text is the only door through which text of others (a model, a file,
// a reviewer, git) reaches a screen.
//
// Clean and Line take anything and never fail: what they return holds no escape
// sequence, no control, bidi or invisible character, and is valid UTF-8. Width
// and the functions that cut count terminal cells of such clean text. Valid is
// the stricter check for text that is stored byte for byte: it changes nothing
// and says precisely what has to go.
//
// The package is pure and safe for concurrent use.
package text
