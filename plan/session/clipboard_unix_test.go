//go:build unix && !darwin

package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheClipboard(t *testing.T) {
	for name, tt := range map[string]struct{ script, env, want string }{
		"an image":             {"case $1 in --list-types) echo text/html; echo image/jpeg; echo image/png;; *) printf '\\211PNG\\r\\n\\032\\nx'; echo \"$3\" >&2;; esac", "WAYLAND_DISPLAY=x", ""},
		"text only":            {"echo text/plain", "WAYLAND_DISPLAY=x", "the clipboard holds no image"},
		"something else":       {"case $1 in --list-types) echo image/png;; *) echo text;; esac", "WAYLAND_DISPLAY=x", "clipboard.png is no PNG"},
		"too much":             {"case $1 in --list-types) echo image/png;; *) head -c 6000000 /dev/zero;; esac", "WAYLAND_DISPLAY=x", "is larger than 5.0 MB"},
		"no program":           {"", "WAYLAND_DISPLAY=x", "cannot be read without wl-paste"},
		"no desktop":           {"", "", "there is no desktop here"},
		"a program that fails": {"exit 1", "WAYLAND_DISPLAY=x", "the clipboard holds no image"},
	} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			if tt.script != "" {
				if err := os.WriteFile(filepath.Join(bin, "wl-paste"), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			path := os.Getenv("PATH")
			if tt.script == "" {
				path = ""
			}
			t.Setenv("PATH", bin+":"+path)
			r := newRig(t)
			r.opt.Env = []string{"PATH=" + os.Getenv("PATH"), tt.env}
			ref, err := r.AttachClipboard(context.Background())
			if tt.want == "" {
				if err != nil || ref.Name != "clipboard.png" || ref.Size != 9 {
					t.Errorf("%+v, %v", ref, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
