package tuitest

import "testing"

func TestMarginsAreCutToTheScreen(t *testing.T) {
	for name, c := range map[string]struct{ give, want string }{
		"within the screen":      {"a\x1b[2;12rb", "a\x1b[2;12rb"},
		"too low":                {"a\x1b[4;24rb", "a\x1b[4;12rb"},
		"wholly below":           {"\x1b[14;24r", "\x1b[r"},
		"none given":             {"\x1b[r", "\x1b[r"},
		"open at the end":        {"\x1b[3;r", "\x1b[3;r"},
		"no margins at all":      {"\x1b[31mred", "\x1b[31mred"},
		"several in one go":      {"\x1b[1;24r\x1b[2;5r", "\x1b[1;12r\x1b[2;5r"},
		"not an escape sequence": {"[1;24r", "[1;24r"},
	} {
		if got := string(clampMargins([]byte(c.give), 12)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestAFrameOfTheOldSizeDoesNotBreakASmallerTerminal(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.size = func(int, int) error { return nil }
	s.Resize(40, 12)
	s.feed([]byte("\x1b[4;17r\x1b[3T\x1b[1;1Hstill here"))
	if got := s.Screen(); got != "still here" {
		t.Errorf("the screen shows %q", got)
	}
}
