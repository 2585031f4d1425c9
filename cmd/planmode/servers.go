package main

import (
	"os"
	"sync"

	"planmode/plan/process"
	"planmode/plan/tool/mcp"
	"planmode/store"
)

// servers are the MCP servers that are connected. They outlive a change of session,
// but not one of the directory: what they do, they do where they were started.
type servers struct {
	now    *mcp.Servers // nil if none is configured, or none is needed yet
	dir    string       // where they were started
	ending sync.WaitGroup
}

// in returns the servers of the configuration in a directory, and begins to connect
// them if need be. Those of another directory end meanwhile.
func (s *servers) in(c store.Config, dir string) *mcp.Servers {
	if s.now != nil && s.dir == dir {
		return s.now
	}
	if old := s.now; old != nil {
		s.ending.Add(1)
		process.Go("end MCP servers", func() {
			defer s.ending.Done()
			old.Close()
		})
	}
	s.now, s.dir = startServers(c, dir), dir
	return s.now
}

// close ends all servers and waits for that, a few seconds at most.
func (s *servers) close() {
	s.now.Close()
	s.ending.Wait()
}

// startServers begins to connect the MCP servers of the configuration.
func startServers(c store.Config, dir string) *mcp.Servers {
	if len(c.MCP) == 0 {
		return nil
	}
	o := mcp.Options{Servers: map[string]mcp.Server{}, Dir: dir, Env: os.Environ(), Getenv: os.Getenv, Version: build().Version}
	for _, p := range c.Providers {
		o.Secrets = append(o.Secrets, p.KeyEnv)
	}
	for name, s := range c.MCP {
		o.Servers[name] = mcp.Server{Command: s.Command, Env: s.Env, URL: s.URL, Headers: s.Headers}
	}
	return mcp.Start(o)
}
