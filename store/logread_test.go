package store

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"planmode/plan"
	"planmode/plan/tree"
)

// logBytes is a log of n user messages.
func logBytes(tb testing.TB, n int) []byte {
	tb.Helper()
	b, err := tree.AppendHeader(nil, tree.Header{Session: "s", Version: tree.LogVersion, CreatedAt: plan.Stamp(time.Unix(0, 0))})
	for i := 0; i < n && err == nil; i++ {
		b, err = tree.AppendLine(b, message(tb, i+1, plan.EntryID(map[bool]string{false: fmt.Sprintf("%012x", i)}[i == 0])))
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func message(tb testing.TB, n int, parent plan.EntryID) tree.Entry {
	tb.Helper()
	e, err := tree.New(plan.EntryID(fmt.Sprintf("%012x", n)), parent, plan.Stamp(time.Unix(0, 0)), tree.KindUser, tree.User{Text: "hello"})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// FuzzReadLog checks that any bytes can be read, that nothing of them is
// unaccounted for, and that what is written behind the last whole line is found.
func FuzzReadLog(f *testing.F) {
	good := logBytes(f, 3)
	f.Add(good)
	f.Add(good[:len(good)-5])
	f.Add(bytes.Replace(good, []byte("hello"), []byte("hullo"), 1))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := readLog(b)
		if int(r.end)+len(r.torn) != len(b) || bytes.IndexByte(r.torn, '\n') >= 0 {
			t.Fatalf("%d bytes of lines and %d torn make %d", r.end, len(r.torn), len(b))
		}
		if r.end == 0 && r.err == nil {
			t.Fatal("no header, and writable")
		}
		line, err := tree.AppendLine(b[:r.end:r.end], message(t, 1<<40, r.tree.Leaf()))
		if err != nil {
			t.Fatal(err)
		}
		again := readLog(line)
		want := r.tree.Len() + 1
		if r.end == 0 {
			want = 0 // the line stands where the header should
		}
		if again.tree.Len() != want || len(again.torn) != 0 {
			t.Fatalf("%d entries, then %d", r.tree.Len(), again.tree.Len())
		}
	})
}

func TestEveryCutOfALogIsATornTailAtMost(t *testing.T) {
	b := logBytes(t, 3)
	for cut := range b {
		r := readLog(b[:cut])
		if lines := bytes.Count(b[:cut], []byte("\n")); r.tree.Len() != max(0, lines-1) {
			t.Errorf("cut at %d: %d entries of %d lines", cut, r.tree.Len(), lines)
		}
	}
}

func TestEveryChangedByteIsNoticed(t *testing.T) {
	b := logBytes(t, 3)
	for i := range b {
		bad := bytes.Clone(b)
		bad[i] ^= 1
		if r := readLog(bad); r.err == nil && len(r.problems) == 0 {
			t.Errorf("byte %d (%q) was changed unnoticed", i, b[i])
		}
	}
}
