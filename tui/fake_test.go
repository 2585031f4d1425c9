package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/tool"
	"planmode/plan/tree"
)

const hash = plan.Hash("sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")

var start = time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)

func ref(n int) plan.Ref {
	return plan.Ref{Plan: "20250102T030405-oauth-0a1b2c3d", Revision: n, Hash: hash}
}

// fake is a session that does what a test says.
type fake struct {
	t testing.TB

	mu       sync.Mutex
	view     session.View
	items    []session.Item
	sent     []string
	plans    []string
	drafts   []string
	queue    []string
	stopped  int
	looks    int
	sendErr  error
	shell    []string
	shellErr error
	planRun  func(ctx context.Context, arg string) error
	poked    chan struct{}
	restored string
	onSend   func() // may be nil
	branching
}

func newFake(t testing.TB) *fake {
	return &fake{t: t, poked: make(chan struct{}, 1), view: session.View{
		Dir: "/base/ada/shop", Agent: "demo", Mode: "manual", Branch: "main", Context: 12,
		State: plan.State{Mode: plan.ModeNormal},
	}}
}

func (f *fake) Poked() <-chan struct{} { return f.poked }

func (f *fake) View() session.View {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.view
	v.Entries = len(f.items)
	v.Queue = append([]string(nil), f.queue...)
	return v
}

func (f *fake) Items(from int) []session.Item {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]session.Item(nil), f.items[min(from, len(f.items)):]...)
}

func (f *fake) Send(text string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sendErr != nil {
		return f.sendErr
	}
	f.sent = append(f.sent, text)
	if f.onSend != nil {
		f.onSend()
	}
	return nil
}

func (f *fake) Unqueue() (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		return "", false
	}
	last := f.queue[len(f.queue)-1]
	f.queue = f.queue[:len(f.queue)-1]
	return last, true
}

func (f *fake) Interrupt() { f.mu.Lock(); defer f.mu.Unlock(); f.stopped++ }

func (f *fake) Plan(ctx context.Context, arg string) error {
	f.mu.Lock()
	f.plans = append(f.plans, arg)
	run := f.planRun
	f.mu.Unlock()
	if run != nil {
		return run(ctx, arg)
	}
	return nil
}

func (f *fake) SetPermission(ctx context.Context, mode string) error {
	return f.Plan(ctx, "mode "+mode)
}

func (f *fake) Toggle(ctx context.Context) error { return f.Plan(ctx, "toggle") }

func (f *fake) Shell(command string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shell = append(f.shell, command)
	return f.shellErr
}

func (f *fake) SaveDraft(text string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drafts = append(f.drafts, text)
	return nil
}

func (f *fake) Draft() string { return f.restored }

func (f *fake) Look() { f.mu.Lock(); defer f.mu.Unlock(); f.looks++ }

// change changes the view and pokes.
func (f *fake) change(do func(*session.View)) {
	f.mu.Lock()
	do(&f.view)
	f.mu.Unlock()
	f.poke()
}

func (f *fake) poke() {
	select {
	case f.poked <- struct{}{}:
	default:
	}
}

// add appends an entry and pokes.
func (f *fake) add(kind plan.Kind, body any) *fake {
	f.mu.Lock()
	defer f.poke()
	defer f.mu.Unlock()
	id := plan.EntryID(fmt.Sprintf("%012x", len(f.items)+1))
	e, err := tree.New(id, "", plan.Stamp(start), kind, body)
	if err != nil {
		panic(err)
	}
	f.items = append(f.items, e)
	return f
}

func (f *fake) user(s string) *fake { return f.add(tree.KindUser, tree.User{Text: s}) }

func (f *fake) say(s string) *fake { return f.add(tree.KindAssistant, tree.Assistant{Text: s}) }

func (f *fake) event(ev plan.Event) *fake { return f.add(ev.Kind(), ev) }

func (f *fake) tool(id, name string, args any, text string, details any) *fake {
	raw, err := json.Marshal(args)
	if err != nil {
		f.t.Fatal(err)
	}
	f.add(tree.KindToolCall, tree.ToolCall{Call: id, Name: name, Args: raw})
	r := tree.ToolResult{Call: id, Name: name, Text: text}
	if details != nil {
		r.Details = tool.Marshal(details)
	}
	return f.add(tree.KindToolResult, r)
}

// calls copies what the screen asked for.
func (f *fake) calls() (sent, plans, drafts []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.sent...), append([]string(nil), f.plans...), append([]string(nil), f.drafts...)
}

func planView(title string, rev int, st plan.Status, steps ...string) *session.PlanView {
	return &session.PlanView{Ref: ref(rev), Title: title, Status: st, Steps: steps, Path: "/base/ada/plans/r1.md"}
}
