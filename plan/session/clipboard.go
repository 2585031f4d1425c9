package session

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"planmode/plan/image"
	"planmode/plan/process"
)

// clipboardWait is how long a program that reads the clipboard may take: the
// program that holds the image may never answer.
const clipboardWait = 5 * time.Second

// clipboard is a program that reads images from the clipboard of the desktop.
type clipboard struct {
	program string
	kinds   []string                   // arguments that list what the clipboard holds; nil if it cannot
	get     func(kind string) []string // arguments that write it to standard output
}

var (
	wlPaste  = clipboard{"wl-paste", []string{"--list-types"}, func(kind string) []string { return []string{"--no-newline", "--type", kind} }}
	xclip    = clipboard{"xclip", []string{"-selection", "clipboard", "-t", "TARGETS", "-o"}, func(kind string) []string { return []string{"-selection", "clipboard", "-t", kind, "-o"} }}
	pngpaste = clipboard{"pngpaste", nil, func(string) []string { return []string{"-"} }}
)

// clipboardKinds are what is asked for, the best first.
var clipboardKinds = []string{"image/png", "image/jpeg", "image/webp", "image/gif"}

// AttachClipboard keeps the image that the clipboard holds, as Attach does. It
// runs a program of the desktop, and may take some seconds.
func (s *Session) AttachClipboard(ctx context.Context) (image.Ref, error) {
	if err := s.readOnly(); err != nil {
		return image.Ref{}, fmt.Errorf("the session can only be read: %w", err)
	}
	c, path, err := s.findClipboard()
	if err != nil {
		return image.Ref{}, err
	}
	kind := clipboardKinds[0]
	if c.kinds != nil {
		listed, err := s.askClipboard(ctx, path, c.kinds)
		if err != nil {
			return image.Ref{}, err
		}
		offered := strings.Fields(string(listed))
		i := slices.IndexFunc(clipboardKinds, func(k string) bool { return slices.Contains(offered, k) })
		if i < 0 {
			return image.Ref{}, errNoPicture
		}
		kind = clipboardKinds[i]
	}
	data, err := s.askClipboard(ctx, path, c.get(kind))
	if err != nil {
		return image.Ref{}, err
	}
	return s.keepImage("clipboard."+strings.TrimPrefix(kind, "image/"), data)
}

var errNoPicture = errors.New("the clipboard holds no image")

// findClipboard finds the program for the desktop at hand.
func (s *Session) findClipboard() (clipboard, string, error) {
	var try []clipboard
	switch {
	case runtime.GOOS == "darwin":
		try = []clipboard{pngpaste}
	default:
		if process.Lookup(s.opt.Env, "WAYLAND_DISPLAY") != "" {
			try = append(try, wlPaste)
		}
		if process.Lookup(s.opt.Env, "DISPLAY") != "" {
			try = append(try, xclip)
		}
	}
	if len(try) == 0 {
		return clipboard{}, "", errors.New("there is no desktop here whose clipboard could be read; name the image by its path, as @shot.png")
	}
	var names []string
	for _, c := range try {
		// Never a program of the repository at hand: a relative PATH is an error.
		if path, err := exec.LookPath(c.program); err == nil {
			return c, path, nil
		}
		names = append(names, c.program)
	}
	return clipboard{}, "", fmt.Errorf("the clipboard cannot be read without %s; install it, or name the image by its path, as @shot.png", strings.Join(names, " or "))
}

func (s *Session) askClipboard(ctx context.Context, path string, args []string) ([]byte, error) {
	r, err := process.Run(ctx, process.Command{
		Path: path, Args: args, Dir: s.opt.Dir, Env: process.Environment(s.opt.Env, s.opt.Config.Secrets()...),
		Timeout: clipboardWait, Limit: image.MaxBytes + 1, Split: true,
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the clipboard: %w", err)
	case r.TimedOut:
		return nil, errors.New("the clipboard did not answer in time")
	case r.Code != 0 || len(r.Output) == 0:
		return nil, errNoPicture
	case r.Cut > 0:
		return nil, fmt.Errorf("the image in the clipboard is larger than %s, the most that one may have", image.Size(image.MaxBytes))
	}
	return r.Output, nil
}
