package process

import "os"

// Watched is a terminal that says when it can no longer be read: nothing else would end
// a screen whose terminal went away.
type Watched struct {
	*os.File
	Gone func()
}

// Read implements io.Reader.
func (w Watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if err != nil {
		w.Gone()
	}
	return n, err
}
