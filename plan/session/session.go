// Package session is the conductor of one session: intents of the person go in,
// events are logged and folded into state, and a screen is poked to look again.
//
// Two locks order everything. writing serialises those who change the session:
// it is held while an entry goes to disk. mu guards the published copy that
// screens read, and is never held across a disk write, so that looking never
// waits for a disk. What is published is already durable.
package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/git"
	"planmode/plan/tool"
	"planmode/plan/tool/mcp"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/store"
)

// ErrUsage reports a `/plan` argument that is not one.
var ErrUsage = errors.New("usage: /plan [on|off|revise|complete|abandon|discard|review|take|show|steps|status]")

// ErrClosed reports an intent that came after Close.
var ErrClosed = errors.New("the session is closed")

// ErrBusy reports an intent that cannot wait for the turn that runs.
var ErrBusy = errors.New("the agent is running; interrupt it first (Esc Esc), or wait until it stops")

// Options is what a session is built from. All fields without a comment are
// required.
type Options struct {
	Store        *store.Store
	Log          *store.Log
	Session      string // the session's id
	Resumed      bool   // the log existed before this process
	Config       store.Config
	ConfigPath   string   // for the person
	Warnings     []string // about the configuration; shown at the start
	Agent        agent.Agent
	Model        string // that the command line chose; may be empty
	Desk         Desk
	Servers      *mcp.Servers // the MCP servers of the person; nil for none
	Observer     Observer     // may be nil
	Dir          string       // the working directory, absolute
	Instructions string       // text of AGENTS.md; may be empty
	Temp         string       // directory for temporary files of tools
	Private      []string     // planmode's own directories
	Env          []string
	Finder       revdiff.FindOptions
	ProbeCache   string // file for what is known of reviewers
	Repo         git.Repo
	Branch       string // git branch at start; may be empty
	Now          func() time.Time
	Random       io.Reader
	Persistent   bool // false under --no-session
	// AlwaysAllow keeps a rule in the person's configuration; nil leaves "always" out
	// of what a permission question offers.
	AlwaysAllow func(rule string) error
	// Permission is the permission mode that the command line gave; empty for none.
	Permission plan.Permission
}

// Session conducts one conversation. Its methods are safe for concurrent use.
type Session struct {
	opt      Options
	tools    *tool.Set
	poked    chan struct{}
	grants   grants
	perms    permissions
	reviewer reviewerState

	writing  sync.Mutex // held by whoever appends to the log
	command  sync.Mutex // held by one command that changes the mode or the work
	starting sync.Mutex // held while a message begins a turn, and while a mode changes

	mu         sync.Mutex
	state      plan.State
	branch     []Item
	epoch      int
	unsaved    int // notices that could not be recorded so far
	views      map[plan.Ref]*PlanView
	remarks    map[plan.Ref]string // what the person should know of a revision when they decide
	live       live
	job        *job // what runs now: a turn, or a review asked for by command
	queue      []string
	handoff    *tree.Handoff // the approved plan that the next turn begins with
	reinject   bool          // the open work's plan goes in again with the next turn
	goOn       bool          // the turn ended by turning planning on; the next one goes on with its task
	lists      checklists
	closing    bool
	disabled   string
	fresh      freshness
	background background
	watch      *watch // the work tree as it was when planning began
	usage      agent.Usage
	spent      float64 // US dollars of the turns before, as far as known
	models     models

	serversTold map[string]bool // states of MCP servers that the person knows of

	written written

	historyTold bool // the person knows that the history cannot be written
}

// job is a running turn or review: one at a time, and interruptible.
type job struct {
	cancel context.CancelFunc
	done   chan struct{}
	since  time.Time
	status string
	voided bool // ended by a change of mode
	asked  bool // a review that the person asked for, which no mode answers
	ending bool // its turn was ended by a result and only winds up
	again  bool // the agent runs once more, with what came of its plan
}

