package tool

import (
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"planmode/plan"
	"planmode/plan/process"
	"planmode/plan/tool/web"
)

// Options are what the tools of a session need.
type Options struct {
	Dir     string           // the working directory
	Planner Planner          // nil: the managed tools answer that they are not available
	Talker  Talker           // nil: the tools that talk to the person answer likewise
	Env     []string         // environment of commands before it is cleaned; nil means our own
	Secrets []string         // more variables that hold keys and reach no command
	Private []string         // directories of planmode itself; writes there deserve a warning
	Temp    string           // directory for temporary files of commands; empty keeps the person's
	More    []Tool           // further tools; a name that is taken is ignored
	Web     web.Options      // of web_read
	Looking bool             // commands that only look may run while planning
	Now     func() time.Time // nil means time.Now
}

// Set is the tools of a session. It is safe for concurrent use.
type Set struct {
	mu    sync.RWMutex
	tools map[string]entry
	order []string
}

// entry keeps the description beside the tool: it never changes, and the policy
// reads it at every call.
type entry struct {
	Tool
	spec Spec
}

// New builds the set.
func New(o Options) *Set {
	if o.Now == nil {
		o.Now = time.Now
	}
	at := newPlace(o.Dir, o.Private)
	shown := &shownChanges{}
	s := &Set{tools: map[string]entry{}}
	builtin := []Tool{
		readTool{at}, grepTool{at}, findTool{at}, lsTool{at}, webTool{o.Web},
		bashTool{dir: at.dir, env: commandEnv(o), now: o.Now, looking: o.Looking}, editTool{at, shown}, writeTool{at, shown},
		submitTool{o.Planner}, completeTool{o.Planner},
		askTool{o.Talker}, enterTool{o.Talker}, checklistTool{o.Talker},
	}
	s.add(append(builtin, o.More...))
	return s
}

// add takes tools in; a name that is taken, or empty, is ignored.
func (s *Set) add(tools []Tool) {
	for _, t := range tools {
		spec := t.Spec()
		if _, taken := s.tools[spec.Name]; taken || spec.Name == "" {
			continue
		}
		s.tools[spec.Name] = entry{t, spec}
		s.order = append(s.order, spec.Name)
	}
}

// SetServers replaces the tools that come from servers by these. The built-in ones
// never change: a server cannot take their names.
func (s *Set) SetServers(tools []Tool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order = slices.DeleteFunc(s.order, func(name string) bool {
		remote := s.tools[name].spec.Server != ""
		if remote {
			delete(s.tools, name)
		}
		return remote
	})
	s.add(tools)
}

// find returns the entry with exactly this name.
func (s *Set) find(name string) (entry, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e, ok := s.tools[name]
	return e, ok
}

func commandEnv(o Options) []string {
	base := o.Env
	if base == nil {
		base = os.Environ()
	}
	env := process.Environment(base, o.Secrets...)
	if o.Temp != "" {
		env = append(slices.DeleteFunc(env, func(pair string) bool { return strings.HasPrefix(pair, "TMPDIR=") }), "TMPDIR="+o.Temp)
	}
	return env
}

// Find returns the tool with exactly this name.
func (s *Set) Find(name string) (Tool, bool) {
	e, ok := s.find(name)
	return e.Tool, ok
}

// Specs lists the tools that the mode allows, in a fixed order: what an agent is
// told about. It follows the policy and never widens it; extra are the names
// that the person's configuration adds while planning.
func (s *Set) Specs(mode plan.Mode, openWork bool, extra []string) []Spec {
	p := Policy{Mode: mode, OpenWork: openWork, Extra: extra}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var specs []Spec
	for _, name := range s.order {
		spec := s.tools[name].spec
		if spec.Looks && !p.isNormal() {
			spec.Description = lookDescription
		}
		if why, _ := p.refuse(spec); why == "" {
			specs = append(specs, spec)
		}
	}
	return specs
}
