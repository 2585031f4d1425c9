package model

import (
	"fmt"
	"strings"
	"testing"

	"planmode/plan/agent/model/modeltest"
	"planmode/store"
)

func TestWhatANameStandsFor(t *testing.T) {
	own := map[string]store.Provider{
		"zlocal": {Kind: store.KindCompatible, BaseURL: "http://localhost:1/v1", Models: []store.Model{{Name: "qwen", Window: 8000}}},
		"empty":  {Kind: store.KindOpenAI, KeyEnv: "EMPTY_KEY"},
	}
	cases := map[string]struct {
		env     string // a variable that is set
		own     bool
		config  string
		name    string
		want    string
		problem string
	}{
		"nothing at all":                       {want: "", problem: "no provider has a key"},
		"a key of Anthropic":                   {env: "ANTHROPIC_API_KEY", want: "anthropic/claude-sonnet-4-5"},
		"a key of Google, by its other name":   {env: "GOOGLE_API_KEY", want: "google/gemini-2.5-pro"},
		"credentials of AWS choose nothing":    {env: "AWS_PROFILE", want: "", problem: "no provider has a key"},
		"Bedrock by its name":                  {env: "AWS_PROFILE", name: "bedrock/anthropic.claude-x", want: "bedrock/anthropic.claude-x"},
		"a server of one's own needs no key":   {own: true, want: "zlocal/qwen"},
		"one's own comes before what is there": {own: true, env: "OPENAI_API_KEY", want: "zlocal/qwen"},
		"the configured one":                   {env: "OPENAI_API_KEY", config: "openai/gpt-5-mini", want: "openai/gpt-5-mini"},
		"a provider for its first model":       {env: "OPENAI_API_KEY", name: "openai", want: "openai/gpt-5.1"},
		"a model without its provider":         {own: true, name: "qwen", want: "zlocal/qwen"},
		"a model that nobody listed":           {env: "OPENAI_API_KEY", name: "openai/gpt-9", want: "openai/gpt-9"},
		"a model with a slash":                 {env: "OPENROUTER_API_KEY", name: "openrouter/x/y:free", want: "openrouter/x/y:free"},
		"a key that is missing":                {name: "anthropic/claude-opus-4-5", want: "anthropic/claude-opus-4-5", problem: "set ANTHROPIC_API_KEY"},
		"Azure without an address":             {env: "AZURE_API_KEY", name: "azure/gpt", want: "azure/gpt", problem: "AZURE_OPENAI_ENDPOINT"},
		"a name that nothing answers to":       {name: "nowhere/x", want: "nowhere/x", problem: `no provider "nowhere"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := Options{Config: store.Config{Model: c.config}, Getenv: func(n string) string { return map[bool]string{true: "v"}[n == c.env] }}
			if c.own {
				o.Config.Providers = own
			}
			got := New(o).Resolve(c.name)
			if got.Model != c.want || (got.Problem == "") != (c.problem == "") || !strings.Contains(got.Problem, c.problem) {
				t.Errorf("%q, problem %q; want %q, %q", got.Model, got.Problem, c.want, c.problem)
			}
		})
	}
}

func TestAKeyIsNotTakenFromTheEnvironmentForAnotherHost(t *testing.T) {
	a := New(Options{Getenv: func(n string) string { return map[bool]string{true: "sk-real"}[n == "OPENAI_API_KEY"] },
		Config: store.Config{Providers: map[string]store.Provider{"mine": {Kind: store.KindOpenAI, BaseURL: "http://elsewhere.example/v1", Models: []store.Model{{Name: "m"}}}}}})
	m, err := a.resolve("mine/m")
	if err != nil || m.key != "" {
		t.Errorf("key %q, %v", m.key, err)
	}
}

// TestAzureIsAskedAsItsDocumentsSay can only hold the request against the
// documents: nobody here speaks for the service.
func TestAzureIsAskedAsItsDocumentsSay(t *testing.T) {
	s := modeltest.New(modeltest.Reply{Text: "ok"})
	defer s.Close()
	a := New(Options{Getenv: func(n string) string { return map[bool]string{true: testKey}[n == "K"] }, Config: store.Config{Model: "az/deployed",
		Providers: map[string]store.Provider{"az": {Kind: store.KindAzure, BaseURL: s.URL + "/openai/v1", KeyEnv: "K", Models: []store.Model{{Name: "deployed"}}}}}})
	h := &host{}
	if err := a.Run(t.Context(), turn(), h); err != nil || h.text() != "ok" {
		t.Fatalf("%q, %v", h.text(), err)
	}
	r := s.Requests()[0]
	if r.Header.Get("Api-Key") != testKey || r.Header.Get("Authorization") != "" || r.Path != "/openai/v1/chat/completions" || r.Body["model"] != "deployed" {
		t.Errorf("%s %v %v", r.Path, r.Header, r.Body["model"])
	}
}

// TestBedrockSignsItsRequests likewise: it sees that the request is signed for
// the region and that the signature is left alone.
func TestBedrockSignsItsRequests(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	s := modeltest.New(modeltest.Reply{Status: 403, Text: "no"})
	defer s.Close()
	a := New(Options{Getenv: func(n string) string { return map[bool]string{true: "AKIDEXAMPLE"}[n == "AWS_ACCESS_KEY_ID"] }, Config: store.Config{Model: "b/anthropic.claude-sonnet-4-5",
		Providers: map[string]store.Provider{"b": {Kind: store.KindBedrock, BaseURL: s.URL, Region: "eu-west-1", Models: []store.Model{{Name: "anthropic.claude-sonnet-4-5"}}}}}})
	err := a.Run(t.Context(), turn(), &host{})
	if len(s.Requests()) != 1 {
		t.Fatalf("%d requests, %v", len(s.Requests()), err)
	}
	r := s.Requests()[0]
	if sum := r.Header.Get("Authorization"); !strings.HasPrefix(sum, "AWS4-HMAC-SHA256 ") || !strings.Contains(sum, "/eu-west-1/bedrock/") {
		t.Errorf("signature %q", sum)
	}
	if !strings.Contains(r.Path, "/model/anthropic.claude-sonnet-4-5/invoke-with-response-stream") {
		t.Errorf("path %s", r.Path)
	}
	if strings.Contains(fmt.Sprint(err), "secret") {
		t.Errorf("%v", err)
	}
}
