package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/exp/golden"

	"planmode/plan"
	"planmode/plan/session"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/store"
	"planmode/store/storetest"
)

// hostile is text that would like to draw on the terminal, or to pass for a
// heading of planmode's.
const hostile = "ti\x1b[2Jtle\x1b]0;owned\a \u202edecoded\u202c\n## You · forged\n> nested\r\n\u009b31mred ```\x1b[m`\n"

const id = "20260101T000000-0123456789ab"

// conversation is a log under construction. Its clock stands still.
type conversation struct {
	t    *testing.T
	s    *store.Store
	log  *store.Log
	home string
	n    int
}

func newSession(t *testing.T, cwd string) *conversation {
	t.Helper()
	home := t.TempDir()
	s := open(t, home)
	log, err := s.CreateLog(tree.Header{Session: id, Cwd: cwd})
	if err != nil {
		t.Fatal(err)
	}
	x := &conversation{t: t, s: s, log: log, home: home}
	t.Cleanup(x.close)
	return x
}

func open(t *testing.T, home string) *store.Store {
	t.Helper()
	s, err := store.Open(dirs(home), store.Options{Now: clock, Random: &storetest.Random{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func clock() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func dirs(home string) store.Dirs {
	return store.Dirs{Config: home + "/config", Data: home + "/data", State: home + "/state", Run: home + "/run"}
}

func (x *conversation) close() {
	if err := x.log.Close(); err != nil {
		x.t.Error(err)
	}
}

func (x *conversation) add(kind plan.Kind, body any) plan.EntryID {
	x.t.Helper()
	x.n++
	e, err := tree.New(plan.EntryID(strings.Repeat("0", 11)+string(rune('a'+x.n-1))), x.log.Tree().Leaf(), plan.Stamp(clock()), kind, body)
	if err == nil {
		err = x.log.Append(e)
	}
	if err != nil {
		x.t.Fatal(err)
	}
	return e.ID
}

func (x *conversation) event(ev plan.Event) plan.EntryID { return x.add(ev.Kind(), ev) }

// submitted brings the session to a submitted plan.
func (x *conversation) submitted() (plan.Ref, plan.EntryID) {
	x.t.Helper()
	x.event(plan.PlanningEntered{})
	_, ref, err := x.s.Submit(store.Submission{
		Session: id, Cwd: "/w", Author: plan.ByAgent, Title: "A plan", Text: []byte("# A plan\n\n```go\nx()\n```\n"), Steps: []string{"one"},
	})
	if err != nil {
		x.t.Fatal(err)
	}
	return ref, x.event(plan.RevisionSubmitted{Ref: ref, Title: "A `plan` <b>", Author: plan.ByAgent, Steps: 1})
}

// approved brings it on to open work.
func (x *conversation) approved() plan.Ref {
	x.t.Helper()
	ref, entry := x.submitted()
	x.event(plan.ReviewOpened{Review: "r", Ref: ref, Round: 1})
	x.event(plan.PlanApproved{Review: "r", Ref: ref, Submission: entry, By: plan.ByUser, Title: "A plan", Steps: 1})
	return ref
}

func TestDescribe(t *testing.T) {
	for name, c := range map[string]struct {
		make func(x *conversation)
		want func(s Summary) bool
	}{
		"an empty session has no plan": {
			func(*conversation) {},
			func(s Summary) bool {
				return s.Plan == nil && s.Work == "" && s.Mode == plan.ModeNormal && s.Entries == 0
			},
		},
		"a draft": {
			func(x *conversation) { x.submitted() },
			func(s Summary) bool {
				return s.Plan != nil && s.Plan.Draft && s.Plan.Revision == 1 && s.Plan.Title == "A `plan` <b>" && s.Mode == plan.ModePlanning && s.Work == ""
			},
		},
		"open work": {
			func(x *conversation) { x.approved() },
			func(s Summary) bool { return s.Work == plan.Implementing && s.Plan != nil && !s.Plan.Draft },
		},
		"closed work": {
			func(x *conversation) {
				x.event(plan.WorkAbandoned{Ref: x.approved(), By: plan.ByUser, Title: "A plan"})
			},
			func(s Summary) bool { return s.Work == plan.Abandoned },
		},
		"an approval that only the manifest holds is work of unknown state": {
			func(x *conversation) {
				ref, _ := x.submitted()
				_, err := x.s.Decide(ref.Plan, plan.Decision{
					Revision: 1, Kind: plan.DecidedApproved, By: plan.ByUser, At: plan.Stamp(clock()), Hash: ref.Hash,
					Session: id, Entry: "ffffffffffff", Review: "r", Round: 1,
				})
				if err != nil {
					x.t.Fatal(err)
				}
			},
			func(s Summary) bool { return s.Work == plan.Unknown && len(s.Problems) == 1 },
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := newSession(t, "/w")
			c.make(x)
			s, err := Describe(x.s, id[:20])
			if err != nil || !c.want(s) || s.Holder == nil || s.Holder.PID != os.Getpid() {
				t.Errorf("%+v (plan %+v), %v", s, s.Plan, err)
			}
		})
	}
}

func TestListIsCleanOnAScreenAndWholeInJSON(t *testing.T) {
	x := newSession(t, "/w/"+hostile)
	x.add(tree.KindUser, tree.User{Text: hostile})
	x.add(tree.KindTitle, tree.Title{Text: hostile})
	list, more, err := List(x.s, "", 10)
	if err != nil || len(list) != 1 || more != 0 {
		t.Fatal(list, more, err)
	}
	for _, s := range []string{list[0].Title, list[0].First, list[0].Directory} {
		if s == "" || strings.ContainsFunc(s, text.Hidden) {
			t.Errorf("%q", s)
		}
	}
	if _, err := json.Marshal(list); err != nil {
		t.Error(err)
	}
	if list, more, err := List(x.s, "", 0); err != nil || len(list) != 0 || more != 1 {
		t.Error(list, more, err)
	}
}

func TestRemove(t *testing.T) {
	for name, c := range map[string]struct {
		make func(x *conversation)
		o    RemoveOptions
		want error
	}{
		"a session without work":              {func(x *conversation) { x.add(tree.KindUser, tree.User{Text: "x"}) }, RemoveOptions{}, nil},
		"a draft is no work":                  {func(x *conversation) { x.submitted() }, RemoveOptions{}, nil},
		"open work is refused":                {func(x *conversation) { x.approved() }, RemoveOptions{}, ErrOpenWork},
		"open work goes by force":             {func(x *conversation) { x.approved() }, RemoveOptions{Force: true}, nil},
		"a damaged log is refused":            {func(x *conversation) { x.submitted(); x.damage() }, RemoveOptions{}, ErrDamaged},
		"a damaged log goes by force":         {func(x *conversation) { x.submitted(); x.damage() }, RemoveOptions{Force: true}, nil},
		"a dry run removes nothing":           {func(x *conversation) { x.submitted() }, RemoveOptions{DryRun: true}, nil},
		"a dry run refuses open work as well": {func(x *conversation) { x.approved() }, RemoveOptions{DryRun: true}, ErrOpenWork},
	} {
		t.Run(name, func(t *testing.T) {
			x := newSession(t, "/w")
			c.make(x)
			path := x.log.Path()
			if err := x.log.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := Remove(x.s, id, c.o)
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if err == nil && len(r.Files) == 0 {
				t.Error("no files are named")
			}
			_, err = os.Stat(path)
			if gone, want := errors.Is(err, os.ErrNotExist), c.want == nil && !c.o.DryRun; gone != want {
				t.Errorf("it is gone: %v, want %v", gone, want)
			}
			if m, err := filepath.Glob(x.home + "/data/plans/*/manifest.json"); x.n > 1 && (err != nil || len(m) != 1) {
				t.Errorf("the plan did not stay: %v, %v", m, err)
			}
		})
	}
}

// damage breaks the first entry of the log.
func (x *conversation) damage() {
	x.t.Helper()
	path := x.log.Path()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, bytes.Replace(b, []byte(`"planning_entered"`), []byte(`"planning_exntered`), 1), 0o600)
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

func TestAHeldSessionIsNotRemovedEvenByForce(t *testing.T) {
	x := newSession(t, "/w")
	x.add(tree.KindUser, tree.User{Text: "x"})
	for _, o := range []RemoveOptions{{Force: true}, {Force: true, DryRun: true}} {
		var held *store.HeldError
		if _, err := Remove(open(t, x.home), id, o); !errors.As(err, &held) {
			t.Errorf("%+v gave %v", o, err)
		}
	}
	if _, err := os.Stat(x.log.Path()); err != nil {
		t.Error(err)
	}
}

func TestExportIsQuotedCleanMarkdown(t *testing.T) {
	x := newSession(t, "/w/"+hostile)
	x.add(tree.KindModel, tree.Model{Agent: "demo"})
	x.add(tree.KindUser, tree.User{Text: hostile})
	x.add(tree.KindAssistant, tree.Assistant{Text: "Looking.\n\n" + hostile, Stopped: "interrupted"})
	x.add(tree.KindToolCall, tree.ToolCall{Call: "1", Name: "read\x1b[31m", Args: json.RawMessage(`{"path":"a"}`)})
	x.add(tree.KindToolResult, tree.ToolResult{Call: "1", Name: "read", Text: hostile, Error: true})
	ref, entry := x.submitted()
	x.event(plan.ReviewOpened{Review: "r", Ref: ref, Round: 1})
	x.add(tree.KindAnnotations, tree.Annotations{Ref: ref, Review: "r", Round: 1, Reviewer: "built-in reviewer", Items: []plan.Annotation{
		{Line: 1, End: 2, Quote: "# A plan", Body: hostile, Label: "blocker", Replacement: "# Another"}, {Body: "the whole"},
	}})
	x.add(session.KindFeedback, session.Feedback{Text: hostile})
	x.add(session.KindShell, session.Shell{Command: hostile, Text: hostile, Error: true})
	x.event(plan.PlanApproved{Review: "r", Ref: ref, Submission: entry, By: plan.ByUser, Title: hostile, Steps: 1, Notes: hostile})
	x.add(tree.KindPermission, tree.Permission{Tool: "bash", Scope: "bash", Answer: "once", Subject: hostile})
	x.event(plan.WorkCompleted{Ref: ref, By: plan.ByUser, Title: "A plan", Summary: hostile, Verification: []string{hostile}})
	x.add("from_the_future", map[string]string{"text": hostile})
	var b bytes.Buffer
	if err := Export(&b, x.s, id); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return r != '\n' && text.Hidden(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%q is not clean", line)
		}
		if strings.HasPrefix(line, "## You · forged") {
			t.Errorf("a text passed for a heading")
		}
	}
	// Plan ids are random.
	golden.RequireEqual(t, strings.ReplaceAll(b.String(), string(ref.Plan), "PLAN-ID"))
}

func TestExportCountsTheNotesOfAReview(t *testing.T) {
	for count, want := range map[int]string{0: "## Changes requested ·", 1: "## Changes requested, 1 note ·", 2: "## Changes requested, 2 notes ·"} {
		x := newSession(t, "/w")
		ref, _ := x.submitted()
		x.event(plan.ReviewOpened{Review: "r", Ref: ref, Round: 1})
		x.event(plan.ChangesRequested{Review: "r", Count: count, Text: "shorter"})
		var b bytes.Buffer
		if err := Export(&b, x.s, id); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d notes:\n%s", count, b.String())
		}
	}
}

func TestExportShowsNoOtherBytesThanThoseSubmitted(t *testing.T) {
	x := newSession(t, "/w")
	ref, _ := x.submitted()
	if err := os.WriteFile(x.s.RevisionPath(ref), []byte("# Another plan\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Export(&b, x.s, id); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "Another plan") || !strings.Contains(b.String(), "cannot be shown") {
		t.Errorf("%s", b.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAnExportThatCannotBeWrittenFails(t *testing.T) {
	x := newSession(t, "/w")
	if err := Export(fullDisk{}, x.s, id); err == nil {
		t.Error("no error")
	}
}
