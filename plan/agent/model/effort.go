package model

import (
	"strconv"
	"strings"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/google"
	"charm.land/fantasy/providers/openai"
	"charm.land/fantasy/providers/openaicompat"
	"charm.land/fantasy/providers/openrouter"

	"planmode/store"
)

// budgets are the thinking tokens of an effort, for APIs that count them.
var budgets = map[string]int64{"low": 2048, "medium": 8192, "high": 24_576}

// options says to the provider how hard to think. Effort is left out where the
// model is not known to take one: many servers refuse what they do not know.
func (m *resolved) options(effort string) fantasy.ProviderOptions {
	if !m.model.Effort {
		effort = ""
	}
	switch m.provider.kind {
	case store.KindAnthropic, store.KindBedrock:
		return fantasy.ProviderOptions{anthropic.Name: m.claudeThinking(effort)}
	case store.KindGoogle:
		return fantasy.ProviderOptions{google.Name: geminiThinking(m.model.Name, effort)}
	case store.KindOpenRouter:
		if m.provider.baseURL == "" {
			return fantasy.ProviderOptions{openrouter.Name: routerThinking(effort)}
		}
	case store.KindOpenAI, store.KindAzure:
		if m.wire() == wireResponses {
			return fantasy.ProviderOptions{openai.Name: responsesThinking(effort)}
		}
		return fantasy.ProviderOptions{openai.Name: &openai.ProviderOptions{ReasoningEffort: openaiEffort(effort)}}
	}
	if m.wire() == wireResponses {
		return fantasy.ProviderOptions{openai.Name: responsesThinking(effort)}
	}
	return fantasy.ProviderOptions{openaicompat.Name: &openaicompat.ProviderOptions{ReasoningEffort: openaiEffort(effort)}}
}

func openaiEffort(effort string) *openai.ReasoningEffort {
	if effort == "" {
		return nil
	}
	e := openai.ReasoningEffort(effort)
	return &e
}

// responsesThinking asks for the reasoning in its encrypted form, so that it can
// be passed back within the turn without being stored there.
func responsesThinking(effort string) *openai.ResponsesProviderOptions {
	if effort == "" {
		return &openai.ResponsesProviderOptions{}
	}
	summary := "auto"
	return &openai.ResponsesProviderOptions{
		ReasoningEffort: openaiEffort(effort), ReasoningSummary: &summary,
		Include: []openai.IncludeType{openai.IncludeReasoningEncryptedContent},
	}
}

// leastBudget is the smallest number of thinking tokens that Claude accepts.
const leastBudget = 1024

func (m *resolved) claudeThinking(effort string) *anthropic.ProviderOptions {
	budget := min(budgets[effort], *m.limit()/2) // it counts towards the limit
	switch major, minor := claudeVersion(m.model.Name); {
	case effort == "" || major < 3 || major == 3 && minor < 7:
		return &anthropic.ProviderOptions{}
	case major > 4 || major == 4 && minor >= 6:
		e := anthropic.Effort(effort)
		return &anthropic.ProviderOptions{Effort: &e}
	case budget < leastBudget:
		return &anthropic.ProviderOptions{}
	}
	return &anthropic.ProviderOptions{Thinking: &anthropic.ThinkingProviderOption{BudgetTokens: budget}}
}

// claudeVersion reads 4 and 5 from "claude-opus-4-5-20251101" and 3 and 7 from
// "claude-3-7-sonnet". Dates are no versions. Unknown is 0.
func claudeVersion(name string) (major, minor int) {
	_, rest, ok := strings.Cut(strings.ToLower(name), "claude-")
	if !ok {
		return 0, 0
	}
	seen := 0
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '.' || r == '@' || r == ':' }) {
		n, err := strconv.Atoi(part)
		switch {
		case err != nil && seen > 0, err == nil && n > 99:
			return major, minor
		case err != nil:
			continue
		case seen == 0:
			major = n
		default:
			return major, n
		}
		seen++
	}
	return major, minor
}

func geminiThinking(name, effort string) *google.ProviderOptions {
	if effort == "" {
		return &google.ProviderOptions{}
	}
	yes := true
	thinking := &google.ThinkingConfig{IncludeThoughts: &yes}
	if strings.HasPrefix(name, "gemini-2.5") {
		budget := budgets[effort]
		thinking.ThinkingBudget = &budget
	} else {
		level := strings.ToUpper(effort)
		if effort == "medium" && strings.HasPrefix(name, "gemini-3-pro") {
			level = "HIGH" // it knows no other than low and high
		}
		thinking.ThinkingLevel = &level
	}
	return &google.ProviderOptions{ThinkingConfig: thinking}
}

func routerThinking(effort string) *openrouter.ProviderOptions {
	include := true
	o := &openrouter.ProviderOptions{IncludeUsage: &include}
	if effort != "" {
		e := openrouter.ReasoningEffort(effort)
		o.Reasoning = &openrouter.ReasoningOptions{Effort: &e}
	}
	return o
}

// limit is the most tokens of an answer that is asked for; nil leaves it to the
// provider.
func (m *resolved) limit() *int64 {
	n := int64(m.model.MaxOutput)
	if n == 0 && (m.provider.kind == store.KindAnthropic || m.provider.kind == store.KindBedrock) {
		n = int64(claudeOutput(m.model.Name))
	}
	if n == 0 {
		return nil
	}
	return &n
}
