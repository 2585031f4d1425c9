package session

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"planmode/plan"
	"planmode/plan/gate"
	"planmode/plan/gate/target"
	"planmode/plan/text"
	"planmode/plan/tree"
	"planmode/revdiff"
	"planmode/store"
)

// Annotate shows a file, a folder or a page in the reviewer and gives the notes that
// the person makes there to the agent as a message of theirs. Nothing is approved by
// it. What they saw of the same file last is what it is compared with.
func (s *Session) Annotate(ctx context.Context, name string) error {
	if name = strings.TrimSpace(name); name == "" {
		s.say(tree.Info, "Name what you want to annotate: /annotate FILE, a folder, or an https:// address. /annotate-last is the last answer.")
		return nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	t, err := target.Resolve(ctx, target.Options{Cwd: s.opt.Dir, Home: home, Strict: true}, []string{name})
	if err != nil {
		s.say(tree.Warning, "%s", text.Line(err.Error()))
		return nil
	}
	return s.annotate(t, "# Markdown Annotations\n\n"+kindOf(t)+": "+text.Line(t.Path))
}

// AnnotateLast is Annotate for the agent's last answer on this branch.
func (s *Session) AnnotateLast(context.Context) error {
	branch := s.Items(0)
	for i := len(branch) - 1; i >= 0; i-- {
		if branch[i].Kind != tree.KindAssistant {
			continue
		}
		a, err := tree.Decode[tree.Assistant](branch[i])
		if err != nil || strings.TrimSpace(a.Text) == "" {
			continue
		}
		t := target.Text{Subject: gate.SubjectMessage, Name: "last answer", Source: target.FromMessage, Markdown: []byte(text.Visible([]byte(a.Text)))}
		return s.annotate(t, "# Message Annotations")
	}
	s.say(tree.Info, "There is no answer of the agent yet that could be annotated.")
	return nil
}

// kindOf is what the agent is told that the path is.
func kindOf(t target.Text) string {
	switch t.Source {
	case target.FromFolder:
		return "Folder"
	case target.FromURL:
		return "URL"
	}
	return "File"
}

// annotate shows t as a turn of its own, so that nothing else happens meanwhile.
func (s *Session) annotate(t target.Text, head string) error {
	if reason := s.disabledReason(); reason != "" {
		return errors.New(reason)
	}
	if err := s.readOnly(); err != nil {
		s.sayReadOnly(err)
		return nil
	}
	j, ctx, ok := s.beginNext("waiting for your notes on " + text.Line(t.Name))
	if !ok {
		return ErrBusy
	}
	notes, err := s.annotations(ctx, t)
	s.end(j)
	if err != nil {
		return err
	}
	if len(notes) == 0 {
		s.say(tree.Info, "No notes were made on %s, so the agent was told nothing.", text.Line(t.Name))
		return nil
	}
	feedback := t.Feedback(notes)
	if err := s.Send(head + "\n\n" + feedback + "\nPlease address these annotations."); err != nil {
		return fmt.Errorf("send your notes: %w; planmode last-feedback --json has them", err)
	}
	return nil
}

// annotations runs the reviewer on t. Notes are recorded before they are returned; those
// of a review that broke are kept and shown again by the next one of the same text.
func (s *Session) annotations(ctx context.Context, t target.Text) (notes []plan.Annotation, err error) {
	key := t.Key()
	if key == "" {
		key = store.GateKey(t.Markdown)
	}
	draft, _, err := s.opt.Store.GateDraft(key)
	if err != nil {
		return nil, err
	}
	seen, known, err := s.opt.Store.GateSeen(key)
	if err != nil {
		return nil, err
	}
	dir, err := s.opt.Store.OpenGateReview(key)
	if err != nil {
		return nil, err
	}
	copyName := target.FileName(filepath.Base(t.Name))
	req := revdiff.Request{
		Reviewer: s.reviewer.get(), Dir: dir.Dir, Title: t.Name, Env: s.opt.Env, Pending: draft.Notes,
		New: revdiff.Text{Revision: 2, Bytes: t.Markdown, Name: copyName},
	}
	if known && seen.Hash != plan.HashOf(t.Markdown) {
		req.Old = revdiff.Text{Revision: 1, Bytes: []byte(seen.Markdown), Name: copyName + "-before"}
		req.Previous = seen.Notes
	}
	job, err := revdiff.Prepare(req)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	exit, err := s.opt.Desk.Review(ctx, job)
	if err != nil {
		return nil, errors.Join(unanswered(ctx, err), dir.Close())
	}
	r := revdiff.Classify(job, exit)
	if err := s.keepAnnotations(key, t, r); err != nil {
		return nil, fmt.Errorf("keep your notes: %w; they are in %s", err, dir.Dir)
	}
	_ = dir.Close() // what cannot be removed is found by the next review of the text
	switch r.Kind {
	case revdiff.Annotated:
		return r.Notes, nil
	case revdiff.Failed:
		return nil, fmt.Errorf("show %s: %s\n%s", t.Name, r.Message, r.Stderr)
	case revdiff.Edited:
		s.say(tree.Info, "What you edited in the reviewer was a copy; %s is as it was.", text.Line(t.Name))
	}
	if len(r.Notes) > 0 {
		s.say(tree.Warning, "Your %s were not sent: %s. The next review of the same text shows them again.", text.Count(len(r.Notes), "note"), r.Message)
	}
	return nil, nil
}

// keepAnnotations makes durable what the review brought: a record of notes that are
// sent, or a draft of those that are not.
func (s *Session) keepAnnotations(key string, t target.Text, r revdiff.Result) error {
	if r.Kind != revdiff.Annotated && r.Kind != revdiff.Clean {
		return s.opt.Store.SaveGateDraft(store.GateDraft{Key: key, Hash: plan.HashOf(t.Markdown), Notes: r.Notes})
	}
	var id [6]byte
	rand.Read(id[:])
	decision := gate.Outcome{Exit: r.Kind == revdiff.Clean}.Decision()
	return s.opt.Store.SettleGate(store.GateRecord{
		ID: hex.EncodeToString(id[:]), Key: key, Path: t.Path, Name: t.Name, Subject: string(t.Subject), Asker: "planmode", Cwd: s.opt.Dir,
		Hash: plan.HashOf(t.Markdown), Decision: decision, Notes: r.Notes,
	}, t.Markdown)
}
