package session

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxInstructions bounds each AGENTS.md, in bytes.
const maxInstructions = 64 << 10

// Instructions reads the AGENTS.md files that apply to dir: its own and those of
// its parents up to the root of the repository, outermost first. Outside a
// repository only dir's own counts. A file that is not a readable regular file
// is reported as a warning and left out.
func Instructions(dir string) (text string, warnings []string) {
	var parts []string
	for _, d := range instructionDirs(dir) {
		path := filepath.Join(d, "AGENTS.md")
		content, err := readBounded(path)
		switch {
		case os.IsNotExist(err):
		case err != nil:
			warnings = append(warnings, fmt.Sprintf("AGENTS.md was left out: %v", err))
		default:
			parts = append(parts, strings.TrimSpace(content))
		}
	}
	return strings.Join(parts, "\n\n"), warnings
}

// instructionDirs lists dir and its parents up to the repository, outermost
// first.
func instructionDirs(dir string) []string {
	var up []string
	for d := dir; ; d = filepath.Dir(d) {
		up = append([]string{d}, up...)
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return up
		}
		if filepath.Dir(d) == d {
			return []string{dir}
		}
	}
}

func readBounded(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxInstructions+1))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	if len(b) > maxInstructions {
		return "", fmt.Errorf("%s is larger than %d KiB", path, maxInstructions>>10)
	}
	return string(b), nil
}
