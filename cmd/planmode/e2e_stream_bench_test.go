//go:build unix

package main_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"planmode/plan/agent/model/modeltest"
)

// oneToken is a piece of text as long as a model's usually are.
const oneToken = "word "

// streamed is an answer of n tokens that ends in a word of its own, at a steady pace.
func streamed(n int, pause time.Duration) modeltest.Reply {
	return modeltest.Reply{Text: strings.Repeat(oneToken, n) + "theend", Piece: len(oneToken), Pause: pause}
}

// BenchmarkStreaming measures an answer that a model sends over the real wire: what
// it costs the line to the terminal, and whether typing is as quick as ever.
func BenchmarkStreaming(b *testing.B) {
	const slow, quick = 100, 600
	w := newWorld(b)
	server := modeltest.New(streamed(slow, 20*time.Millisecond), streamed(quick, 5*time.Millisecond))
	b.Cleanup(server.Close)
	w.withModel(modeltest.Chat, server)
	r := w.open()
	r.WaitFor("Say what you want done.")
	var perToken, share float64
	var times spread
	for b.Loop() {
		if len(server.Requests()) > 0 {
			break // one run says it all, and the server has no more to say
		}
		r.say("slowly")
		r.WaitFor(oneToken + oneToken)
		before := r.Bytes()
		r.WaitFor("theend")
		perToken = float64(r.Bytes()-before) / slow

		r.say("quickly")
		r.WaitFor("quickly")
		used, begun := cpu(r.cmd.Process.Pid), time.Now()
		for n := 0; time.Since(begun) < quick*5*time.Millisecond*8/10; n++ {
			digit := strconv.Itoa(n % 10)
			pressed := time.Now()
			r.Type(digit)
			r.WaitFor("> " + digit)
			times = append(times, time.Since(pressed))
			r.Press("backspace")
			r.WaitGone("> " + digit)
		}
		share = 100 * (cpu(r.cmd.Process.Pid) - used).Seconds() / time.Since(begun).Seconds()
	}
	report(b, "streaming at 50 tokens/s, output a token", "bytes", perToken, 64)
	report(b, "key to frame while 200 tokens/s stream, 99 of 100", "ms-p99", times.quantile(0.99), 16)
	report(b, "streaming at 200 tokens/s and typing, of a core", "%", share, -1)
	r.quit()
}
