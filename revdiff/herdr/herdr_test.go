package herdr

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// server is Herdr as a test wants it. answer is called for every request, with
// its number from 0; what it returns is sent back, and nothing hangs up: it then
// waits until the client does.
type server struct {
	mu     sync.Mutex
	got    []request
	open   int // connections at the moment
	most   int // and the most there were at once
	dials  int
	answer func(n int) string
	refuse error // of every dial
}

func (s *server) dial(context.Context, string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dials++
	if s.refuse != nil {
		return nil, s.refuse
	}
	ours, theirs := net.Pipe()
	s.open++
	s.most = max(s.most, s.open)
	go s.serve(ours)
	return &counted{Conn: theirs, s: s}, nil
}

// counted is the client's end of a connection, open until the client closes it.
type counted struct {
	net.Conn
	s *server
}

func (c *counted) Close() error {
	c.s.mu.Lock()
	c.s.open--
	c.s.mu.Unlock()
	return c.Conn.Close()
}

func (s *server) serve(c net.Conn) {
	// The pipe of a test that is over.
	defer func() { _ = c.Close() }()
	in := bufio.NewReader(c)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return
	}
	var req request
	if err := json.Unmarshal(line, &req); err != nil {
		panic(err)
	}
	s.mu.Lock()
	n := len(s.got)
	s.got = append(s.got, req)
	answer := ok
	if s.answer != nil {
		answer = s.answer(n)
	}
	s.mu.Unlock()
	if answer == "" {
		_, _ = in.ReadByte()
		return
	}
	_, _ = fmt.Fprintln(c, answer)
}

// connections are those open at the moment.
func (s *server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

const ok = `{"id":"x","result":{"type":"ok"}}`

// states are the requests so far, one word each.
func (s *server) states() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, r := range s.got {
		word := r.Params.State
		if r.Method == "pane.release_agent" {
			word = "release"
		}
		if r.Params.Message != "" {
			word += "(" + r.Params.Message + ")"
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func inPane(name string) string {
	return map[string]string{"HERDR_ENV": "1", "HERDR_PANE_ID": "w1:p1", "HERDR_SOCKET_PATH": "/run/herdr.sock"}[name]
}

func start(s *server) *Reporter { return New(Options{Getenv: inPane, Dial: s.dial}) }

func bubble(t *testing.T, name string, body func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, body) })
}

func expect(t *testing.T, s *server, want string) {
	t.Helper()
	synctest.Wait()
	if got := s.states(); got != want {
		t.Errorf("the server got %q, want %q", got, want)
	}
}

func TestStates(t *testing.T) {
	bubble(t, "a run from start to end", func(t *testing.T) {
		s := &server{}
		r := start(s)
		expect(t, s, "idle")
		r.Working()
		expect(t, s, "idle working")
		clear := r.Blocked("plan review")
		expect(t, s, "idle working blocked(plan review)")
		clear()
		expect(t, s, "idle working blocked(plan review) working")
		r.Idle()
		expect(t, s, "idle working blocked(plan review) working idle")
		r.Close()
		r.Close()
		expect(t, s, "idle working blocked(plan review) working idle release")
	})
	bubble(t, "blocked is counted, and the newest label shows", func(t *testing.T) {
		s := &server{}
		r := start(s)
		synctest.Wait()
		outer := r.Blocked("outer")
		synctest.Wait()
		inner := r.Blocked("inner")
		synctest.Wait()
		r.Working()
		outer()
		outer()
		synctest.Wait()
		inner()
		expect(t, s, "idle blocked(outer) blocked(inner) working")
		r.Close()
	})
	bubble(t, "the same label twice is two needs", func(t *testing.T) {
		s := &server{}
		r := start(s)
		synctest.Wait()
		first, second := r.Blocked("permission"), r.Blocked("permission")
		synctest.Wait()
		first()
		expect(t, s, "idle blocked(permission)")
		second()
		expect(t, s, "idle blocked(permission) idle")
		r.Close()
	})
	bubble(t, "what did not change is not sent again", func(t *testing.T) {
		s := &server{}
		r := start(s)
		synctest.Wait()
		r.Idle()
		synctest.Wait()
		r.Working()
		synctest.Wait()
		r.Working()
		expect(t, s, "idle working")
		r.Close()
	})
}

