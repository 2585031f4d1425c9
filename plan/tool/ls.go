package tool

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

const maxListed = 500

type lsArgs struct {
	Path string `json:"path,omitempty" doc:"Directory to list; the working directory by default." min:"1" max:"4096"`
}

type lsTool struct{ at place }

func (lsTool) Spec() Spec {
	return Spec{
		Name: "ls",
		Description: "List one directory by name, hidden entries too: directories end in /, symbolic links in @, other special files in =. " +
			"At most 500 entries.",
		Schema: schema[lsArgs](),
		Effect: Reads,
	}
}

func (lsTool) validate(raw []byte) error {
	_, err := decode[lsArgs](raw)
	return err
}

func (t lsTool) Run(_ context.Context, call Call, _ Progress) Result {
	args, err := decode[lsArgs](call.Args)
	if err != nil {
		return failed(call, err)
	}
	root, info, err := t.at.searchRoot(args.Path)
	if err != nil {
		return failed(call, err)
	}
	if !info.IsDir() {
		return failed(call, fmt.Errorf("list %s: it is not a directory", t.at.show(root)))
	}
	entries, err := os.ReadDir(root)
	if err != nil && len(entries) == 0 {
		return failed(call, about("list", t.at.show(root), err))
	}
	var out strings.Builder
	for i, d := range entries {
		if i == maxListed {
			fmt.Fprintf(&out, "[%d more entries; use find with a pattern]\n", len(entries)-maxListed)
			break
		}
		out.WriteString(printable(d.Name()) + mark(d.Type()) + "\n")
	}
	if len(entries) == 0 {
		out.WriteString("[the directory is empty]\n")
	}
	return answer(call, out.String())
}

func mark(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "/"
	case mode&fs.ModeSymlink != 0:
		return "@"
	case !mode.IsRegular():
		return "="
	}
	return ""
}
