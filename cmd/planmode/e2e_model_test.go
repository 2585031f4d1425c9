//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"planmode/plan/agent/model/modeltest"

	"planmode/tui/tuitest"
)

// modelKey is the key in these worlds. It must stay out of everything on disk.
const modelKey = "sk-e2e-0123456789abcdef"

// modelKinds are the providers by which a whole run reaches each wire.
var modelKinds = map[modeltest.Wire][2]string{
	modeltest.Anthropic: {"anthropic", ""},
	modeltest.Chat:      {"openai-compatible", "/v1"},
	modeltest.Responses: {"openai", "/v1"},
	modeltest.Google:    {"google", ""},
}

// withModel gives the world a model server as its only provider.
func (w *world) withModel(wire modeltest.Wire, s *modeltest.Server) {
	w.t.Helper()
	kind := modelKinds[wire]
	w.config(fmt.Sprintf(`{"providers":{"here":{"kind":%q,"baseURL":%q,"keyEnv":"HERE_KEY","models":[{"name":"m","window":100000}]}}}`, kind[0], s.URL+kind[1]))
	w.env = append(w.env, "HERE_KEY="+modelKey)
}

func (w *world) config(text string) {
	w.t.Helper()
	dir := filepath.Join(w.home, "config")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// modelPlan is a plan with all that is demanded of one.
const modelPlan = "# Add a cart\n\n## Goal\n\nA cart.\n\n## Non-goals\n\nA till.\n\n## Current evidence\n\nmain.go is empty.\n\n" +
	"## Decisions and rationale\n\nA file of its own.\n\n## Proposed changes\n\ncart.txt\n\n## Execution steps\n\n1. Write cart.txt\n2. Look at it\n\n" +
	"## Verification\n\ncart.txt is there.\n\n## Risks\n\nNone.\n\n## Assumptions\n\nNone.\n"

func arguments(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// planIDs finds the plan that the request speaks of.
var planIDs = regexp.MustCompile(`\d{8}T\d{6}-[a-z0-9-]+-[a-f0-9]{8}`)

// builder plays a model that plans, implements and completes.
func builder() *modeltest.Server {
	return modeltest.NewFunc(func(n int, r modeltest.Request) modeltest.Reply {
		switch n {
		case 0:
			return modeltest.Reply{Reasoning: "Look first.", Text: "I look around.", Calls: []modeltest.Call{
				{ID: "a1", Name: "ls", Args: `{"path":"."}`}, {ID: "a2", Name: "read", Args: `{"path":"main.go"}`},
			}}
		case 1:
			return modeltest.Reply{Text: "Here is the plan.", Calls: []modeltest.Call{
				{ID: "b1", Name: "submit_plan", Args: arguments(map[string]string{"title": "Add a cart", "markdown": modelPlan})},
			}}
		case 2:
			return modeltest.Reply{Text: "I write it.", Calls: []modeltest.Call{{ID: "c1", Name: "write", Args: `{"path":"cart.txt","content":"a cart\n"}`}}}
		case 3:
			return modeltest.Reply{Calls: []modeltest.Call{{ID: "d1", Name: "complete_plan", Args: arguments(map[string]any{
				"planId": planIDs.FindString(r.Raw), "revision": 1, "summary": "The cart is there.", "verification": []string{"looked at it"},
			})}}}
		}
		return modeltest.Reply{Text: "That was all."}
	})
}

func TestTheWholeFlowOnAModel(t *testing.T) {
	for _, wire := range modeltest.Wires {
		t.Run(string(wire), func(t *testing.T) {
			t.Parallel()
			s := builder()
			defer s.Close()
			w := newWorld(t)
			w.withModel(wire, s)
			r := w.open()
			r.WaitFor("The agent runs on here/m")
			r.WaitFor("here/m")
			r.plan("Add a cart")
			r.WaitFor("A file of its own.")
			r.end()
			r.Press("a")
			r.armed("Create cart.txt", "Allow once")
			w.decided("r1 approved")
			r.Press("enter")
			r.WaitFor("COMPLETED")
			if b, err := os.ReadFile(filepath.Join(w.dir, "cart.txt")); err != nil || string(b) != "a cart\n" {
				t.Errorf("cart.txt: %q, %v", b, err)
			}
			r.WaitFor("% context")
			r.quit()
			if asked := s.Requests(); len(asked) < 4 || !strings.Contains(asked[2].Raw, "comes from planmode") {
				t.Errorf("%d requests; the third lacks the approved plan", len(asked))
			}
			w.holdsNoKey()
		})
	}
}

// holdsNoKey looks for the key in every file below the world, logs included.
func (w *world) holdsNoKey() {
	w.t.Helper()
	err := filepath.WalkDir(w.base, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), modelKey) {
			w.t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestWithoutAKeyTheDemoAgentSaysHowToGetAModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.start()
	for _, want := range []string{"DEMO agent", "ANTHROPIC_API_KEY", "planmode auth set", "providers"} {
		r.WaitFor(want)
	}
	r.quit()
}

func TestAModelThatCannotRunSaysWhyAndIsNeverReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config(`{"agent":"model","model":"anthropic/claude-sonnet-4-5"}`)
	r := w.open()
	r.WaitFor("there is no key")
	r.say("Hello there")
	r.WaitFor("The agent stopped with an error")
	r.WaitFor("set ANTHROPIC_API_KEY")
	if strings.Contains(r.Screen(), "DEMO agent") {
		t.Errorf("the demo agent answered:\n%s", r.Screen())
	}
	r.quit()
}

func TestAModelIsChosenForPlanningAlone(t *testing.T) {
	t.Parallel()
	s := modeltest.New(modeltest.Reply{Text: "first"}, modeltest.Reply{Text: "second"})
	defer s.Close()
	w := newWorld(t)
	w.config(fmt.Sprintf(`{"providers":{"here":{"kind":"openai-compatible","baseURL":%q,"models":["big","small"]}}}`, s.URL+"/v1"))
	r := w.open()
	r.WaitFor("here/big")
	r.say("/model")
	r.WaitFor("here/small")
	r.Type("small")
	r.WaitFor("(1 of")
	r.Press("enter")
	r.selects("❯ Everywhere", "❯ While planning")
	r.Press("enter")
	r.WaitFor("Model: here/small · while planning")
	r.say("one")
	r.WaitFor("first")
	r.say("/plan on")
	r.WaitFor("here/small medium")
	r.say("two")
	r.WaitFor("second")
	r.quit()
	asked := s.Requests()
	if a, b := asked[0].Body["model"], asked[1].Body["model"]; a != "big" || b != "small" {
		t.Errorf("asked %v, then %v", a, b)
	}
}

func TestAnInterruptEndsAStreamAtOnce(t *testing.T) {
	t.Parallel()
	s := modeltest.New(modeltest.Reply{Text: "I think about it", Finish: "none", Stall: true})
	defer s.Close()
	w := newWorld(t)
	w.withModel(modeltest.Anthropic, s)
	r := w.open()
	r.WaitFor("here/m")
	r.say("Go on then")
	r.WaitFor("I think about it")
	begun := time.Now()
	r.Press("esc", "esc")
	r.WaitFor("! interrupted")
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
	r.quit()
}

// selects moves down from one row to the next. A dialog that follows another one
// takes keys only after a moment of quiet, so a key may have to be pressed again.
func (r *run) selects(from, to string) {
	r.t.Helper()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for range 100 * tuitest.Patience {
		if strings.Contains(r.Screen(), from) {
			r.Press("down")
		}
		<-tick.C
		if strings.Contains(r.Screen(), to) {
			return
		}
	}
	r.t.Fatalf("%s was never selected:\n%s", to, r.Screen())
}
