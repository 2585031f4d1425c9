package rows

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// paragraphs is a source whose items are words that wrap, some of them hidden.
type paragraphs struct {
	words   []int // per item; 0 hides it
	version uint64
	theme   *string
	calls   int
}

func (p *paragraphs) Len() int { return len(p.words) }

func (p *paragraphs) Key(i int) Key { return Key{ID: fmt.Sprint(i), Version: p.version} }

func (p *paragraphs) Render(i, width int) []string {
	p.calls++
	if p.words[i] == 0 {
		return nil
	}
	mark := ""
	if p.theme != nil {
		mark = *p.theme
	}
	s := strings.TrimSpace(strings.Repeat(fmt.Sprintf("i%d计%s%d ", i, mark, p.version), p.words[i]))
	return strings.Split(ansi.Wrap(s, width, ""), "\n")
}

func counted(n int) *paragraphs {
	p := &paragraphs{}
	for i := range n {
		p.words = append(p.words, i%5)
	}
	return p
}

type place struct {
	item, line, width, height int
	theme                     string
}

func (s place) draw(l *List, theme *string) []string {
	*theme = s.theme
	l.SetTheme(s.theme)
	l.Resize(s.width, s.height)
	l.ScrollTo(s.item, s.line)
	return l.View(s.width, s.height)
}

func TestAWarmListDrawsWhatAColdOneDraws(t *testing.T) {
	var states []place
	for _, item := range []int{0, 3, 50, 97, 99} {
		for _, line := range []int{0, 2} {
			for _, width := range []int{9, 40} {
				for _, theme := range []string{"a", "b"} {
					states = append(states, place{item, line, width, 4 + item%9, theme})
				}
			}
		}
	}
	cold := make([][]string, len(states))
	for i, s := range states {
		var theme string
		p := counted(100)
		p.theme = &theme
		cold[i] = s.draw(New(p), &theme)
	}
	var theme string
	p := counted(100)
	p.theme = &theme
	warm := New(p)
	for _, first := range states {
		for j, second := range states {
			first.draw(warm, &theme)
			if got := second.draw(warm, &theme); !reflect.DeepEqual(got, cold[j]) {
				t.Fatalf("after %+v, %+v differs:\n%s\nwant\n%s", first, states[j], strings.Join(got, "\n"), strings.Join(cold[j], "\n"))
			}
		}
	}
}

func TestScrollingMatchesAFlatList(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	p := counted(60)
	l := New(p)
	const width, height = 12, 7
	var flat []string
	for i := range p.words {
		for _, line := range p.Render(i, width) {
			flat = append(flat, exact(line, width))
		}
	}
	at, limit := 0, len(flat)-height
	l.Resize(width, height)
	for range 500 {
		n := rng.Intn(41) - 20
		l.ScrollBy(n)
		at = min(max(at+n, 0), limit)
		if got := l.View(width, height); !reflect.DeepEqual(got, flat[at:at+height]) {
			t.Fatalf("at %d after %d:\n%s\nwant\n%s", at, n, strings.Join(got, "\n"), strings.Join(flat[at:at+height], "\n"))
		}
		if l.AtTop() != (at == 0) || l.AtBottom() != (at == limit) {
			t.Fatalf("at %d of %d: top %t, bottom %t", at, limit, l.AtTop(), l.AtBottom())
		}
		for row := range height {
			item, line, ok := l.At(row)
			if !ok || l.lines(item)[line] != flat[at+row] {
				t.Fatalf("row %d is said to be item %d line %d", row, item, line)
			}
		}
	}
}

func TestFollowing(t *testing.T) {
	p := counted(20)
	l := New(p)
	l.Follow()
	l.View(20, 5)
	p.words = append(p.words, 1)
	if v := l.View(20, 5); !strings.HasPrefix(v[4], "i20") {
		t.Errorf("the new item is not at the end: %q", v)
	}
	l.ScrollBy(-3)
	before := l.View(20, 5)
	p.words = append(p.words, 1, 1, 1)
	if after := l.View(20, 5); !reflect.DeepEqual(before, after) {
		t.Errorf("scrolled up, the window moved: %q to %q", before, after)
	}
	l.FollowAtBottom()
	if l.tail {
		t.Error("it follows although it is not at the end")
	}
	l.ScrollBy(100)
	l.FollowAtBottom()
	if !l.tail {
		t.Error("it does not follow at the end")
	}
}

