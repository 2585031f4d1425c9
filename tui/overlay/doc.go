// Package overlay holds the dialogs that lie over the screen: choosers,
// confirmations, permission questions and the text viewer, and the panel and
// menu that they and the decision card are made of.
//
// A dialog takes keys and gives its answer as a value; it does no I/O and never
// fails. One that can open by itself decides nothing until it is armed, so that
// what was typed for something else is never an answer. Text of others is
// cleaned here.
package overlay
