package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"planmode/plan/process"
	"planmode/plan/tool"
)

// relistPause is how long a server's next list of tools waits after the last one.
const relistPause = 200 * time.Millisecond

// peer is one server and the connection to it.
type peer struct {
	name    string
	server  Server
	ctx     context.Context // ends when the peer is closed
	stop    context.CancelFunc
	changed chan struct{} // holds something when the server said that its tools changed
	settled chan struct{} // closed once it is ready or failed
	once    sync.Once

	mu      sync.Mutex
	state   State
	reason  string
	says    string
	tools   []tool.Tool
	ignored []string
	session *sdk.ClientSession
	child   *process.Service
	closed  bool
}

func newPeer(ctx context.Context, name string, server Server) *peer {
	p := &peer{name: name, server: server, state: Starting, changed: make(chan struct{}, 1), settled: make(chan struct{})}
	p.ctx, p.stop = context.WithCancel(ctx)
	return p
}

// serve connects p and stays until the connection is over.
func (s *Servers) serve(p *peer) {
	err := s.connect(p)
	if err == nil {
		p.settle(Ready, "")
		s.running.Add(1)
		process.Go("list tools of "+p.name, func() {
			defer s.running.Done()
			p.relist()
		})
		// The reason of the end is of less use than what the child said last.
		if session := p.connection(); session != nil { // it may have been closed at once
			_ = session.Wait()
		}
		err = errors.New("the connection ended")
	}
	p.mu.Lock()
	child := p.child
	p.mu.Unlock()
	p.close() // before the child is quoted: its last words may still be on their way
	p.settle(Failed, explain(err, child))
}

// connect starts and greets the server and takes in its tools.
func (s *Servers) connect(p *peer) error {
	ctx, cancel := context.WithTimeout(p.ctx, connectTimeout)
	defer cancel()
	transport, err := s.transport(p)
	if err != nil {
		return err
	}
	session, err := s.client(p).Connect(ctx, transport, nil)
	if err != nil {
		return timedOut(ctx, err)
	}
	if !p.take(session) {
		return errors.New("it was closed while it started")
	}
	return timedOut(ctx, p.list(ctx))
}

// client is what speaks for planmode.
func (s *Servers) client(p *peer) *sdk.Client {
	client := sdk.NewClient(&sdk.Implementation{Name: "planmode", Version: s.opt.Version}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // nothing of the person is offered to a server
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			select { // the handler must return before the server is asked again
			case p.changed <- struct{}{}:
			default:
			}
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { progressed(r.Params) },
	})
	return client
}

func timedOut(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("it did not answer within %v", connectTimeout)
	}
	return err
}

// transport starts the child, or prepares requests to the URL.
func (s *Servers) transport(p *peer) (sdk.Transport, error) {
	switch {
	case len(p.server.Command) > 0 && p.server.URL != "":
		return nil, errors.New("it has both a command and a url; give one of them")
	case p.server.URL != "":
		return &sdk.StreamableClientTransport{
			Endpoint:   p.server.URL,
			HTTPClient: &http.Client{Transport: &requests{s.expand(p.server.Headers), http.DefaultTransport}, CheckRedirect: stay},
			MaxRetries: 2,
		}, nil
	case len(p.server.Command) == 0:
		return nil, errors.New("it has neither a command nor a url")
	}
	env := process.Environment(s.opt.Env, s.opt.Secrets...)
	for name, value := range s.expand(p.server.Env) {
		env = append(env, name+"="+value)
	}
	child, err := process.Serve(process.Command{Path: p.server.Command[0], Args: p.server.Command[1:], Dir: s.opt.Dir, Env: env, Limit: 16 << 10})
	if err != nil {
		return nil, err
	}
	if !p.adopt(child) {
		child.Close()
		return nil, errors.New("it was closed while it started")
	}
	return &sdk.IOTransport{Reader: child.Output(), Writer: child.Input()}, nil
}

func (s *Servers) expand(in map[string]string) map[string]string {
	out := make(map[string]string, len(in))
	for name, value := range in {
		if s.opt.Getenv != nil {
			value = os.Expand(value, s.opt.Getenv)
		}
		out[name] = value
	}
	return out
}

// adopt keeps the child, unless the server was given up meanwhile.
func (p *peer) adopt(child *process.Service) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.child = child
	return true
}

// take keeps the session, unless the server was given up meanwhile.
func (p *peer) take(session *sdk.ClientSession) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		session.Close()
		return false
	}
	p.session = session
	if r := session.InitializeResult(); r != nil && r.ServerInfo != nil {
		p.says = r.ServerInfo.Name + " " + r.ServerInfo.Version
	}
	return true
}

// relist asks for the tools again whenever the server says that they changed, until
// the peer is closed: one question at a time, however often it says so.
func (p *peer) relist() {
	for {
		select {
		case <-p.changed:
			ctx, cancel := context.WithTimeout(p.ctx, connectTimeout)
			// A server that does not answer keeps the tools it had.
			_ = p.list(ctx)
			cancel()
		case <-p.ctx.Done():
			return
		}
		select {
		case <-time.After(relistPause):
		case <-p.ctx.Done():
		}
	}
}

// explain is err, with the last words of the child, if there is one and it has any.
func explain(err error, child *process.Service) string {
	if child == nil {
		return err.Error()
	}
	if said := child.Complaint(); said != "" {
		return err.Error() + "; it said: " + said
	}
	return err.Error()
}

func (p *peer) settle(state State, reason string) {
	p.mu.Lock()
	p.state, p.reason = state, reason
	if state == Failed {
		p.tools = nil
	}
	p.mu.Unlock()
	p.once.Do(func() { close(p.settled) })
}

// close ends the connection and the child. It may be called more than once.
func (p *peer) close() {
	p.stop()
	p.mu.Lock()
	session, child := p.session, p.child
	p.closed = true
	p.session, p.child = nil, nil
	p.mu.Unlock()
	if child != nil {
		child.Close() // first: closing the session waits for the child's end
	}
	if session != nil {
		session.Close()
	}
}

func (p *peer) offered() []tool.Tool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tools
}

func (p *peer) status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	st := Status{Name: p.name, State: p.state, Reason: p.reason, Says: p.says, Ignored: p.ignored}
	for _, t := range p.tools {
		st.Tools = append(st.Tools, t.Spec().Name)
	}
	return st
}

// connection is the session to call with, nil when the server is not there.
func (p *peer) connection() *sdk.ClientSession {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != Ready {
		return nil
	}
	return p.session
}
