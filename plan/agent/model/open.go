package model

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/azure"
	"charm.land/fantasy/providers/bedrock"
	"charm.land/fantasy/providers/google"
	"charm.land/fantasy/providers/openai"
	"charm.land/fantasy/providers/openaicompat"
	"charm.land/fantasy/providers/openrouter"

	"planmode/store"
)

// userAgent is what providers are told of us.
const userAgent = "planmode"

// noKey stands for a key where the library wants one and the server does not.
// The transport takes it out again.
const noKey = "none"

// wire is how m is spoken to.
func (m *resolved) wire() wire {
	switch m.provider.kind {
	case store.KindAnthropic:
		return wireAnthropic
	case store.KindGoogle:
		return wireGoogle
	case store.KindBedrock:
		return wireFramed
	case store.KindOpenAI:
		if m.provider.api == "chat" {
			return wireChat
		}
		return wireResponses
	}
	if m.provider.api == "responses" {
		return wireResponses
	}
	return wireChat
}

// address is where the requests go; empty for the provider's own address.
func (m *resolved) address() string {
	if m.provider.baseURL != "" {
		return m.provider.baseURL
	}
	switch m.provider.kind {
	case store.KindAnthropic:
		return anthropic.DefaultURL
	case store.KindOpenAI:
		return openai.DefaultURL
	case store.KindGoogle:
		return "https://generativelanguage.googleapis.com"
	case store.KindOpenRouter:
		return openrouter.DefaultURL
	}
	return ""
}

// transport makes the transport that knows the key of m.
func (m *resolved) transport() *transport {
	t := &transport{base: m.base}
	if u, err := url.Parse(m.address()); err == nil && m.provider.kind != store.KindAzure {
		t.host = u.Host
	}
	switch m.provider.kind {
	case store.KindAnthropic:
		t.header, t.value = "X-Api-Key", m.key
	case store.KindGoogle:
		t.header, t.value = "X-Goog-Api-Key", m.key
	case store.KindAzure:
		t.header, t.value = "Api-Key", m.key
	case store.KindBedrock:
		t.keep = true
	default:
		if t.header = "Authorization"; m.key != "" {
			t.value = "Bearer " + m.key
		}
	}
	return t
}

// open makes the library's model. It asks nobody, but on Bedrock reads the
// configuration of AWS.
func (m *resolved) open(ctx context.Context) (fantasy.LanguageModel, error) {
	p, err := m.library(m.transport().client())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", m.name, err)
	}
	lm, err := p.LanguageModel(ctx, m.model.Name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", m.name, err)
	}
	return lm, nil
}

func (m *resolved) library(client *http.Client) (fantasy.Provider, error) {
	key := m.key
	if key == "" {
		key = noKey
	}
	switch m.provider.kind {
	case store.KindAnthropic:
		return anthropic.New(anthropic.WithAPIKey(key), anthropic.WithBaseURL(m.address()), anthropic.WithHTTPClient(client), anthropic.WithUserAgent(userAgent))
	case store.KindGoogle:
		return google.New(google.WithGeminiAPIKey(key), google.WithBaseURL(m.address()), google.WithHTTPClient(client), google.WithUserAgent(userAgent))
	case store.KindBedrock:
		return m.bedrock(client)
	case store.KindOpenRouter:
		if m.provider.baseURL == "" {
			return openrouter.New(openrouter.WithAPIKey(key), openrouter.WithHTTPClient(client), openrouter.WithUserAgent(userAgent))
		}
	case store.KindAzure:
		return m.azure(key, client)
	case store.KindOpenAI:
		opts := []openai.Option{openai.WithAPIKey(key), openai.WithBaseURL(m.address()), openai.WithHTTPClient(client), openai.WithUserAgent(userAgent)}
		if m.wire() == wireResponses {
			opts = append(opts, openai.WithUseResponsesAPI(), openai.WithResponsesAPIFunc(always))
		}
		return openai.New(opts...)
	}
	opts := []openaicompat.Option{openaicompat.WithAPIKey(key), openaicompat.WithBaseURL(m.address()), openaicompat.WithHTTPClient(client), openaicompat.WithUserAgent(userAgent)}
	if m.wire() == wireResponses {
		opts = append(opts, openaicompat.WithUseResponsesAPI(), openaicompat.WithResponsesAPIFunc(always))
	}
	return openaicompat.New(opts...)
}

func always(string) bool { return true }

func (m *resolved) azure(key string, client *http.Client) (fantasy.Provider, error) {
	opts := []azure.Option{azure.WithAPIKey(key), azure.WithBaseURL(m.address()), azure.WithHTTPClient(client), azure.WithUserAgent(userAgent)}
	if m.wire() == wireResponses {
		opts = append(opts, azure.WithUseResponsesAPI())
	}
	return azure.New(opts...)
}

func (m *resolved) bedrock(client *http.Client) (fantasy.Provider, error) {
	opts := []bedrock.Option{bedrock.WithHTTPClient(client), bedrock.WithUserAgent(userAgent)}
	if m.key != "" {
		opts = append(opts, bedrock.WithAPIKey(m.key))
	}
	if m.provider.region != "" {
		opts = append(opts, bedrock.WithRegion(m.provider.region))
	}
	if m.provider.baseURL != "" {
		opts = append(opts, bedrock.WithBaseURL(m.provider.baseURL))
	}
	return bedrock.New(opts...)
}
