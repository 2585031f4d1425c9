// Package prompt holds the words that planmode gives to a model, and fills facts
// into them.
//
// The functions are pure and cannot fail: the same facts give the same text. A
// prompt only explains the rules; package tool enforces them.
package prompt
