package process

// modeResets takes back what a program that died may have left on: mouse
// tracking and its encodings, focus, size and colour reports, bracketed paste,
// the keyboard protocols, application keys, insert mode, lines that do not wrap,
// held output, the alternate screen, a scrolling region, line-drawing
// characters, colours and a hidden cursor. Each is without effect on a terminal
// that has it off, and the cursor stays where it is.
const modeResets = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l" +
	"\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?2031l\x1b[?2048l" +
	"\x1b[<u\x1b[>4m\x1b[?1l\x1b>\x1b[4l\x1b[?7h" +
	"\x1b[?1049l\x1b7\x1b[r\x1b8\x0f\x1b(B\x1b[0m\x1b[?25h"

// pictureResets follow modeResets when a child died in the middle of drawing.
// Addresses relative to a scrolling region cannot be turned off without moving
// the cursor, which then goes to the last line, where a shell expects it. A link
// that is open would go on through everything written after it.
const pictureResets = "\x1b[?6l\x1b[r\x1b[999;1H\x1b]8;;\x1b\\"
