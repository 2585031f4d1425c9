// Package shell judges whether a command line only looks, so that it may run
// while planning without anybody being asked.
//
// It knows commands and their flags one by one and refuses what it does not know.
// A line that is accepted is not run as it was written: Script writes it anew from
// what was understood, with every word quoted and every command by its path, so
// that a shell which reads the line another way has nothing to read. What is left
// is a capability boundary and no sandbox: the commands read whatever the person
// may read.
//
// The package is pure: it looks at no file, and starts nothing.
package shell

// MaxLine is the length of the longest line that is looked at.
const MaxLine = 8 << 10

// Readonly says whether a command line only looks. If not, reason says why, for
// an agent that can write another one.
func Readonly(line string) (reason string, ok bool) {
	if _, err := Parse(line); err != nil {
		return err.Error(), false
	}
	return "", true
}
