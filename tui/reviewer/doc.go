// Package reviewer is the built-in reviewer: it shows one Markdown file, or the
// difference between two, and collects the person's notes on lines, ranges and
// the whole file. It runs as a process of its own that owns the terminal, takes
// the flags of revdiff that a plan review needs, writes the same grammar and
// ends with the same exit codes, so that a caller need not care which of the
// two it started.
//
// Failure behaviour: an end without notes writes no output file; a signal, a
// crash or Ctrl+C writes none either, and keeps the notes as a draft in the
// history directory, from where the next run on the same bytes takes them up.
// Nothing but a clean end with notes can be mistaken for a finished review.
//
// Work is proportional to what is visible. Before the first frame the file is
// read, split and classified line by line and, for a comparison, lines are
// compared; styling, wrapping and word comparison happen for visible rows only
// and are cached.
package reviewer
