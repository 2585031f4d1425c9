// Package pull shows the review of a pull request: a board with a row for each role
// while it runs, on a screen of its own or as a part of another one.
//
// Nothing that is shown is trusted: every text passes plan/text, and nothing in it can
// end a run or answer for the person. A board only draws; it never fails, and it costs
// what the window holds. A screen that loses its terminal stops the run, which then ends
// as if the person had stopped it, and the terminal is given back on every way out.
package pull
