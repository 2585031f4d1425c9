package process

import (
	"bytes"
	"testing"
)

func FuzzSinkKeepsHeadAndTail(f *testing.F) {
	f.Add([]byte("hello, world"), 6, 3)
	f.Add([]byte("abc"), 1, 1)
	f.Add([]byte(""), 10, 2)
	f.Fuzz(func(t *testing.T, data []byte, limit, chunk int) {
		if limit < 1 || limit > 1000 || chunk < 1 || len(data) > 10000 {
			return
		}
		s := newSink(limit, nil)
		for rest := data; len(rest) > 0; {
			n := min(chunk, len(rest))
			if _, err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		want := data
		if len(data) > limit {
			tail := limit / 2
			want = append(bytes.Clone(data[:limit-tail]), data[len(data)-tail:]...)
		}
		head, tail, cut := s.kept()
		got := append(head, tail...)
		if !bytes.Equal(got, want) || cut != len(data)-len(want) {
			t.Errorf("kept %q, cut %d, want %q", got, cut, want)
		}
	})
}

func TestSinkTakesNothingOnceShut(t *testing.T) {
	seen := 0
	s := newSink(10, func(p []byte) { seen += len(p) })
	_, _ = s.Write([]byte("one"))
	s.shut()
	if _, err := s.Write([]byte("two")); err == nil {
		t.Error("a write after shut was taken")
	}
	if got, _, _ := s.kept(); string(got) != "one" || seen != 3 {
		t.Errorf("kept %q, observer saw %d bytes", got, seen)
	}
}
