package session

import (
	"strings"

	"planmode/plan"
	"planmode/plan/tool"
	"planmode/plan/tool/rule"
	"planmode/plan/tree"
)

// readRules takes the person's own rules from the configuration. What is wrong
// with them is said at every start: a rule that does not hold as written must not
// be forgotten.
func (s *Session) readRules() {
	p := s.opt.Config.Permissions
	rules, problems := rule.Parse(p.Deny, p.Allow, rule.Options{Home: s.home()})
	for _, problem := range problems {
		s.say(tree.Warning, "In %s, %s.", s.opt.ConfigPath, problem)
	}
	if s.opt.Config.Unread() {
		s.say(tree.Warning, "The configuration could not be read, so what you denied there is not known. Until that is put right you are asked before anything changes or runs.")
	}
	s.setRules(rules)
}

func (s *Session) home() string {
	for _, pair := range s.opt.Env {
		if home, ok := strings.CutPrefix(pair, "HOME="); ok {
			return home
		}
	}
	return ""
}

func (s *Session) rules() rule.Rules {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.perms.rules
}

func (s *Session) setRules(r rule.Rules) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.perms.rules = r
}

// mayWiden says whether more may happen unasked than under manual. Without the
// person's deny rules nothing may.
func (s *Session) mayWiden(mode plan.Permission) bool {
	return !mode.Unasked() || !s.opt.Config.Unread()
}

// offer is the rule that "always" would add for a call, if that is on offer: it
// must be possible to keep it, and the question must be an ordinary one, which the
// rule would then answer.
func (s *Session) offer(spec tool.Spec, shown tool.Preview, why string) rule.Suggestion {
	switch {
	case s.opt.AlwaysAllow == nil || why != "":
		return rule.Suggestion{}
	case shown.Always.Rule == "" && spec.Server != "":
		return rule.SuggestTool(spec.Name)
	}
	return shown.Always
}

// always makes a rule of the person's answer. When it cannot be kept, the answer
// still holds for the call it was given to.
func (s *Session) always(rule string) {
	if err := s.opt.AlwaysAllow(rule); err != nil {
		s.say(tree.Warning, "It was allowed this once: the rule %q could not be kept (%v).", rule, err)
		return
	}
	s.setRules(s.rules().With(rule))
}

// asked numbers the calls of a batch that the person is asked about.
func asked(calls []tool.Call, judged []tool.Judgement) map[string]int {
	out := map[string]int{}
	for i, j := range judged {
		if j.Verdict == tool.Ask {
			out[calls[i].ID] = len(out) + 1
		}
	}
	return out
}
