package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SpareIndex copies the index to a temporary file and gives the variable that makes
// git use the copy. A diff refreshes the index and writes it; the only switch against
// that has it show files as changed that were merely touched. Outside a repository
// there is nothing to copy, and no variable. drop removes the copy.
func (r Repo) SpareIndex(ctx context.Context) (env []string, drop func(), err error) {
	drop = func() {}
	out, err := r.Run(ctx, "rev-parse", "--git-path", "index")
	var failed *Error
	if errors.As(err, &failed) {
		return nil, drop, nil
	}
	if err != nil {
		return nil, drop, err
	}
	index := strings.TrimSuffix(string(out), "\n")
	if !filepath.IsAbs(index) {
		index = filepath.Join(r.dir, index)
	}
	dir, err := os.MkdirTemp("", "planmode-index-") // 0700
	if err != nil {
		return nil, drop, fmt.Errorf("copy the index of git: %w", err)
	}
	drop = func() { os.RemoveAll(dir) }
	spare := filepath.Join(dir, "index")
	if err := copyFile(spare, index); err != nil && !errors.Is(err, fs.ErrNotExist) { // nothing was ever staged
		drop()
		return nil, func() {}, fmt.Errorf("copy the index of git: %w", err)
	}
	return []string{"GIT_INDEX_FILE=" + spare}, drop, nil
}

// copyFile keeps the time: git takes a file for changed that is not older than the
// index.
func copyFile(to, from string) error {
	st, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", from)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), os.Chtimes(to, st.ModTime(), st.ModTime()))
}
