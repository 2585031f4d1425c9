// Package mcp connects the MCP servers that the person configured and makes their
// tools callable. A server runs without a terminal and without the keys of model
// providers. What it says of itself (names, descriptions, annotations, results) is
// text of a stranger: it is bounded, it is a hint for the person and the agent, and
// it never decides whether a call may run.
//
// A server that cannot be reached costs its own tools and nothing else: starting
// happens in the background, and why it failed is kept for the person.
package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"planmode/plan/process"
	"planmode/plan/tool"
)

// Server is how one server is reached: a command spoken to over its standard
// streams, or the URL of a streamable HTTP endpoint.
type Server struct {
	Command []string
	Env     map[string]string // added to the child's environment
	URL     string
	Headers map[string]string // sent with each request to URL
}

// Options are what servers are started with. $NAME and ${NAME} in a server's Env and
// Headers stand for variables of Getenv, so that a configuration needs no secrets.
type Options struct {
	Servers map[string]Server
	Dir     string   // the working directory of the children
	Env     []string // environment of the children before keys are removed
	Secrets []string // more variables that hold keys
	Getenv  func(string) string
	Version string // of planmode
}

// connectTimeout is how long a server may take to answer its first questions.
const connectTimeout = 30 * time.Second

// State is where a server stands.
type State string

// The states of a server.
const (
	Starting State = "starting"
	Ready    State = "ready"
	Failed   State = "failed"
)

// Status describes one server for the person. All text in it is as it was found.
type Status struct {
	Name    string
	State   State
	Reason  string   // why it failed
	Says    string   // name and version by its own account
	Tools   []string // names as the agent sees them, in order
	Ignored []string // tools that cannot be offered, each with the reason
}

// Servers are the connected servers. The zero value is not usable; a nil *Servers is
// one without servers.
type Servers struct {
	opt     Options
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	mu    sync.Mutex
	peers map[string]*peer
}

// Start begins to connect all servers and returns at once.
func Start(o Options) *Servers {
	s := &Servers{opt: o, peers: map[string]*peer{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	for name, server := range o.Servers {
		s.launch(name, server)
	}
	return s
}

// launch begins to connect a server, unless all of them are being closed.
func (s *Servers) launch(name string, server Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil { // or Close could miss it
		return
	}
	p := newPeer(s.ctx, name, server)
	s.peers[name] = p
	s.running.Add(1)
	process.Go("mcp server "+name, func() {
		defer s.running.Done()
		s.serve(p)
	})
}

// Wait waits until no server is starting any more, or ctx ends.
func (s *Servers) Wait(ctx context.Context) {
	if s == nil {
		return
	}
	for _, p := range s.all() {
		select {
		case <-p.settled:
		case <-ctx.Done():
			return
		}
	}
}

// Starting lists the names of the servers that have not answered yet.
func (s *Servers) Starting() []string {
	var names []string
	for _, st := range s.Status() {
		if st.State == Starting {
			names = append(names, st.Name)
		}
	}
	return names
}

// Tools lists the tools of the servers that are ready, in a fixed order.
func (s *Servers) Tools() []tool.Tool {
	var out []tool.Tool
	taken := map[string]bool{}
	for _, p := range s.all() {
		for _, t := range p.offered() {
			if name := t.Spec().Name; !taken[name] {
				taken[name] = true
				out = append(out, t)
			}
		}
	}
	return out
}

// Status describes all servers, by name.
func (s *Servers) Status() []Status {
	var out []Status
	for _, p := range s.all() {
		out = append(out, p.status())
	}
	return out
}

// Restart connects a server again; an unknown name is an error.
func (s *Servers) Restart(name string) error {
	if s == nil {
		return fmt.Errorf("there is no MCP server named %q", name)
	}
	s.mu.Lock()
	old := s.peers[name]
	s.mu.Unlock()
	if old == nil {
		return fmt.Errorf("there is no MCP server named %q", name)
	}
	old.close()
	s.launch(name, old.server)
	return nil
}

// Close ends all servers and waits for that, a few seconds at most.
func (s *Servers) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	for _, p := range s.all() {
		p.close()
	}
	s.running.Wait()
}

func (s *Servers) all() []*peer {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*peer, 0, len(s.peers))
	for _, name := range slices.Sorted(maps.Keys(s.peers)) {
		out = append(out, s.peers[name])
	}
	return out
}
