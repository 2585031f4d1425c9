package model

import (
	"strings"
	"testing"
	"time"

	"charm.land/fantasy"

	"planmode/plan/agent/model/modeltest"
)

func TestAnAnswerWithoutEndIsEnded(t *testing.T) {
	for _, wire := range modeltest.Wires {
		s := modeltest.New(modeltest.Reply{Text: strings.Repeat("word ", maxAnswer/5+1000), Piece: 64 << 10})
		err := newAgent(wire, s.URL).Run(t.Context(), turn(), &host{})
		if err == nil || !strings.Contains(err.Error(), "longer than 8 MiB") {
			t.Errorf("%s: %v", wire, err)
		}
		if n := len(s.Requests()); n != 1 {
			t.Errorf("%s: asked %d times", wire, n)
		}
		s.Close()
	}
}

// The pieces of an answer are a word each. What they cost must not grow with what
// came before them: an interrupt waits for the piece that is being taken.
func TestALongAnswerStaysQuick(t *testing.T) {
	q := request{text: func(string) {}, think: func(string) {}}
	took := func(pieces int) time.Duration {
		g := &answer{open: map[string]int{}, grown: map[int]*strings.Builder{}}
		begun := time.Now()
		for range pieces {
			g.take(delta("word "), q)
		}
		g.settle()
		if len(g.text) != 5*pieces {
			t.Fatalf("%d bytes of %d pieces", len(g.text), pieces)
		}
		return time.Since(begun)
	}
	took(1000)
	few, many := took(20_000), took(320_000)
	if many > 100*few+time.Second { // sixteen times the pieces; were it quadratic, it took 256 times as long
		t.Errorf("%v for 20,000 pieces, %v for 320,000", few, many)
	}
}

func delta(s string) fantasy.StreamPart {
	return fantasy.StreamPart{Type: fantasy.StreamPartTypeTextDelta, ID: "0", Delta: s}
}
