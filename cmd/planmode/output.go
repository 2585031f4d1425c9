package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"planmode/plan/text"
	"planmode/store"
)

// withStore opens the store for one command that needs no terminal.
func withStore(use func(s *store.Store) error) error {
	dirs, err := store.Locate(os.Getenv)
	if err != nil {
		return &codeError{exitError, err}
	}
	s, err := store.Open(dirs, store.Options{})
	if err != nil {
		return &codeError{exitError, err}
	}
	defer s.Close()
	if err := use(s); err != nil {
		return &codeError{exitError, err}
	}
	return nil
}

// printJSON writes v for programs, safe to look at in a terminal.
func printJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return print(w, string(text.EscapeJSON(b.Bytes())))
}

func print(w io.Writer, s string) error {
	if _, err := io.WriteString(w, s); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// table aligns rows by the cells they take on a screen. The cells must be clean;
// the last column is not padded.
func table(rows [][]string) string {
	var wide []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			wide[i] = max(wide[i], text.Width(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(text.Pad(cell, wide[i]) + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// age writes a duration in its largest unit. A clock that went back gives zero.
func age(d time.Duration) string {
	for _, unit := range []struct {
		span time.Duration
		name string
	}{{365 * 24 * time.Hour, "y"}, {7 * 24 * time.Hour, "w"}, {24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= unit.span {
			return fmt.Sprintf("%d%s", d/unit.span, unit.name)
		}
	}
	return fmt.Sprintf("%ds", max(0, d/time.Second))
}
