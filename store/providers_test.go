package store

import (
	"strings"
	"testing"
)

func TestABadProviderIsLeftOutAndTheOthersStay(t *testing.T) {
	cases := map[string]struct{ provider, warning string }{
		"no kind under a name that is not built in":   {`{"baseURL":"http://h/v1"}`, "needs a kind"},
		"a kind that does not exist":                  {`{"kind":"psychic"}`, `"psychic" is none of`},
		"a compatible server without an address":      {`{"kind":"openai-compatible"}`, "needs a baseURL"},
		"an address with a password":                  {`{"kind":"openai-compatible","baseURL":"http://me:secret@h/v1"}`, "without a user name or password"},
		"an address that is no address":               {`{"kind":"openai-compatible","baseURL":"file:///etc/passwd"}`, "http or https"},
		"an api that does not exist":                  {`{"kind":"openai","api":"telepathy"}`, "neither responses nor chat"},
		"a model without a name":                      {`{"kind":"openai","models":[{"window":1}]}`, "has no name"},
		"a negative price":                            {`{"kind":"openai","models":[{"name":"m","inputPrice":-1}]}`, "negative"},
		"a number where the object of a model should": {`{"kind":"openai","models":[7]}`, "bad"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			config, warnings := parseConfig("config.json", []byte(`{"providers":{"bad":`+c.provider+`,"good":{"kind":"openai","models":["m"]}}}`))
			if len(config.Providers) != 1 || config.Providers["good"].Models[0].Name != "m" {
				t.Errorf("providers: %+v", config.Providers)
			}
			if len(warnings) != 1 || !strings.Contains(warnings[0], c.warning) {
				t.Errorf("warnings: %q, want one with %q", warnings, c.warning)
			}
			if strings.Contains(strings.Join(warnings, ""), "secret") {
				t.Errorf("a password is repeated: %q", warnings)
			}
		})
	}
}

func TestABuiltInProviderNeedsNoKind(t *testing.T) {
	config, warnings := parseConfig("config.json", []byte(`{"providers":{"anthropic":{"baseURL":"https://proxy.example/a"}}}`))
	if len(warnings) != 0 || config.Providers["anthropic"].BaseURL != "https://proxy.example/a" {
		t.Errorf("%+v, warnings %q", config.Providers, warnings)
	}
}
