package waiter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"planmode/plan/process"
)

// ErrRefused reports an answer that the gate did not take.
var ErrRefused = errors.New("the answer was refused")

// dialTime bounds how long a gate may take to say what it is.
const dialTime = 2 * time.Second

// dial connects to a socket of this user. What a dead process left is removed.
func dial(path string) (net.Conn, error) {
	if st, err := os.Lstat(path); err != nil || st.Mode().Type() != os.ModeSocket {
		return nil, fmt.Errorf("%s is no socket", path)
	}
	c, err := net.DialTimeout("unix", path, dialTime)
	if errors.Is(err, syscall.ECONNREFUSED) {
		_ = os.Remove(path)
	}
	if err != nil {
		return nil, err
	}
	if u, ok := c.(*net.UnixConn); !ok || !trusted(u) {
		return nil, errors.Join(fmt.Errorf("%s belongs to another user", path), c.Close())
	}
	return c, nil
}

// List is the gates that wait, newest first.
func List(run string) ([]Info, error) {
	dir, err := place(run)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the gates that wait: %w", err)
	}
	var out []Info
	for _, e := range entries {
		id, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".sock"), "gate-")
		if !ok || !idForm.MatchString(id) {
			continue
		}
		if i, err := ask(filepath.Join(dir, e.Name())); err == nil && i.ID == id {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b Info) int {
		return cmp.Or(b.Since.Compare(a.Since.Time), strings.Compare(a.ID, b.ID))
	})
	return out, nil
}

func ask(path string) (Info, error) {
	c, err := dial(path)
	if err != nil {
		return Info{}, err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(dialTime))
	if err := send(c, message{Do: "list"}); err != nil {
		return Info{}, err
	}
	m, err := (&lines{from: c}).next()
	if err != nil || m.Info == nil {
		return Info{}, errors.Join(errors.New("the gate said nothing about itself"), err)
	}
	return *m.Info, nil
}

// Client is a surface of a gate in another process, until it is closed.
type Client struct {
	Job     Job
	conn    net.Conn
	replies chan message
	gone    context.Context
}

// Attach becomes a surface of the gate with the id.
func Attach(run, id string) (*Client, error) {
	dir, err := place(run)
	if err != nil {
		return nil, err
	}
	if !idForm.MatchString(id) {
		return nil, fmt.Errorf("%q is no id of a gate; planmode gates lists those that wait", id)
	}
	conn, err := dial(filepath.Join(dir, gateName(id)))
	if err != nil {
		return nil, fmt.Errorf("no gate %s waits any more: %w", id, err)
	}
	in := &lines{from: conn}
	_ = conn.SetDeadline(time.Now().Add(dialTime))
	err = send(conn, message{Do: "attach"})
	var m message
	if err == nil {
		m, err = in.next()
	}
	if err != nil || m.Job == nil || m.Job.ID != id {
		return nil, errors.Join(fmt.Errorf("gate %s gave nothing to review", id), err, conn.Close())
	}
	_ = conn.SetDeadline(time.Time{})
	gone, over := context.WithCancel(context.Background())
	c := &Client{Job: *m.Job, conn: conn, replies: make(chan message, 1), gone: gone}
	process.Go("listen to a gate", func() {
		defer over()
		for {
			m, err := in.next()
			if err != nil {
				return
			}
			c.replies <- m
		}
	})
	return c, nil
}

// Gone is closed when the gate is over.
func (c *Client) Gone() <-chan struct{} { return c.gone.Done() }

// Answer hands the decision over; ErrRefused when the gate has one already.
func (c *Client) Answer(a Answer) error {
	refused := fmt.Errorf("%w: %s", ErrRefused, decidedText)
	if err := send(c.conn, message{Do: "answer", Answer: &a}); err != nil {
		return refused
	}
	select {
	case m := <-c.replies:
		return reply(m)
	case <-c.gone.Done():
	}
	select {
	case m := <-c.replies: // it was said just before the end
		return reply(m)
	default:
		return refused
	}
}

func reply(m message) error {
	if m.Do == "taken" {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrRefused, m.Text)
}

// Close stops being a surface.
func (c *Client) Close() error { return c.conn.Close() }

// OpenInbox says to gates that reviews are shown here, until it is closed.
func OpenInbox(run string) (io.Closer, error) {
	dir, err := place(run)
	if err != nil {
		return nil, err
	}
	l, err := listen(dir, inboxName(strconv.Itoa(os.Getpid())))
	if err != nil {
		return nil, err
	}
	process.Go("be an inbox", func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
		}
	})
	return l, nil
}

// InboxLive says whether an inbox shows what waits.
func InboxLive(run string) bool {
	dir, err := place(run)
	if err != nil {
		return false
	}
	found, _ := filepath.Glob(filepath.Join(dir, inboxName("*")))
	for _, path := range found {
		if c, err := dial(path); err == nil {
			_ = c.Close()
			return true
		}
	}
	return false
}