func TestRequests(t *testing.T) {
	bubble(t, "names and numbers", func(t *testing.T) {
		s := &server{}
		now := time.UnixMicro(1_785_000_000_000_001)
		r := New(Options{Getenv: inPane, Dial: s.dial, Now: func() time.Time { return now }})
		synctest.Wait()
		now = now.Add(-time.Hour) // a clock that is put back
		r.Working()
		synctest.Wait()
		now = now.Add(2 * time.Hour)
		r.Close()
		want := []uint64{1_785_000_000_000_001, 1_785_000_000_000_002, uint64(now.UnixMicro())}
		for i, req := range s.got {
			if req.Params.Seq != want[i] {
				t.Errorf("request %d has number %d, want %d", i, req.Params.Seq, want[i])
			}
			if p := req.Params; p.Pane != "w1:p1" || p.Source != "custom:planmode" || p.Agent != "planmode" || req.ID == "" {
				t.Errorf("request %+v", req)
			}
		}
		if len(s.got) != 3 {
			t.Errorf("%d requests", len(s.got))
		}
	})
	t.Run("the line is what Herdr documents", func(t *testing.T) {
		r := &Reporter{pane: "w1:p1", opt: Options{Now: func() time.Time { return time.UnixMicro(7) }}}
		for _, c := range []struct{ method, want string }{
			{"pane.report_agent", `{"id":"planmode:7","method":"pane.report_agent","params":{"pane_id":"w1:p1","source":"custom:planmode","agent":"planmode","state":"blocked","message":"plan review","seq":7}}` + "\n"},
			{"pane.release_agent", `{"id":"planmode:8","method":"pane.release_agent","params":{"pane_id":"w1:p1","source":"custom:planmode","agent":"planmode","seq":8}}` + "\n"},
		} {
			rep := report{state: "blocked", message: "plan review"}
			if strings.Contains(c.method, "release") {
				rep = report{}
			}
			if got := string(r.line(c.method, rep)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		}
	})
}

func TestOutsideHerdrNothingHappens(t *testing.T) {
	full := map[string]string{"HERDR_ENV": "1", "HERDR_PANE_ID": "p", "HERDR_SOCKET_PATH": "/s"}
	for _, c := range []struct{ name, unset, value string }{
		{"no Herdr", "HERDR_ENV", ""},
		{"another value", "HERDR_ENV", "true"},
		{"a popup has no pane", "HERDR_PANE_ID", ""},
		{"no socket", "HERDR_SOCKET_PATH", ""},
	} {
		bubble(t, c.name, func(t *testing.T) {
			s := &server{}
			r := New(Options{Dial: s.dial, Getenv: func(name string) string {
				if name == c.unset {
					return c.value
				}
				return full[name]
			}})
			r.Working()
			r.Blocked("x")()
			r.Close()
			synctest.Wait()
			if s.dials != 0 || r.Enabled() {
				t.Errorf("%d connections, enabled %t", s.dials, r.Enabled())
			}
		})
	}
}

func TestNoReporterReportsNothing(t *testing.T) {
	var r *Reporter
	r.Working()
	r.Blocked("x")()
	r.Idle()
	r.Close()
	if r.Enabled() {
		t.Error("it is enabled")
	}
}

func TestAServerInTrouble(t *testing.T) {
	hangs := func(int) string { return "" }
	bubble(t, "one that hangs is asked twice, for half a second and for one and a half", func(t *testing.T) {
		s := &server{answer: hangs}
		begun := time.Now()
		r := start(s)
		expect(t, s, "idle")
		time.Sleep(firstWait)
		expect(t, s, "idle idle")
		if s.got[0] != s.got[1] {
			t.Errorf("the second request is another: %+v, %+v", s.got[0], s.got[1])
		}
		time.Sleep(secondWait - time.Millisecond)
		synctest.Wait()
		if n := s.connections(); n != 1 {
			t.Errorf("%d connections after %s", n, time.Since(begun))
		}
		time.Sleep(time.Hour)
		expect(t, s, "idle idle")
		r.Close()
	})
	bubble(t, "the latest state wins, one request at a time", func(t *testing.T) {
		s := &server{answer: func(n int) string {
			if n == 0 {
				return ""
			}
			return ok
		}}
		r := start(s)
		synctest.Wait()
		for range 100 {
			r.Working()
			r.Blocked("plan review")()
		}
		clear := r.Blocked("plan approval")
		expect(t, s, "idle")
		time.Sleep(firstWait)
		expect(t, s, "idle blocked(plan approval)")
		clear()
		expect(t, s, "idle blocked(plan approval) working")
		if s.most != 1 {
			t.Errorf("%d connections at once", s.most)
		}
		r.Close()
	})
	bubble(t, "a state that was not delivered is sent when it comes up again", func(t *testing.T) {
		s := &server{answer: func(n int) string {
			if n < 2 {
				return ""
			}
			return ok
		}}
		r := start(s)
		time.Sleep(time.Minute)
		r.Idle()
		expect(t, s, "idle idle idle")
		r.Close()
	})
	bubble(t, "a refusal is an answer", func(t *testing.T) {
		s := &server{answer: func(int) string {
			return `{"id":"x","error":{"code":"pane_not_found","message":"no \u001b[2J pane"}}`
		}}
		r := start(s)
		synctest.Wait()
		r.Working()
		time.Sleep(time.Hour)
		expect(t, s, "idle working")
		r.Close()
	})
	bubble(t, "an answer that is no JSON is an answer", func(t *testing.T) {
		s := &server{answer: func(int) string { return "what?" }}
		r := start(s)
		time.Sleep(time.Hour)
		expect(t, s, "idle")
		r.Close()
	})
	bubble(t, "one that is not there costs no time", func(t *testing.T) {
		s := &server{refuse: errors.New("no such file")}
		begun := time.Now()
		r := start(s)
		synctest.Wait()
		r.Working()
		synctest.Wait()
		r.Close()
		if d := time.Since(begun); d != 0 {
			t.Errorf("it took %s", d)
		}
		if s.dials != 5 {
			t.Errorf("%d tries", s.dials)
		}
	})
}

func TestClose(t *testing.T) {
	bubble(t, "what is in flight ends before the release", func(t *testing.T) {
		let := make(chan struct{})
		s := &server{answer: func(n int) string {
			if n == 0 {
				<-let
			}
			return ok
		}}
		r := start(s)
		synctest.Wait()
		go func() {
			time.Sleep(drainWait / 2)
			close(let)
		}()
		begun := time.Now()
		r.Close()
		expect(t, s, "idle release")
		if d := time.Since(begun); d != drainWait/2 {
			t.Errorf("it took %s", d)
		}
	})
	bubble(t, "nothing is sent after the release", func(t *testing.T) {
		s := &server{}
		r := start(s)
		synctest.Wait()
		r.Close()
		r.Working()
		r.Blocked("late")
		time.Sleep(time.Hour)
		expect(t, s, "idle release")
		if !slices.IsSortedFunc(s.got, func(a, b request) int { return int(a.Params.Seq) - int(b.Params.Seq) }) {
			t.Errorf("numbers out of order: %+v", s.got)
		}
	})
	for _, after := range []time.Duration{0, firstWait - 1, firstWait, firstWait + 1, time.Second, firstWait + secondWait, time.Minute} {
		bubble(t, "a server that hangs holds nobody up after "+after.String(), func(t *testing.T) {
			s := &server{answer: func(int) string { return "" }}
			r := start(s)
			time.Sleep(after)
			synctest.Wait()
			begun := time.Now()
			r.Close()
			if d := time.Since(begun); d > drainWait+silentWait {
				t.Errorf("it took %s", d)
			}
			if got := s.states(); !strings.HasSuffix(got, "release") {
				t.Errorf("no release: %s", got)
			}
		})
	}
	bubble(t, "a dialer that never returns holds nobody up", func(t *testing.T) {
		never := make(chan struct{})
		r := New(Options{Getenv: inPane, Dial: func(context.Context, string) (net.Conn, error) {
			<-never
			return nil, errors.New("over")
		}})
		synctest.Wait()
		begun := time.Now()
		r.Close()
		if d := time.Since(begun); d != drainWait+releaseWait {
			t.Errorf("it took %s", d)
		}
		close(never)
	})
	bubble(t, "many at once are fine", func(t *testing.T) {
		s := &server{}
		r := start(s)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				r.Working()
				clear := r.Blocked("permission")
				r.Idle()
				clear()
			})
		}
		all.Wait()
		synctest.Wait()
		r.Close()
		if got := s.states(); !strings.HasSuffix(got, "idle release") {
			t.Errorf("the end is %q", got)
		}
	})
}
