//go:build unix

package main_test

const fakeEnv = "PLANMODE_E2E_REVIEWER"

func fakeReviewer(mode string, args []string) int { return 0 }
