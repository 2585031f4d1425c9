package reviewer

// shades is what is known of the colours of code.
type shades struct {
	version int
}
