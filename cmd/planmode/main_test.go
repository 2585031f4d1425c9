package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
)

func TestAStartThatTheDiskRefusesSaysWhatToDo(t *testing.T) {
	for _, cause := range []error{syscall.ENOSPC, syscall.EROFS, syscall.EACCES} {
		err := notStarted(fmt.Errorf("create session: %w", cause))
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), "--no-session") {
			t.Errorf("%v: %v", cause, err)
		}
	}
	other := errors.New("something else")
	if err := notStarted(other); err != other {
		t.Errorf("%v", err)
	}
}
