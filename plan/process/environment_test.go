package process

import (
	"slices"
	"testing"
)

func TestEnvironmentDropsProviderKeys(t *testing.T) {
	base := []string{
		"PATH=/bin", "HOME=/user/a", "ANTHROPIC_API_KEY=1", "OPENAI_API_KEY=2", "gemini_api_key=3", "NEWCOMER_API_KEY=4",
		"AZURE_OPENAI_KEY=5", "AWS_SECRET_ACCESS_KEY=6", "AWS_REGION=eu", "ANTHROPIC_AUTH_TOKEN=7", "MY_KEY=8",
		"API_KEYBOARD=us", "EMPTY=", "odd",
		"GH_TOKEN=9", "GITHUB_TOKEN=9", "PLANMODE_GITHUB_TOKEN=9", "GH_ENTERPRISE_TOKEN=9", "github_enterprise_token=9", "GH_HOST=h",
	}
	got := Environment(base, "MY_KEY")
	want := []string{"PATH=/bin", "HOME=/user/a", "AWS_REGION=eu", "API_KEYBOARD=us", "EMPTY=", "odd", "GH_HOST=h"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := Environment(nil); got == nil {
		t.Error("no environment must stay an empty one, not become inherited")
	}
}

func TestLookupTakesTheLastValue(t *testing.T) {
	if got := Lookup([]string{"A=1", "AB=3", "A=2"}, "A"); got != "2" {
		t.Errorf("got %q", got)
	}
	if got := Lookup(nil, "A"); got != "" {
		t.Errorf("got %q from nothing", got)
	}
}
