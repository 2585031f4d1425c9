package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tree"
)

// harmed is a session with an approval whose log is changed in any way a test
// likes, and opened again each time.
type harmed struct {
	*rig
	path string
	log  []byte
	ref  plan.Ref
	kept map[string]string // what the plan's files were
}

func harm(t *testing.T) *harmed {
	t.Helper()
	r, ref := approved(t)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(r.dirs.Data, "sessions", "*", r.opt.Session+".jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatalf("logs: %v, %v", found, err)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return &harmed{rig: r, path: found[0], log: b, ref: ref, kept: onDisk(t, r)}
}

// again puts everything back as it was, but for the log, and opens the session.
func (h *harmed) again(log []byte) {
	h.t.Helper()
	_ = h.store.Close()
	if err := os.RemoveAll(h.dirs.Data); err != nil {
		h.t.Fatal(err)
	}
	for path, content := range h.kept {
		if path == h.path {
			content = string(log)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			h.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	h.openStore()
	l, err := h.store.OpenLog(h.opt.Session)
	if err != nil {
		h.t.Fatal(err)
	}
	h.rig.open(l, true)
}

// safe holds what must be true after any damage: the plan's record is what it
// was, and work goes on by itself only where the log says so in whole lines.
func (h *harmed) safe(log []byte, where string) {
	h.t.Helper()
	m, err := h.store.Manifest(h.ref.Plan)
	if err != nil || len(m.Decisions) == 0 || m.Decisions[0].Kind != plan.DecidedApproved || m.Decisions[0].Hash != h.ref.Hash {
		h.t.Fatalf("%s: the approval is lost: %+v, %v", where, m.Decisions, err)
	}
	if text, err := h.store.Revision(h.ref); err != nil || plan.HashOf(text) != h.ref.Hash {
		h.t.Fatalf("%s: the revision is lost: %v", where, err)
	}
	st := h.View().State
	if w := st.OpenWork(); w != nil && w.Status == plan.Implementing && !logged(log, plan.KindPlanApproved) {
		h.t.Fatalf("%s: implementing what no entry approved", where)
	}
	if h.opt.Log.Lost() > 0 && h.opt.Log.ReadOnly() == nil && !st.IsPlanning() {
		h.t.Fatalf("%s: lines are lost and the gate is open: %+v", where, st)
	}
}

// logged says whether a log has an entry of a kind in a line that is as it was.
func logged(log []byte, kind plan.Kind) bool {
	for line := range bytes.Lines(log) {
		if e, err := tree.ParseLine(bytes.TrimSuffix(line, []byte("\n"))); err == nil && bytes.HasSuffix(line, []byte("\n")) && e.Kind == kind {
			return true
		}
	}
	return false
}

func TestALogThatEndsAnywhereOpens(t *testing.T) {
	h := harm(t)
	header := bytes.IndexByte(h.log, '\n') + 1
	for cut := 0; cut <= len(h.log); cut++ {
		whole := cut == 0 || h.log[cut-1] == '\n'
		if !whole && cut%61 != 0 && (cut == len(h.log) || h.log[cut] != '\n') {
			continue // some of each line, and the end of every one
		}
		log := h.log[:cut]
		h.again(log)
		where := fmt.Sprintf("cut at %d of %d", cut, len(h.log))
		h.safe(log, where)
		switch said := h.notices(); {
		case cut < header:
			if h.opt.Log.ReadOnly() == nil || !strings.Contains(said, "can only be read") {
				t.Errorf("%s: a log without a header is written to; said:\n%s", where, said)
			}
		case !whole && strings.Count(said, "the last line is incomplete") != 1:
			t.Errorf("%s: the torn tail is not said once:\n%s", where, said)
		}
		if now, err := os.ReadFile(h.path); err != nil || !bytes.HasPrefix(now, log[:bytes.LastIndexByte(log, '\n')+1]) {
			t.Errorf("%s: whole lines were changed: %v", where, err)
		}
		_ = h.Close()
	}
}

func TestALogWithAnyByteDamagedOpens(t *testing.T) {
	h := harm(t)
	header := bytes.IndexByte(h.log, '\n') + 1
	for at := 0; at < len(h.log); at += 43 {
		log := bytes.Clone(h.log)
		log[at] ^= 0x21
		h.again(log)
		where := fmt.Sprintf("byte %d of %d", at, len(h.log))
		h.safe(log, where)
		if h.notices() == "" || at >= header && h.opt.Log.Lost() == 0 && h.opt.Log.ReadOnly() == nil && len(h.opt.Log.Problems()) == 0 {
			t.Errorf("%s: nothing was said of %q", where, log[max(at-20, 0):min(at+20, len(log))])
		}
		_ = h.Close()
	}
}
