package main

import (
	"os"

	"planmode/plan/tool/mcp"
	"planmode/store"
)

// startServers begins to connect the MCP servers of the configuration. They outlive
// a change of session.
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
