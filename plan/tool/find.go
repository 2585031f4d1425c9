package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

const maxFound = 1000

type findArgs struct {
	Pattern string `json:"pattern" doc:"Glob: * and ? within a name, ** across directories, {a,b}, [a-z]. Without a slash it is matched against names anywhere below path." min:"1" max:"1024"`
	Path    string `json:"path,omitempty" doc:"Directory to look below; the working directory by default." min:"1" max:"4096"`
}

type findTool struct{ at place }

func (findTool) Spec() Spec {
	return Spec{
		Name: "find",
		Description: "List files and directories whose path matches a glob, one a line, directories with a slash at the end. What " +
			".gitignore leaves out is left out, symbolic links are not followed. At most 1000 paths.",
		Schema: schema[findArgs](),
		Effect: Reads,
	}
}

func (findTool) validate(raw []byte) error {
	_, err := decode[findArgs](raw)
	return err
}

func (t findTool) Run(ctx context.Context, call Call, _ Progress) Result {
	args, err := decode[findArgs](call.Args)
	if err != nil {
		return failed(call, err)
	}
	pattern, err := newGlob(args.Pattern)
	if err != nil {
		return failed(call, err)
	}
	root, info, err := t.at.searchRoot(args.Path)
	if err != nil {
		return failed(call, err)
	}
	if !info.IsDir() {
		return failed(call, fmt.Errorf("find below %s: it is not a directory", t.at.show(root)))
	}
	var out strings.Builder
	found := 0
	err = walk(ctx, root, func(rel string, d fs.DirEntry) error {
		if !pattern.match(rel) {
			return nil
		}
		if found++; found > maxFound {
			return errEnough
		}
		out.WriteString(t.at.show(filepath.Join(root, filepath.FromSlash(rel))))
		if d.IsDir() {
			out.WriteByte('/')
		}
		out.WriteByte('\n')
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		fmt.Fprintf(&out, "[only the first %d; use a narrower pattern or path]\n", maxFound)
	case errors.Is(err, errTooMany):
		fmt.Fprintf(&out, "[stopped after %d files; use a narrower path]\n", maxWalked)
	case err != nil:
		return failed(call, fmt.Errorf("find was stopped: %w", err))
	case found == 0:
		out.WriteString("[nothing matches]\n")
	}
	return answer(call, out.String())
}
