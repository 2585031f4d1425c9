package process

import (
	"log/slog"
	"runtime/debug"
	"sync"
)

// hooks are what a panic in a goroutine of ours sets off.
var hooks struct {
	sync.Mutex
	restore func()
	fatal   func(v any, stack []byte)
}

// OnRestore registers what gives the terminal back to the person. It is called
// first when a goroutine panics, so that nothing after it is lost on a raw
// screen; it must not wait for any goroutine.
func OnRestore(restore func()) {
	hooks.Lock()
	defer hooks.Unlock()
	hooks.restore = restore
}

// OnPanic registers what ends the program after a panic in a goroutine of ours:
// the value and the stack are given. Without one the panic goes on.
func OnPanic(fatal func(v any, stack []byte)) {
	hooks.Lock()
	defer hooks.Unlock()
	hooks.fatal = fatal
}

// Go starts fn in a goroutine. It is the only way this program starts one: a
// panic restores the terminal, is logged with its stack under the name, and is
// handed to what OnPanic registered.
func Go(name string, fn func()) {
	go func() {
		defer caught(name)
		fn()
	}()
}

func caught(name string) {
	v := recover()
	if v == nil {
		return
	}
	stack := debug.Stack()
	hooks.Lock()
	restore, fatal := hooks.restore, hooks.fatal
	hooks.Unlock()
	if restore != nil {
		restore()
	}
	slog.Error("panic in a goroutine", "name", name, "panic", v, "stack", string(stack))
	if fatal == nil {
		panic(v)
	}
	fatal(v, stack)
}
