package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// ErrHere reports a move to where the branch already ends.
var ErrHere = errors.New("the conversation already goes on from there")

// MaxLabel bounds the label of an entry, in characters.
const MaxLabel = 60

// Tree is a copy of the whole session for a browser: every entry in the order
// written, and the leaf. It may wait for the disk.
func (s *Session) Tree() (all []Item, leaf plan.EntryID) {
	s.writing.Lock()
	defer s.writing.Unlock()
	t := s.opt.Log.Tree()
	all = t.All()
	return all[:len(all):len(all)], t.Leaf()
}

// Move makes the conversation go on from another entry. The state is then that of
// the path to it: mode, draft, work. At a message of the person the branch goes
// back to before it, and its text is returned to be written anew, after what
// waited in the queue. A turn that runs is ended first, if the person agrees; a
// review that is open is void. Nothing on disk but the log changes.
func (s *Session) Move(ctx context.Context, to plan.EntryID) (again string, err error) {
	if err := s.readOnly(); err != nil {
		return "", fmt.Errorf("move: the session can only be read: %w", err)
	}
	if !s.command.TryLock() {
		return "", errors.New("move: another command still waits for an answer")
	}
	defer s.command.Unlock()
	target, said, err := s.destination(to)
	if err != nil || !s.mayEndTurn(ctx, "Go back to another point?") {
		return "", err
	}
	s.overtake(func() { err = s.move(target) })
	if err != nil {
		return "", err
	}
	waiting := append(s.takeQueue(), said)
	return strings.TrimSpace(strings.Join(waiting, "\n\n")), nil
}

// destination is the leaf that a move to an entry makes, and the text that goes
// back to the person.
func (s *Session) destination(to plan.EntryID) (leaf plan.EntryID, said string, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	t := s.opt.Log.Tree()
	e, ok := t.Entry(to)
	switch {
	case !ok:
		return "", "", fmt.Errorf("move to %s: %w", to, tree.ErrNoEntry)
	case e.Kind == tree.KindLeaf:
		return "", "", fmt.Errorf("move to %s: it only records an earlier move", to)
	}
	leaf = e.ID
	if e.Kind == tree.KindUser {
		m, err := tree.Decode[tree.User](e)
		if err != nil {
			return "", "", fmt.Errorf("move to %s: %w", to, err)
		}
		leaf, said = e.Parent, m.Unsent()
	}
	if leaf == t.Leaf() {
		return "", "", ErrHere
	}
	return leaf, said, nil
}

// move needs the session to be at rest.
func (s *Session) move(leaf plan.EntryID) error {
	if err := s.closeStaleReview(plan.OutcomeVoided); err != nil {
		return fmt.Errorf("close the open review: %w", err)
	}
	was := s.Permission()
	skipped, err := s.moveLeaf(leaf)
	if err != nil {
		return err
	}
	s.movePermission(was)
	s.planningEnded()
	s.permissionMoved()
	// Its events came from a review that nobody looks at on this branch.
	if err := s.closeStaleReview(plan.OutcomeVoided); err != nil {
		s.say(tree.Failure, "The review that was open here could not be closed: %v. Its answer counts no more all the same.", err)
	}
	for _, sk := range skipped {
		s.say(tree.Warning, "Entry %s of this branch could not be used: %v. Check the mode and the plan shown below before going on.", sk.Entry, sk.Err)
	}
	s.gateLost()
	s.checkDraft()
	s.checkWork()
	if s.current().IsPlanning() {
		s.planningBegan()
	}
	s.Look()
	s.say(tree.Info, "You went to another point of this conversation. Files are as they are: nothing on disk was undone. %s", s.standing())
	return nil
}

// movePermission puts the permission mode of the branch in force where it asks
// more than the one before; a wider one is not gone back to.
func (s *Session) movePermission(was plan.Permission) {
	now := tree.PermissionOn(s.Items(0))
	if now.Mode.Wider(was) {
		s.changePermission(tree.PermissionMode{Mode: was, Why: tree.PermissionDropped})
		return
	}
	s.setPermission(now)
}

// moveLeaf records the move and then publishes the branch and its state.
func (s *Session) moveLeaf(leaf plan.EntryID) ([]tree.Skipped, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	t := s.opt.Log.Tree()
	id, err := s.newEntryID()
	if err != nil {
		return nil, err
	}
	e, err := tree.New(id, t.Leaf(), plan.Stamp(s.opt.Now()), tree.KindLeaf, tree.Leaf{To: leaf})
	if err != nil {
		return nil, err
	}
	if err := s.opt.Log.Append(e); err != nil {
		return nil, err
	}
	branch := t.Current()
	st, skipped := tree.Fold(branch)
	views := s.loadViews(st, branch)
	s.mu.Lock()
	s.branch, s.state = branch, st
	for ref, v := range views {
		s.views[ref] = v
	}
	s.epoch++
	s.handoff, s.reinject = nil, false
	s.usage = agent.Usage{}
	s.mu.Unlock()
	s.grants.forget() // they were given for what was then going on
	s.poke()
	return skipped, nil
}

// MayLeave asks before the session is closed for another one while the agent runs.
func (s *Session) MayLeave(ctx context.Context) bool {
	return s.mayEndTurn(ctx, "Go on in another session?")
}

// standing says in one sentence where a branch stands.
func (s *Session) standing() string {
	st := s.current()
	var parts []string
	if st.IsPlanning() {
		parts = append(parts, "Plan Mode is on")
	} else {
		parts = append(parts, "Plan Mode is off")
	}
	if p := st.Planning; p != nil {
		parts = append(parts, fmt.Sprintf("the draft is %q r%d", s.titleOf(*p), p.Revision))
	}
	if w := st.Work; w != nil {
		parts = append(parts, fmt.Sprintf("%q r%d is %s", s.titleOf(w.Ref), w.Ref.Revision, w.Status))
	}
	return strings.Join(parts, ", ") + "."
}

// takeQueue empties the queue: what was to follow on the old branch is for the
// person to send or not.
func (s *Session) takeQueue() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := s.queue
	s.queue = nil
	return waiting
}

// Label marks an entry for the person; an empty text takes the mark away.
func (s *Session) Label(target plan.EntryID, label string) error {
	label = text.Truncate(text.Line(label), MaxLabel)
	s.writing.Lock()
	_, ok := s.opt.Log.Tree().Entry(target)
	s.writing.Unlock()
	if !ok {
		return fmt.Errorf("label %s: %w", target, tree.ErrNoEntry)
	}
	return s.record(tree.KindLabel, tree.Label{Target: target, Text: label})
}
