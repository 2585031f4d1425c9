package process

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

func TestAPanicRestoresLogsAndEndsTheProgram(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before); OnRestore(nil); OnPanic(nil) })

	var order []string
	done := make(chan string)
	OnRestore(func() { order = append(order, "restore") })
	OnPanic(func(v any, stack []byte) {
		order = append(order, "fatal")
		done <- v.(string) + "\n" + string(stack)
	})
	Go("worker", func() { panic("boom") })
	got := <-done
	if !slices.Equal(order, []string{"restore", "fatal"}) {
		t.Errorf("order %q", order)
	}
	if !strings.HasPrefix(got, "boom\n") || !strings.Contains(got, "goroutine_test.go") {
		t.Errorf("the fatal hook got %q", got)
	}
	if !strings.Contains(log.String(), `"name":"worker"`) || !strings.Contains(log.String(), "goroutine_test.go") {
		t.Errorf("log %q", log.String())
	}
}

func TestGoRunsTheFunction(t *testing.T) {
	done := make(chan int, 1)
	Go("worker", func() { done <- 1 })
	if <-done != 1 {
		t.Fail()
	}
}
