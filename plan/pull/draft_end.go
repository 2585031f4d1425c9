package pull

import (
	"fmt"
	"slices"
	"strings"

	"planmode/plan/text"
)

// risks are those of all parts, each once.
func (s *sheet) risks() []Risk {
	list := slices.Concat(s.d.Context.Risks, s.d.Author.Risks)
	for _, ch := range s.d.Chunks {
		list = append(list, ch.Risks...)
	}
	return once(list, func(r Risk) string { return text.Line(r.Text) })
}

func (s *sheet) limits() []string {
	list := slices.Concat(s.d.Context.Limitations, s.d.Author.Limitations)
	for _, ch := range s.d.Chunks {
		list = append(list, ch.Limitations...)
	}
	return once(append(list, s.d.Verify.Limitations...), func(l string) string { return text.Line(l) })
}

func (s *sheet) sources() []string {
	list := slices.Concat(s.d.Context.Sources, s.d.Author.Sources)
	for _, ch := range s.d.Chunks {
		list = append(list, ch.Sources...)
	}
	var out []string
	for _, x := range list {
		line := inline(x.Claim) + ", " + x.Result
		if x.URL != nil {
			line += " by " + codeSpan(*x.URL)
		}
		out = append(out, line)
	}
	return once(out, func(l string) string { return l })
}

// once keeps the first of those that have the same key.
func once[T any](list []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(v T) bool {
		k := key(v)
		if seen[k] {
			return true
		}
		seen[k] = true
		return false
	})
}

// verified counts what the verifier says of its checks.
func (s *sheet) verified() string {
	var parts []string
	for _, r := range []struct{ result, word string }{{"pass", "passed"}, {"limited", "only in part"}, {"not_applicable", "did not apply"}, {"fail", "failed"}} {
		var names []string
		for _, k := range s.d.Verify.Checks {
			if k.Result == r.result {
				names = append(names, k.Name)
			}
		}
		if len(names) > 0 {
			parts = append(parts, r.word+": "+strings.Join(names, ", "))
		}
	}
	if !s.d.Verify.PublicationReady {
		parts = append(parts, "not ready to be posted")
	}
	return strings.Join(parts, "; ")
}

// posting says what was sent, as far as it is known.
func (s *sheet) posting() {
	s.put("## Posting\n\n")
	r := s.d.Receipts
	switch {
	case r == nil && s.d.Undecided:
		s.put("Nothing had been posted when this was written.\n")
		return
	case r == nil:
		s.put("Nothing was posted.\n")
		return
	}
	if !r.Complete {
		s.put("**Posting did not end as it should.** An action without a receipt may still have happened; look at the pull request before anything is posted again.\n\n")
	}
	s.put("State: %s, as %s, approved as `%s`\n\n", r.Posting(), inline(r.Actor), r.Approval)
	for _, a := range r.Actions {
		s.put("- %s\n", receipt(a))
	}
}

func receipt(a Action) string {
	out := a.Kind
	if a.RootID != nil {
		out += fmt.Sprintf(" in discussion %d", *a.RootID)
	}
	out += ": " + map[ActionState]string{ActionPending: "not sent", ActionSending: "uncertain, the answer never came",
		ActionDone: "posted", ActionRejected: "refused by GitHub", ActionUncertain: "uncertain"}[a.State]
	if a.URL != nil {
		out += ", " + text.Line(*a.URL)
	}
	if a.Comments != nil && len(*a.Comments) > 0 {
		out += ", " + text.Count(len(*a.Comments), "comment")
	}
	if a.ReadBack != nil && *a.ReadBack != "match" {
		out += map[string]string{"mismatch": ", what is there differs from what was sent", "unread": ", not read back"}[*a.ReadBack]
	}
	if a.Error != nil && *a.Error != "" {
		out += ", " + inline(*a.Error)
	}
	return out
}
