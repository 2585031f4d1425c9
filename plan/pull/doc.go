// Package pull is the law of a pull-request review: what the roles may hand over,
// what is checked of it by machine, in which order a run goes on and how it ends,
// and what the draft and the last words of a run look like.
//
// Nothing in it is trusted because a model said it. A payload is read strictly or not
// at all; quotes and positions are compared with the two pinned commits; a run that is
// in doubt ends. The package is pure: it reads no file, no clock and no network, and the
// same input always gives the same bytes.
package pull
