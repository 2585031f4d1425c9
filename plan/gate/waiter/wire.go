package waiter

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"planmode/store"
)

// wireVersion is that of the messages between a gate and who shows it: one line of
// JSON each, with no field that the other side does not know.
const wireVersion = 1

// wireLimit bounds a message: a text with what was seen before, and room for notes.
const wireLimit = 32 << 20

// pathLimit is how long the name of a socket may be everywhere.
const pathLimit = 100

// message is one line in either direction.
type message struct {
	Version int     `json:"version"`
	Do      string  `json:"do"` // of a client: list, attach, answer; of a gate: info, job, taken, refused
	Info    *Info   `json:"info,omitempty"`
	Job     *Job    `json:"job,omitempty"`
	Answer  *Answer `json:"answer,omitempty"`
	Text    string  `json:"text,omitempty"`
}

func send(w io.Writer, m message) error {
	m.Version = wireVersion
	b, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode a message of a gate: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// lines reads messages and never more than the limit for one.
type lines struct {
	from net.Conn
	rest []byte
}

func (l *lines) next() (message, error) {
	chunk := make([]byte, 64<<10)
	for seen := 0; ; {
		if i := bytes.IndexByte(l.rest[seen:], '\n'); i >= 0 {
			line := l.rest[:seen+i]
			l.rest = l.rest[seen+i+1:]
			return parse(line)
		}
		if seen = len(l.rest); seen > wireLimit {
			return message{}, errors.New("a message of a gate is too long")
		}
		n, err := l.from.Read(chunk)
		l.rest = append(l.rest, chunk[:n]...)
		if n == 0 && err != nil {
			return message{}, err
		}
	}
}

// parse reads one message, or refuses it.
func parse(line []byte) (message, error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	var m message
	if err := dec.Decode(&m); err != nil {
		return message{}, fmt.Errorf("read a message of a gate: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return message{}, errors.New("read a message of a gate: something follows it")
	}
	if m.Version != wireVersion {
		return message{}, fmt.Errorf("read a message of a gate: version %d is not known; update planmode", m.Version)
	}
	return m, nil
}

var idForm = regexp.MustCompile(`^[0-9a-f]{12}$`)

// place is the private directory for the sockets of a run directory: that one, or a
// short one for it where the names would be too long for the system.
func place(run string) (string, error) {
	dir := run
	if len(filepath.Join(dir, inboxName("4194304"))) >= pathLimit {
		sum := sha256.Sum256([]byte(run))
		dir = filepath.Join("/tmp", "planmode-"+strconv.Itoa(os.Getuid())+"-"+hex.EncodeToString(sum[:6]))
	}
	if err := store.PrivateDir(dir); err != nil {
		return "", err
	}
	return dir, nil
}

func gateName(id string) string  { return "gate-" + id + ".sock" }
func inboxName(id string) string { return "inbox-" + id + ".sock" }
func trusted(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	user := -1
	if cerr := raw.Control(func(fd uintptr) { user, err = peerUser(int(fd)) }); cerr != nil || err != nil {
		return false
	}
	return user == os.Getuid()
}

// socket is a listener that removes its name when it is closed.
type socket struct {
	*net.UnixListener
	path string
}

// Close implements io.Closer.
func (s *socket) Close() error {
	_ = os.Remove(s.path) // whoever finds it later finds it dead
	return s.UnixListener.Close()
}

// listen makes a socket that only this user may use. It gets its name once it takes
// connections: one that takes none is removed as a leftover by whoever finds it.
func listen(dir, name string) (*socket, error) {
	path, early := filepath.Join(dir, name), filepath.Join(dir, "new-"+name)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: early, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	l.SetUnlinkOnClose(false)
	err = os.Chmod(early, 0o600)
	if err == nil {
		err = os.Rename(early, path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make %s private: %w", path, err), os.Remove(early), l.Close())
	}
	return &socket{l, path}, nil
}
