package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"planmode/plan/image"
	"planmode/store"
)

var picture = []byte("\x89PNG\r\n\x1a\nbytes")

func keptImage(t *testing.T, home string) (path, hash string) {
	t.Helper()
	written(t, home)
	l := openLog(t, home)
	hash, err := l.KeepImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := l.KeepImage(picture); err != nil || again != hash {
		t.Errorf("kept twice: %q, %v", again, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Path() + ".image-" + hash[len("sha256:"):], hash
}

func TestAnImageIsKeptWithItsSession(t *testing.T) {
	home := t.TempDir()
	path, hash := keptImage(t, home)
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", st, err)
	}
	l := openLog(t, home)
	defer l.Close()
	if b, err := l.Image(hash); err != nil || string(b) != string(picture) {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := l.Image("sha256:../../x"); err == nil {
		t.Error("a hash that is none names a file")
	}
	if _, err := l.KeepImage(make([]byte, image.MaxBytes+1)); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
}

func TestAnImageThatWasTouchedIsNotShown(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(path string) error
		want error
	}{
		"gone":     {os.Remove, fs.ErrNotExist},
		"changed":  {func(p string) error { return os.WriteFile(p, []byte("\x89PNG\r\n\x1a\nother"), 0o600) }, store.ErrImageChanged},
		"enlarged": {func(p string) error { return os.Truncate(p, image.MaxBytes+1) }, store.ErrImageChanged},
		"a link": {func(p string) error {
			if err := os.Remove(p); err != nil {
				return err
			}
			return os.Symlink(filepath.Dir(p), p)
		}, store.ErrSymlink},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path, hash := keptImage(t, home)
			if err := tt.do(path); err != nil {
				t.Fatal(err)
			}
			l := openLog(t, home)
			defer l.Close()
			if _, err := l.Image(hash); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if name == "a link" {
				return
			}
			if _, err := l.KeepImage(picture); err != nil {
				t.Errorf("attached again: %v", err)
			}
			if b, err := l.Image(hash); err != nil || string(b) != string(picture) {
				t.Errorf("after that: %q, %v", b, err)
			}
		})
	}
}
