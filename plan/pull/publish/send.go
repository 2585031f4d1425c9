// Package publish posts one approved review and keeps receipts of it.
//
// Each receipt is kept before the request it is for, and again after the answer. The
// first request that is not known to have worked ends the posting: what follows stays
// pending, and nothing is sent a second time. Whether the pull request is still what was
// approved is for the caller to have looked at.
package publish

import (
	"context"
	"time"

	"planmode/plan/pull"
	"planmode/plan/pull/github"
)

// Poster sends one request, once.
type Poster interface {
	PostReview(ctx context.Context, a pull.Approval) github.Receipt
	PostReply(ctx context.Context, a pull.Approval, r pull.PostReply) github.Receipt
}

var _ Poster = (*github.Client)(nil)

// Exit codes of a posting.
const (
	ExitPosted  = 0
	ExitEffect  = 1 // something may have been posted
	ExitRefused = 3 // nothing was
)

// Sending is how a posting is carried out.
type Sending struct {
	Poster Poster
	Create func(data []byte) error // the file of receipts, which must be new; durable
	Keep   func(data []byte) error // in its place; durable
	Now    func() time.Time
	Pause  func(ctx context.Context) error // between two requests
}

// Send posts the review, then the replies. The error is about the receipts.
func (s Sending) Send(ctx context.Context, a pull.Approval) (pull.Receipts, int, error) {
	r := pull.NewReceipts(a, s.now())
	if err := s.Create(r.Encode()); err != nil {
		return r, ExitRefused, err
	}
	for i := range r.Actions {
		if i > 0 && s.Pause(ctx) != nil || ctx.Err() != nil {
			return r, exit(i), ctx.Err()
		}
		act := &r.Actions[i]
		act.State, act.StartedAt = pull.ActionSending, new(s.now())
		if err := s.keep(&r); err != nil {
			act.State, act.StartedAt = pull.ActionPending, nil // it was not sent
			return r, exit(i), err
		}
		var got github.Receipt
		if i == 0 {
			got = s.Poster.PostReview(ctx, a)
		} else {
			got = s.Poster.PostReply(ctx, a, a.Replies[i-1])
		}
		note(act, got, s.now())
		r.Complete = i == len(r.Actions)-1 && act.State == pull.ActionDone
		if err := s.keep(&r); err != nil {
			return r, ExitEffect, err
		}
		if act.State != pull.ActionDone {
			return r, ExitEffect, nil
		}
	}
	return r, ExitPosted, nil
}

func exit(sent int) int {
	if sent == 0 {
		return ExitRefused
	}
	return ExitEffect
}

func (s Sending) now() string { return s.Now().UTC().Format(time.RFC3339) }

func (s Sending) keep(r *pull.Receipts) error {
	r.UpdatedAt = s.now()
	return s.Keep(r.Encode())
}

func note(act *pull.Action, got github.Receipt, now string) {
	act.FinishedAt = &now
	if got.Status != 0 {
		act.HTTPStatus = new(int64(got.Status))
	}
	if got.RequestID != "" {
		act.RequestID = &got.RequestID
	}
	switch got.Outcome {
	case github.Posted:
		act.State, act.ID = pull.ActionDone, &got.ID
		if got.URL != "" {
			act.URL = &got.URL
		}
		return
	case github.Rejected:
		act.State = pull.ActionRejected
	default:
		act.State = pull.ActionUncertain
	}
	act.Error = &got.Why
}
