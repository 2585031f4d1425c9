package run

import (
	"context"
	"strings"

	"planmode/plan/pull"
)

// material gives the two commits to the checks of package pull.
type material struct {
	ctx  context.Context // of the dispatch: the checks read only while it runs
	from Reading
}

// Lines implements pull.Material.
func (m material) Lines(path, revision string) ([]string, error) {
	data, err := m.from.File(m.ctx, path, revision)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}

// Patch implements pull.Material.
func (m material) Patch(path string) (pull.Patch, bool) {
	text, err := m.from.Patch(m.ctx, path)
	if err != nil || text == "" {
		return pull.Patch{}, false
	}
	p, err := pull.ParsePatch(text)
	return p, err == nil
}
