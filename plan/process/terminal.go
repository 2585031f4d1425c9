package process

// modeResets takes back what a program that died may have left on: mouse
// tracking in its four forms, focus reports, bracketed paste, the keyboard
// protocol, the alternate screen, colours and a hidden cursor. Each is without
// effect on a terminal that has it off.
const modeResets = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l" +
	"\x1b[<u\x1b[?1049l\x1b[0m\x1b[?25h"