// New builds the session over an open log, folds its state and, when it is
// resumed, reconciles what a crash left between two files. What the person must
// know is logged as notices.
func New(o Options) *Session {
	if o.Observer == nil {
		o.Observer = unobserved{}
	}
	o.Desk = observedDesk{desk: o.Desk, observer: o.Observer}
	s := &Session{
		opt:   o,
		poked: make(chan struct{}, 1),
		views: map[plan.Ref]*PlanView{},
	}
	s.background.begin()
	s.fresh.branch = o.Branch
	s.tools = tool.New(tool.Options{
		Dir: o.Dir, Planner: s, Talker: s, Env: o.Env, Secrets: o.Config.Secrets(), Private: o.Private, Temp: o.Temp, Now: o.Now,
		Looking: o.Config.Planning.Shell == "readonly",
	})
	s.findReviewer()
	s.restore()
	s.beginModels()
	if s.state.IsPlanning() && s.readOnly() == nil {
		s.planningBegan()
	}
	s.Look()
	return s
}

// Poked delivers, coalesced, that View has changed. It never closes.
func (s *Session) Poked() <-chan struct{} { return s.poked }

func (s *Session) poke() {
	select {
	case s.poked <- struct{}{}:
	default:
	}
}

// Interrupt ends the running turn; what was streamed is kept and messages that
// wait stay queued until the person sends something.
func (s *Session) Interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.job != nil {
		s.job.cancel()
	}
}

// stop ends what runs and waits until it has. voided marks a review in it as
// overtaken by a change of mode.
func (s *Session) stop(voided bool) {
	s.mu.Lock()
	j := s.job
	if j != nil {
		j.voided = j.voided || voided
		j.cancel()
	}
	s.mu.Unlock()
	if j != nil {
		<-j.done
	}
}

// overtake ends what runs and then makes a change of mode or work, before
// anything else can begin: a turn sees one mode from start to end.
func (s *Session) overtake(change func()) {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.stop(true)
	change()
}

func (s *Session) isVoided(j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return j.voided
}

// begin claims the session for a turn or a review. It fails when one runs.
func (s *Session) begin(status string) (*job, context.Context, bool) {
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.job != nil || s.closing {
		cancel()
		return nil, nil, false
	}
	s.job = &job{
		cancel: cancel, done: make(chan struct{}), since: s.opt.Now(),
		status: status,
	}
	s.opt.Observer.Working()
	s.poke()
	return s.job, ctx, true
}

// beginNext is begin for an intent of the person that follows on what a turn has
// just shown: it waits for a turn that only winds up.
func (s *Session) beginNext(status string) (*job, context.Context, bool) {
	s.mu.Lock()
	j := s.job
	windsUp := j != nil && j.ending && len(s.queue) == 0 && s.handoff == nil
	s.mu.Unlock()
	if windsUp {
		<-j.done
	}
	return s.begin(status)
}

func (s *Session) setEnding(j *job, ending bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.ending = ending
}

// windUp marks what runs as ended by what is about to be recorded.
func (s *Session) windUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.job != nil {
		s.job.ending = true
	}
}

// end gives the session back.
func (s *Session) end(j *job) {
	j.cancel()
	s.mu.Lock()
	s.free(j)
	s.mu.Unlock()
	close(j.done)
	s.poke()
}

// free lets the next job begin. It needs mu, and does nothing when j was freed
// before: another job may run by then.
func (s *Session) free(j *job) {
	if s.job != j {
		return
	}
	s.job = nil
	s.opt.Observer.Idle()
	s.live, s.goOn = live{}, false
	if s.handoff != nil { // approved, then interrupted before the next turn
		s.handoff, s.reinject = nil, true
	}
}

func (s *Session) setStatus(text string) {
	s.mu.Lock()
	if s.job != nil {
		s.job.status = text
	}
	s.mu.Unlock()
	s.poke()
}

// Close stops what runs, keeps what was streamed, waits for what goes on in the
// background and releases the log. A review
// that is open stays open in the log and is offered again on resume.
func (s *Session) Close() error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.background.end()
	s.stop(false)
	s.background.running.Wait()
	if err := errors.Join(s.closeUnsent(), s.opt.Log.Close()); err != nil {
		return fmt.Errorf("close session %s: %w", s.opt.Session, err)
	}
	return nil
}

func (s *Session) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}
