package herdr

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"strconv"
	"time"

	"planmode/plan/process"
)

// How long the server may take. Herdr's own clients wait as long.
const (
	firstWait  = 500 * time.Millisecond
	secondWait = 1500 * time.Millisecond
	// At the end the person waits: for what is in flight and then for the release.
	// A request that was written is carried out without us, so less will do.
	drainWait   = 250 * time.Millisecond
	releaseWait = 250 * time.Millisecond
	// silentWait is for the release to a server that did not answer before: long
	// enough to leave the request with it.
	silentWait = 100 * time.Millisecond
)

// maxReply bounds what is read of a reply.
const maxReply = 64 << 10

// product names planmode to Herdr. The source is a namespace of our own: those
// that begin with "herdr:" are Herdr's, and labels of known agents are too.
const (
	product = "planmode"
	source  = "custom:" + product
)

// request is one line to the server.
type request struct {
	ID     string `json:"id"`
	Method string `json:"method"`
	Params params `json:"params"`
}

type params struct {
	Pane    string `json:"pane_id"`
	Source  string `json:"source"`
	Agent   string `json:"agent"`
	State   string `json:"state,omitempty"`
	Message string `json:"message,omitempty"`
	Seq     uint64 `json:"seq"`
}

// dialUnix connects to the Unix socket. On Windows the server has a named pipe
// instead, which is not supported: the call fails there and nobody notices.
func dialUnix(ctx context.Context, socket string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", socket)
}

// run sends until Close, and gives the pane up at last.
func (r *Reporter) run() {
	defer close(r.done)
	var told report // what the server has; zero when that is not known
	for {
		select {
		case <-r.wake:
		case <-r.closing:
		}
		if r.isClosing() {
			r.release()
			return
		}
		next := r.current()
		if next == told {
			continue
		}
		told = report{}
		if r.deliver(next) {
			told = next
		}
	}
}

func (r *Reporter) isClosing() bool {
	select {
	case <-r.closing:
		return true
	default:
		return false
	}
}

// deliver sends a report, and once more if there was no answer, unless it is out
// of date by then. The second time is the same request: should both arrive, the
// server drops the later one as stale.
func (r *Reporter) deliver(rep report) bool {
	line := r.line("pane.report_agent", rep)
	if r.exchange(r.reports, firstWait, line) {
		return true
	}
	if r.isClosing() || r.current() != rep {
		return false
	}
	return r.exchange(r.reports, secondWait, line)
}

// release gives the pane up. It is the last request: a report after it would
// claim the pane again.
func (r *Reporter) release() {
	wait := releaseWait
	if r.silent {
		wait = silentWait
	}
	r.exchange(context.Background(), wait, r.line("pane.release_agent", report{}))
}

// line makes a request under the next sequence number. The server drops a number
// that is not above the last one it saw of us in this pane, also across
// processes, so numbers follow the clock and never repeat.
func (r *Reporter) line(method string, rep report) []byte {
	r.seq = max(r.seq+1, uint64(max(r.opt.Now().UnixMicro(), 0)))
	b, err := json.Marshal(request{
		ID: product + ":" + strconv.FormatUint(r.seq, 10), Method: method,
		Params: params{Pane: r.pane, Source: source, Agent: product, State: rep.state, Message: rep.message, Seq: r.seq},
	})
	if err != nil {
		panic(err) // strings and a number
	}
	return append(b, '\n')
}

// exchange sends one line over a connection of its own and says whether there was
// an answer in time. A refusal is an answer: asking again would change nothing.
func (r *Reporter) exchange(parent context.Context, wait time.Duration, line []byte) bool {
	ctx, cancel := context.WithTimeout(parent, wait)
	defer cancel()
	err := r.converse(ctx, line)
	r.silent = err != nil
	if err != nil {
		slog.Debug("herdr did not answer", "error", err)
	}
	return err == nil
}

func (r *Reporter) converse(ctx context.Context, line []byte) error {
	conn, err := r.opt.Dial(ctx, r.socket)
	if err != nil {
		return err
	}
	// Nothing can be done about a connection that does not close.
	defer func() { _ = conn.Close() }()
	hurry := func() { _ = conn.SetDeadline(time.Unix(1, 0)) }
	defer context.AfterFunc(ctx, func() { process.Go("herdr: end of the wait", hurry) })()
	if _, err := conn.Write(line); err != nil {
		return err
	}
	answer, err := bufio.NewReader(io.LimitReader(conn, maxReply)).ReadBytes('\n')
	if len(answer) == 0 && err != nil {
		return err
	}
	var reply struct {
		Error *struct{ Code string } `json:"error"`
	}
	if json.Unmarshal(answer, &reply) == nil && reply.Error != nil {
		slog.Debug("herdr refused a report", "code", reply.Error.Code)
	}
	return nil
}
