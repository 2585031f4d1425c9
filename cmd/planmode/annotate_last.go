package main

import "planmode/plan/gate"

// runAnnotateLast reviews the last message of an agent.
func runAnnotateLast(r gate.Request) int {
	tell("No rendered assistant message found in session logs.")
	return r.Strict.Failure()
}
