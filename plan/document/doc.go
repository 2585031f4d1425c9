// Package document reads the Markdown of a plan: its sections, steps and
// headings, what it lacks, and where a comment on one revision belongs in the
// next.
//
// Normalise is the gate: it makes raw text into the bytes that are hashed,
// stored and shown, or refuses it with an error that tells the writer what to
// change. Parse takes any bytes and never fails. The package is pure; a Document
// is immutable and safe for concurrent use.
package document
