package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"planmode/plan/text"
	"planmode/plan/tool/mcp"
	"planmode/plan/tree"
)

// serverPatience is how long a turn waits for MCP servers that are still starting.
// One that is slower gives its tools to a later turn.
const serverPatience = 10 * time.Second

// takeServers makes the tools of the MCP servers those that answer now, and tells
// of each failure once.
func (s *Session) takeServers(ctx context.Context) {
	servers := s.opt.Servers
	if servers == nil {
		return
	}
	if slow := servers.Starting(); len(slow) > 0 {
		s.setStatus("waiting for MCP server " + strings.Join(slow, ", "))
		wait, stop := context.WithTimeout(ctx, serverPatience)
		servers.Wait(wait)
		stop()
		s.setStatus("")
	}
	s.tools.SetServers(servers.Tools())
	for _, st := range servers.Status() {
		s.tellServer(st)
	}
}

func (s *Session) tellServer(st mcp.Status) {
	told := st.Name + "\x00" + string(st.State) + "\x00" + st.Reason
	s.mu.Lock()
	known := s.serversTold[told]
	if s.serversTold == nil {
		s.serversTold = map[string]bool{}
	}
	s.serversTold[told] = true
	s.mu.Unlock()
	switch {
	case known:
	case st.State == mcp.Failed:
		s.say(tree.Warning, "The MCP server %s is not available: %s. Its tools are missing; the rest works. /mcp restart %s tries again.", st.Name, text.Line(st.Reason), st.Name)
	case st.State == mcp.Starting:
		s.say(tree.Info, "The MCP server %s is still starting; its tools come with a later turn.", st.Name)
	}
}

// Servers says, for the person, which MCP servers there are and what the agent may
// use of them.
func (s *Session) Servers() string {
	all := s.opt.Servers.Status()
	if len(all) == 0 {
		return "There are no MCP servers. They are set under \"mcp\" in " + s.opt.ConfigPath + "."
	}
	var b strings.Builder
	for _, st := range all {
		s.describeServer(&b, st)
	}
	b.WriteString("While planning only tools that you name in planning.tools can be used, and each is asked about; what a server says of itself decides nothing.\n")
	b.WriteString("/mcp restart NAME connects a server again.")
	return b.String()
}

func (s *Session) describeServer(b *strings.Builder, st mcp.Status) {
	fmt.Fprintf(b, "%s: %s", text.Line(st.Name), st.State)
	if st.Says != "" {
		fmt.Fprintf(b, " · %s", text.Line(st.Says))
	}
	if st.Reason != "" {
		fmt.Fprintf(b, " · %s", text.Line(st.Reason))
	}
	b.WriteString("\n")
	for _, name := range st.Tools {
		also := ""
		if slices.Contains(s.opt.Config.Planning.Tools, name) {
			also = " (also while planning)"
		}
		fmt.Fprintf(b, "  %s%s\n", text.Line(name), also)
	}
	for _, name := range st.Ignored {
		fmt.Fprintf(b, "  not offered: %s\n", text.Line(name))
	}
	b.WriteString("\n")
}

// RestartServer connects an MCP server again. It waits for its old connection to
// end, so a screen calls it outside its event loop.
func (s *Session) RestartServer(name string) error { return s.opt.Servers.Restart(name) }
