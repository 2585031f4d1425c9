package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"

	"planmode/store"
)

// startLog sends the log to the state directory: warnings and errors, with --debug
// also what happened when. It holds no prompt, key or file content. A log that
// cannot be written must not keep planmode from work. Without a session to keep
// there is none, unless it is asked for.
func (a *app) startLog(dirs store.Dirs) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	// Libraries of providers print to the standard logger, sometimes what a model
	// sent. That belongs neither on the screen nor in the log.
	defer log.SetOutput(io.Discard)
	if a.store.Temporary() && !a.flags.debug {
		return
	}
	f, err := store.OpenLogFile(dirs)
	if err != nil {
		if a.flags.debug {
			fmt.Fprintf(os.Stderr, "planmode: no log is written: %v\n", err)
		}
		return
	}
	a.log = f
	level := slog.LevelInfo
	if a.flags.debug {
		level = slog.LevelDebug
	}
	slog.SetDefault(slog.New(slog.NewJSONHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid()))
	b := build()
	slog.Debug("started", "version", b.Version, "commit", b.Commit, "go", b.Go, "system", b.System, "TERM", os.Getenv("TERM"))
}

// endLog closes the log and, with --debug, says where it is.
func (a *app) endLog() {
	if a.log == nil {
		return
	}
	slog.Debug("ended")
	slog.SetDefault(slog.New(slog.DiscardHandler))
	if err := a.log.Close(); err != nil {
		fmt.Fprintf(os.Stderr, "planmode: close the log: %v\n", err)
	}
	if a.flags.debug {
		fmt.Fprintf(os.Stderr, "planmode: the log is %s\n", a.log.Path())
	}
}
