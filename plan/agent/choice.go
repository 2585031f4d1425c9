package agent

import "context"

// Offer is one thing that turns can run on, as a person chooses it.
type Offer struct {
	Agent    string // "demo", or "model"
	Model    string // "provider/model"; empty for an agent without one
	Provider string // the name it has in the configuration
	Problem  string // why it cannot run now, in words for the person; empty if it can
	Window   int    // tokens of context; 0 when unknown
	Images   bool   // it is known to take images
}

// Picker is an agent with several models to run on. A session that has one
// resolves the model of every turn by it.
type Picker interface {
	Agent
	// Offers lists what can be chosen, without asking anybody for it.
	Offers() []Offer
	// Resolve says what a name stands for; the empty name is the default. A name
	// that nothing answers to gives an offer with a problem.
	Resolve(name string) Offer
}

// Summarizer is an agent that can shorten a conversation, for compaction. It
// asks for text alone: no tool is offered and none can run.
type Summarizer interface {
	// Summarize returns a summary of messages, with attention to focus where the
	// person named one.
	Summarize(ctx context.Context, messages []Message, focus string) (string, error)
}

// SummarizerOf is what summarises for turns that run on model; false when
// nothing does.
func SummarizerOf(a Agent, model string) (Summarizer, bool) {
	type perModel interface {
		SummarizerFor(model string) (Summarizer, bool)
	}
	if p, ok := a.(perModel); ok {
		return p.SummarizerFor(model)
	}
	s, ok := a.(Summarizer)
	return s, ok
}
