//go:build unix

package tool

import "golang.org/x/sys/unix"

// openFlags keep an open from waiting for a FIFO's writer and from making a
// terminal ours.
const openFlags = unix.O_NONBLOCK | unix.O_NOCTTY

// noFollow makes an open fail on a symbolic link.
const noFollow = unix.O_NOFOLLOW