func TestTheSourceMayShrink(t *testing.T) {
	p := counted(50)
	l := New(p)
	l.View(20, 5)
	l.Bottom()
	l.Select(49)
	p.words = p.words[:3]
	if v := l.View(20, 5); !strings.HasPrefix(v[0], "i1") {
		t.Errorf("got %q", v)
	}
	if l.Selected() != 2 {
		t.Errorf("selected %d", l.Selected())
	}
	p.words = nil
	l.ScrollBy(3)
	l.PageUp()
	l.Select(1)
	if v := l.View(20, 2); strings.TrimSpace(strings.Join(v, "")) != "" || l.Selected() != -1 {
		t.Errorf("got %q, selected %d", v, l.Selected())
	}
}

func TestAChangedItemIsDrawnAgain(t *testing.T) {
	p := counted(5)
	l := New(p)
	before := l.View(20, 5)
	calls := p.calls
	if l.View(20, 5); p.calls != calls {
		t.Errorf("%d items were rendered again", p.calls-calls)
	}
	p.version++
	if after := l.View(20, 5); reflect.DeepEqual(before, after) {
		t.Error("the old lines were shown")
	}
}

func TestSelectionStaysInTheWindow(t *testing.T) {
	p := counted(100)
	l := New(p)
	l.Resize(9, 6)
	l.Decorate = func(item, _ int, text string) string {
		if item == l.Selected() {
			return strings.ToUpper(text)
		}
		return text
	}
	rng := rand.New(rand.NewSource(2))
	for range 300 {
		l.Select(min(max(l.Selected()+rng.Intn(31)-15, 0), p.Len()-1))
		s := l.Selected()
		first, last := l.Visible()
		if p.words[s] > 0 && (s < first || s > last) {
			t.Fatalf("selected %d, visible %d to %d", s, first, last)
		}
		if view := strings.Join(l.View(9, 6), "\n"); p.words[s] > 0 && !strings.Contains(view, fmt.Sprintf("I%d计", s)) {
			t.Fatalf("item %d is not marked in\n%s", s, view)
		}
	}
}

func TestLinesAreExactAtAnyWidth(t *testing.T) {
	l := New(counted(30))
	for width := 0; width <= 200; width++ {
		for _, line := range l.View(width, 5) {
			if w := ansi.StringWidth(line); w != width {
				t.Fatalf("width %d: line of %d: %q", width, w, line)
			}
		}
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	p := counted(50000)
	l := New(p)
	for range 6000 {
		l.View(20, 10)
		l.PageDown()
	}
	if l.cache.cost > maxCost+100 || len(l.cache.index) != l.cache.order.Len() {
		t.Errorf("cost %d, %d in the index, %d in the order", l.cache.cost, len(l.cache.index), l.cache.order.Len())
	}
}

// entries are items of five lines each, as a transcript has.
type entries struct{ n, keys int }

func (e *entries) Len() int { return e.n }

func (e *entries) Key(i int) Key {
	e.keys++
	return Key{ID: "e", Version: uint64(i)}
}

func (e *entries) Render(i, _ int) []string {
	return []string{"entry", strings.Repeat("x", i%70), "计划", "", "end"}
}

func TestAFrameLooksAtAsManyItemsInALongListAsInAShortOne(t *testing.T) {
	looks := func(n int) int {
		e := &entries{n: n}
		l := New(e)
		l.Follow()
		l.View(80, 24)
		e.keys = 0
		for _, by := range []int{-1, 1, -23, 23, -2} {
			l.ScrollBy(by)
			l.View(80, 24)
		}
		return e.keys
	}
	short, long := looks(10), looks(100000)
	if float64(long) > 1.5*float64(short) {
		t.Errorf("%d looks at 100,000 items, %d at 10", long, short)
	}
}

// keyToFrame is what a key costs: it scrolls, and a frame is drawn.
func keyToFrame(b *testing.B, items int) {
	l := New(&entries{n: items})
	l.Follow()
	l.View(80, 24)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.ScrollBy(1 - 2*(i&1))
		l.View(80, 24)
	}
}

func BenchmarkKeyToFrame10(b *testing.B)     { keyToFrame(b, 10) }
func BenchmarkKeyToFrame100000(b *testing.B) { keyToFrame(b, 100000) }
