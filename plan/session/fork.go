package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planmode/plan"
	"planmode/plan/image"
	"planmode/plan/text"
	"planmode/plan/tree"
)

// Fork makes a new session that carries the branch up to an entry, with its draft
// and its work, and returns its id; this one stays as it is. The entry is named by
// its id or by how that begins; an empty id takes the whole branch. At a message of the person the new session begins before it, with
// the text as its unsent message. It also works from a session that can only be
// read because another process has it.
func (s *Session) Fork(ctx context.Context, at plan.EntryID) (session string, err error) {
	if err := s.opt.Log.Unwritable(); err != nil {
		return "", fmt.Errorf("fork: this session cannot be trusted as it is: %w", err)
	}
	if !s.command.TryLock() {
		return "", errors.New("fork: another command still waits for an answer")
	}
	defer s.command.Unlock()
	f, err := s.forked(at)
	if err != nil || !s.mayEndTurn(ctx, "Go on in a new session?") {
		return "", err
	}
	if at == "" { // what the turn did until now comes along
		s.overtake(func() { f, err = s.forked(at) })
		if err != nil {
			return "", err
		}
	}
	return s.makeFork(f)
}

// fork is what a new session begins with.
type fork struct {
	branch []Item
	state  plan.State
	unsent string
	carry  []Item // labels of its entries from other branches, and the name
}

func (s *Session) forked(at plan.EntryID) (fork, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	t := s.opt.Log.Tree()
	f := fork{}
	leaf := t.Leaf()
	if at != "" {
		e, err := t.Find(string(at))
		if err == nil && e.Kind == tree.KindLeaf {
			err = errors.New("it only records an earlier move")
		}
		if err != nil {
			return f, fmt.Errorf("fork at %s: %w (/tree shows every entry, and f there forks at it)", text.Truncate(text.Line(string(at)), 20), err)
		}
		leaf = e.ID
		if m, err := tree.Decode[tree.User](e); e.Kind == tree.KindUser && err == nil {
			leaf, f.unsent = e.Parent, m.Unsent()
		}
	}
	f.branch = t.Branch(leaf)
	f.state, _ = tree.Fold(f.branch)
	f.carry = carried(t.All(), f.branch)
	return f, nil
}

// carried are the marks that count for a branch although they were made on
// others: the labels of its entries, and the last name of the session.
func carried(all, branch []Item) []Item {
	on := make(map[plan.EntryID]bool, len(branch))
	for _, e := range branch {
		on[e.ID] = true
	}
	marks := map[plan.EntryID]Item{} // the last one of each target
	var order []plan.EntryID
	for _, e := range all {
		target := plan.EntryID("")
		switch e.Kind {
		case tree.KindLabel:
			l, err := tree.Decode[tree.Label](e)
			if err != nil || !on[l.Target] {
				continue
			}
			target = l.Target
		case tree.KindTitle:
		default:
			continue
		}
		if _, known := marks[target]; !known {
			order = append(order, target)
		}
		marks[target] = e
	}
	var out []Item
	for _, target := range order {
		if !on[marks[target].ID] {
			out = append(out, marks[target])
		}
	}
	return out
}

// makeFork lists the new session in the record of its plans and then makes its
// log: a crash in between leaves an id that no session has, which harms nobody.
func (s *Session) makeFork(f fork) (string, error) {
	id, err := s.opt.Store.NewSessionID()
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	var refused []string
	for _, p := range plansIn(f.branch) {
		if _, err := s.opt.Store.Adopt(p, id); err != nil {
			refused = append(refused, fmt.Sprintf("%s (%v)", p, err))
		}
	}
	entries, err := s.forkEntries(f, refused)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	h := tree.Header{Session: id, Cwd: s.opt.Dir, Branch: s.View().Branch, Parent: s.opt.Session}
	if err := s.opt.Store.ForkLog(h, entries); err != nil {
		return "", err
	}
	if f.unsent != "" {
		err := s.opt.Log.CopyImages(id, image.Marks(f.unsent))
		if err = errors.Join(err, s.opt.Store.SaveDraft(id, f.unsent)); err != nil {
			s.say(tree.Warning, "The new session %s is there, but the text of the message could not be taken along: %v.", id, err)
		}
	}
	return id, nil
}

// forkEntries is the log of the new session: the branch as it is, under the same
// ids, and what must be added so that nothing is open in it that is open elsewhere.
func (s *Session) forkEntries(f fork, refused []string) ([]Item, error) {
	out := slices.Clone(f.branch)
	parent := plan.EntryID("")
	if len(out) > 0 {
		parent = out[len(out)-1].ID
	}
	add := func(kind plan.Kind, body any) error {
		s.writing.Lock() // ids are not to be used again in this session either
		id, err := s.newEntryID()
		s.writing.Unlock()
		if err != nil {
			return err
		}
		e, err := tree.New(id, parent, plan.Stamp(s.opt.Now()), kind, body)
		if err != nil {
			return err
		}
		out, parent = append(out, e), id
		return nil
	}
	for _, mark := range f.carry {
		if err := add(mark.Kind, mark.Body); err != nil {
			return nil, err
		}
	}
	if r := f.state.Review; r != nil {
		if err := add(plan.KindReviewClosed, plan.ReviewClosed{Review: r.ID, Outcome: plan.OutcomeVoided, Reason: "the session was forked"}); err != nil {
			return nil, err
		}
	}
	if s.opt.Log.Lost() > 0 && !f.state.IsPlanning() {
		ev := gateEvent(f.state)
		if err := add(ev.Kind(), ev); err != nil {
			return nil, err
		}
	}
	n := tree.Notice{Level: tree.Info, Text: fmt.Sprintf("This session goes on from session %s, which stays as it is. Files are shared: both work in the same directory.", s.opt.Session)}
	if len(refused) > 0 {
		n.Level = tree.Warning
		n.Text += " These plans could not be taken along: " + strings.Join(refused, "; ") + "."
	}
	return out, add(tree.KindNotice, n)
}
