// Package store makes every durable write of planmode: plans and their
// revisions, session logs, drafts and the configuration.
//
// The files of the package are ordered by guarantee. dir.go opens directories
// and files without ever following a symlink below the root; create.go makes a
// file whole or not at all; replace.go swaps a file for another if nobody
// changed it meanwhile; append.go adds lines to a log that survives torn writes;
// lock.go keeps a second process out and says who holds the lock. Plans,
// sessions, drafts and config are thin on top.
//
// A call that returns an error has not lost anything that an earlier call
// acknowledged, and can be repeated. A call that returns nil has reached the
// disk, except for log lines of kinds that may be a second late and for the
// side files that only cover a crash of the program.
package store
