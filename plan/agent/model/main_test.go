package model

import (
	"io"
	"log"
	"log/slog"
	"os"
	"testing"
)

// TestMain silences the libraries, as the program does.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}
