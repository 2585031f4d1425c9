package session

import (
	"errors"
	"fmt"

	"planmode/plan"
	"planmode/plan/prompt"
	"planmode/plan/text"
)

// errNotOffered reports an approach that was not on the card.
var errNotOffered = errors.New("the chosen approach is not one that was shown")

// errNoChoice reports an approval that names none of several approaches.
var errNoChoice = errors.New("the plan offers several approaches and none was chosen")

// choice is what an approval says about the approaches that a revision offers.
// The zero value is the approval of a plan that offers no choice.
type choice struct {
	offered []plan.Option
	at      int
}

// chosen checks the option of an approval against what was offered. One approach
// is no choice: the approval of such a plan is a plain one.
func chosen(offered []plan.Option, option *int) (choice, error) {
	switch {
	case option != nil && (*option < 0 || *option >= len(offered)):
		return choice{}, errNotOffered
	case len(offered) < 2:
		return choice{}, nil
	case option == nil:
		return choice{}, errNoChoice
	}
	return choice{offered, *option}, nil
}

func (c choice) index() *int {
	if len(c.offered) == 0 {
		return nil
	}
	return &c.at
}

func (c choice) label() string {
	if len(c.offered) == 0 {
		return ""
	}
	return c.offered[c.at].Label
}

// told says the choice to the agent in the result of its submission.
func (c choice) told() string {
	if len(c.offered) == 0 {
		return ""
	}
	return fmt.Sprintf(" The person chose option %d of %d, %q: only that one.", c.at+1, len(c.offered), text.Line(c.label()))
}

func (c choice) prompt() *prompt.Choice {
	if len(c.offered) == 0 {
		return nil
	}
	out := &prompt.Choice{Chosen: c.offered[c.at]}
	for i, o := range c.offered {
		if i != c.at {
			out.Rejected = append(out.Rejected, o)
		}
	}
	return out
}
