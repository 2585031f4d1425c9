// Package model is the agent that has a language model behind it: one turn loop
// over the provider library, which nothing else in this program touches.
//
// The library is only trusted to write requests and to show text as it arrives.
// What may run is decided by a witness of our own that reads the same bytes as
// they come from the wire: a call counts when it is whole, its message came to
// its proper end, and the library and the witness agree. A call that is damaged,
// cut or ambiguous is never repaired and never runs. The calls of a message go
// through Host.Batch once, together, so that all of them are judged before any
// runs.
//
// Every request can be interrupted at once, in any state. What a provider does
// wrong for a while is tried again, with the wait shown, as long as nothing of an
// answer was shown; an answer that breaks off is kept as far as it came, said to
// be cut, and the turn goes on from there. Errors are sentences for a person and
// hold no key, no prompt and no header.
//
// Keys are asked for when a request is made and go to the host they belong to,
// never along a redirect and never to a server that has none configured.
package model
