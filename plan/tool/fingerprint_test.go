package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestFingerprintSeesWhatChanged(t *testing.T) {
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		name   string
		change func(dir string) error
		want   []string
	}{
		{"nothing", func(string) error { return nil }, nil},
		{"a new file", func(d string) error { return os.WriteFile(d+"/sub/new", nil, 0o600) }, []string{"sub/new"}},
		{"a new file in a new directory", func(d string) error {
			return errors.Join(os.MkdirAll(d+"/x/y", 0o700), os.WriteFile(d+"/x/y/z", nil, 0o600))
		}, []string{"x/y/z"}},
		{"a new empty directory", func(d string) error { return os.Mkdir(d+"/x", 0o700) }, []string{"x"}},
		{"another size at the same time", func(d string) error {
			return errors.Join(os.WriteFile(d+"/a", []byte("longer"), 0o600), os.Chtimes(d+"/a", then, then))
		}, []string{"a"}},
		{"another time", func(d string) error { return os.Chtimes(d+"/a", then, then.Add(time.Millisecond)) }, []string{"a"}},
		{"another mode", func(d string) error { return os.Chmod(d+"/a", 0o700) }, []string{"a"}},
		{"a file gone", func(d string) error { return os.Remove(d + "/sub/b") }, []string{"sub/b"}},
		{"a directory gone", func(d string) error { return os.RemoveAll(d + "/sub") }, []string{"sub/b", "sub/ignored.log"}},
		{"an ignored file", func(d string) error { return os.Remove(d + "/sub/ignored.log") }, []string{"sub/ignored.log"}},
		{"git's own files", func(d string) error { return os.WriteFile(d+"/.git/index", []byte("x"), 0o600) }, nil},
		{"a directory that is passed over", func(d string) error { return os.WriteFile(d+"/ours/x", []byte("x"), 0o600) }, nil},
		{"what a link points to", func(d string) error { return os.WriteFile(d+"/../outside", []byte("x"), 0o600) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(files(t, map[string]string{
				"w/a": "a", "w/sub/b": "b", "w/.git/HEAD": "x", "w/.gitignore": "*.log\n", "w/sub/ignored.log": "l", "w/ours/y": "", "w/link": "-> ../outside", "outside": "",
			}), "w")
			if err := os.Chtimes(dir+"/a", then, then); err != nil {
				t.Fatal(err)
			}
			before, err := Fingerprint(t.Context(), dir, dir+"/ours")
			if err != nil {
				t.Fatal(err)
			}
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			after, err := Fingerprint(t.Context(), dir, dir+"/ours")
			if err != nil {
				t.Fatal(err)
			}
			if got := before.Diff(after); !slices.Equal(got, c.want) {
				t.Errorf("got %q", got)
			}
			if got := after.Diff(before); !slices.Equal(got, c.want) {
				t.Errorf("backwards %q", got)
			}
		})
	}
}

func TestFingerprintHasLimits(t *testing.T) {
	p := Print{files: map[string]stamp{}}
	for i := range maxPrintFiles {
		p.files[fmt.Sprint("known", i)] = stamp{}
	}
	if err := p.add(t.Context(), files(t, map[string]string{"a": ""}), "", nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one file too many: %v", err)
	}
	if got := (Print{}).Diff(p); len(got) != maxPrintDiff {
		t.Errorf("%d paths", len(got))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fingerprint(ctx, files(t, map[string]string{"a": ""})); !errors.Is(err, context.Canceled) || errors.Is(err, ErrTooLarge) {
		t.Errorf("an ended context: %v", err)
	}
	if _, err := Fingerprint(t.Context(), filepath.Join(t.TempDir(), "nope")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
}

func BenchmarkFingerprintOfTwentyThousandFiles(b *testing.B) {
	dir := generated(b)
	for b.Loop() {
		if _, err := Fingerprint(b.Context(), dir); err != nil {
			b.Fatal(err)
		}
	}
}
