package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

var resultRecord = []byte("{\"decision\":\"approved\"}\n")

func names(t *testing.T, dir string) string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range all {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestAResultIsPublishedWholeAndPrivate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result.json")
	if err := CheckResult(path); err != nil {
		t.Fatal(err)
	}
	if err := PublishResult(path, resultRecord, nil); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	info, serr := os.Stat(path)
	if err != nil || serr != nil || !bytes.Equal(got, resultRecord) || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", got, info.Mode(), err)
	}
	if left := names(t, dir); left != "result.json" {
		t.Errorf("the folder holds %s", left)
	}
}

func TestWhatStandsInTheWayIsSaidBeforeAnythingIsShown(t *testing.T) {
	dir := t.TempDir()
	file, folder, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "folder"), filepath.Join(dir, "dangling")
	link := filepath.Join(dir, "link")
	for _, err := range []error{
		os.WriteFile(file, []byte("mine"), 0o600), os.Mkdir(folder, 0o700), os.Symlink(filepath.Join(dir, "nowhere"), dangling), os.Symlink(folder, link),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		file: "Result file already exists: " + file, folder: "Result file already exists: " + folder, dangling: "Result file already exists: " + dangling,
		filepath.Join(dir, "none", "r"): "Result file parent does not exist: " + filepath.Join(dir, "none"),
		filepath.Join(file, "r"):        "not a directory",
		filepath.Join(link, "r"):        "",
	} {
		err := CheckResult(path)
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func TestAResultNeverReplacesAFileThatAppeared(t *testing.T) {
	dir := t.TempDir()
	for name, appear := range map[string]func(path string) error{
		"file": func(p string) error { return os.WriteFile(p, []byte("theirs"), 0o644) },
		"link": func(p string) error { return os.Symlink(filepath.Join(dir, "target"), p) },
	} {
		path := filepath.Join(dir, name)
		err := PublishResult(path, resultRecord, func(s Step) error {
			if s.Op == OpLink {
				return appear(path)
			}
			return nil
		})
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(path); name == "file" && (err != nil || string(b) != "theirs") {
			t.Errorf("their file holds %q, %v", b, err)
		}
	}
	if left := names(t, dir); left != "file link" {
		t.Errorf("the folder holds %s", left)
	}
}

func TestAFailureAtAnyStepLeavesNothing(t *testing.T) {
	for _, op := range []Op{OpCreate, OpWrite, OpSync, OpLink} {
		for what, fail := range map[string]error{"refused": syscall.ENOSPC, "half done": &AppliedError{syscall.EIO}} {
			t.Run(fmt.Sprint(op, " ", what), func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "r")
				err := PublishResult(path, resultRecord, func(s Step) error {
					if s.Op == op {
						return fail
					}
					return nil
				})
				if err == nil {
					t.Fatal("no error")
				}
				left := names(t, dir)
				published := op == OpLink && what == "half done" // the link took effect before the error was told
				if published && left != "r" || !published && left != "" {
					t.Errorf("the folder holds %q", left)
				}
			})
		}
	}
}

func TestALeftoverIsAnErrorThoughTheResultIsThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r")
	removals := 0
	err := PublishResult(path, resultRecord, func(s Step) error {
		if s.Op == OpRemove {
			removals++
			return syscall.EIO
		}
		return nil
	})
	if err == nil || removals != 2 {
		t.Errorf("%v after %d tries", err, removals)
	}
	if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, resultRecord) {
		t.Errorf("%q, %v", b, err)
	}
}

func TestOfAHundredPublishersOneWins(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r")
	var wg sync.WaitGroup
	won := make(chan string, 100)
	for i := range 100 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if record := fmt.Sprintf("%d\n", i); PublishResult(path, []byte(record), nil) == nil {
				won <- record
			}
		}()
	}
	wg.Wait()
	close(won)
	winner, more := <-won, false
	for range won {
		more = true
	}
	if b, err := os.ReadFile(path); more || err != nil || string(b) != winner || names(t, dir) != "r" {
		t.Errorf("won by %q (others: %v), holds %q, folder %s", winner, more, b, names(t, dir))
	}
}
