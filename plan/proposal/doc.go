// Package proposal reads the plans that an agent writes into its messages: the
// text between a line <proposed_plan> and a line </proposed_plan>.
//
// A tag counts only when it stands alone on its line; blanks around it do not
// matter. It has no escape, no attributes and no nesting, and a code fence does
// not hide it: whoever shows a block that a fence is around says so (see Parts).
// Tag lines vanish, all other text is kept byte for byte. A block that is still
// open at the end of a message ends there.
//
// The package is pure, linear in the length of the text, and fails only where
// bytes are not UTF-8 (see Bytes). A Splitter belongs to one goroutine.
package proposal

// The tags, each alone on its line.
const (
	OpenTag  = "<proposed_plan>"
	CloseTag = "</proposed_plan>"
)
