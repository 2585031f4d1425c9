// Package session is the conductor of one session: intents of the person go in,
// events are logged and folded into state, and a screen is poked to look again.
package session

import (
	"context"
	"errors"
)

// Session conducts one conversation. Its methods are safe for concurrent use.
type Session struct{}

// Poked delivers, coalesced, that View has changed. It never closes.
func (s *Session) Poked() <-chan struct{} { panic("skeleton") }

// View copies what a screen needs now.
func (s *Session) View() View { panic("skeleton") }

// Items returns the entries of the branch from index from on. A screen that has
// seen n entries of the same epoch asks for Items(n).
func (s *Session) Items(from int) []Item { panic("skeleton") }

// Send gives the agent a message of the person, or queues it while a turn runs.
func (s *Session) Send(text string) error { panic("skeleton") }

// Unqueue takes the last queued message back, for editing; false if none.
func (s *Session) Unqueue() (string, bool) { panic("skeleton") }

// Interrupt ends the running turn; what was streamed is kept.
func (s *Session) Interrupt() { panic("skeleton") }

// Plan runs `/plan` with the argument ("", "on", "off", "revise", …). It may
// ask through the desk, so a screen calls it outside its event loop. What the
// person must know is logged as notices; err is only for usage errors.
func (s *Session) Plan(ctx context.Context, arg string) error { panic("skeleton") }

// Toggle turns planning on or off, as the key does.
func (s *Session) Toggle(ctx context.Context) error { panic("skeleton") }

// SaveDraft keeps the text being composed, so that it survives any end.
func (s *Session) SaveDraft(text string) error { panic("skeleton") }

// Draft is the composed text that was saved last.
func (s *Session) Draft() string { panic("skeleton") }

// Close stops the turn, flushes the log and releases the locks.
func (s *Session) Close() error { panic("skeleton") }

// ErrUsage reports a `/plan` argument that is not one.
var ErrUsage = errors.New("usage: /plan [on|off|revise|complete|abandon|discard|review|show|steps|status]")
