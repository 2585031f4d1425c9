package main

import (
	"strings"
	"testing"

	"planmode/plan/agent/model"
)

func TestAKeyAsAnArgumentIsRefusedInWords(t *testing.T) {
	if err := oneProvider(nil, []string{"openai", "sk-secret"}); err == nil || !strings.Contains(err.Error(), "never an argument") || strings.Contains(err.Error(), "sk-secret") {
		t.Errorf("two arguments give %v", err)
	}
	if err := oneProvider(nil, nil); err == nil || !strings.Contains(err.Error(), "name a provider") {
		t.Errorf("none gives %v", err)
	}
	if err := oneProvider(nil, []string{"openai"}); err != nil {
		t.Error(err)
	}
}

func TestAProviderWithoutAKeyThatLacksNothingSaysSo(t *testing.T) {
	if got := accountNote(model.Account{Provider: "local"}); !strings.Contains(got, "none may be needed") {
		t.Errorf("said %q", got)
	}
	if got := accountNote(model.Account{Provider: "a", From: "kept"}); got != "" {
		t.Errorf("of one with a key %q", got)
	}
}
