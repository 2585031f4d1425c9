package main

import (
	"bytes"
	"errors"
	"testing"
)

func TestPullValidateHasItsExitCodes(t *testing.T) {
	const failure = `{"schema":"review.author/1","reason":"r","next_step":"n","missing":[]}`
	for name, c := range map[string]struct {
		role, payload string
		code          int
	}{
		"a payload that is valid":     {"author", "AUTHOR: ERROR\n" + failure, exitOK},
		"a payload of another role":   {"chunk", "AUTHOR: ERROR\n" + failure, exitError},
		"something after the payload": {"author", "AUTHOR: ERROR\n" + failure + "\n\n", exitError},
		"nothing":                     {"author", "", exitError},
		"no such role":                {"poster", "", exitUsage},
	} {
		root := rootCommand()
		root.SetArgs([]string{"pull", "validate", c.role})
		root.SetIn(bytes.NewBufferString(c.payload))
		err := root.Execute()
		code := exitOK
		var coded *codeError
		if errors.As(err, &coded) {
			code = coded.code
		} else if err != nil {
			code = exitUsage
		}
		if code != c.code {
			t.Errorf("%s: exit %d, %v", name, code, err)
		}
	}
}
