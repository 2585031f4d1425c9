//go:build !linux && !darwin

package process

import (
	"fmt"
	"os"
)

// Terminal is the console of the process. Here its settings are not kept; only
// the modes that escape sequences turn on are reset.
type Terminal struct{ in, out *os.File }

// OpenTerminal takes the standard streams as the terminal.
func OpenTerminal() (*Terminal, error) {
	for _, f := range []*os.File{os.Stdin, os.Stdout} {
		info, err := f.Stat()
		if err != nil {
			return nil, fmt.Errorf("open the terminal: %w", err)
		}
		if info.Mode()&os.ModeCharDevice == 0 {
			return nil, fmt.Errorf("open the terminal: %s is not a console", f.Name())
		}
	}
	return &Terminal{in: os.Stdin, out: os.Stdout}, nil
}

// File is the terminal itself, for writing.
func (t *Terminal) File() *os.File { return t.out }

// Close does nothing: the standard streams stay open.
func (t *Terminal) Close() error { return nil }

// Restore resets every mode that a screen turns on.
func (t *Terminal) Restore() error {
	if _, err := t.out.WriteString(modeResets); err != nil {
		return fmt.Errorf("restore the terminal: %w", err)
	}
	return nil
}

// InUse says that another program has the terminal; that cannot be told here.
func (t *Terminal) InUse() bool { return false }

// Keep does nothing: there are no settings to keep.
func (t *Terminal) Keep() {}
