package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"planmode/plan"
	"planmode/plan/tool/rule"
	"planmode/plan/tree"
)

// ErrModeUsage reports a `/mode` argument that is not one.
var ErrModeUsage = errors.New("usage: /mode [manual|yolo|auto]")

// permissions is the permission mode of the session and what was agreed about
// it. mu of the session guards the first three.
type permissions struct {
	inForce tree.PermissionMode
	offered tree.PermissionMode // of a resumed session, until the person kept it or not; without a mode for none
	rules   rule.Rules          // the person's own, with those added since the start

	changing  sync.Mutex // held by one change that may ask
	confirmed map[plan.Permission]bool
}

// PermissionMeaning says in one sentence what a permission mode lets happen.
func PermissionMeaning(p plan.Permission) string {
	switch p {
	case plan.PermissionYolo:
		return "Commands and edits run without asking you. Plan Mode stays read-only, plans are still reviewed by you, and your deny rules hold."
	case plan.PermissionAuto:
		return "Commands and edits run without asking you, and a plan that is submitted is approved without you: " + plan.AutoApproved +
			". Plan Mode stays read-only until then, and your deny rules hold."
	}
	return "You are asked before anything changes or runs."
}

// Permission is the permission mode in force.
func (s *Session) Permission() plan.Permission {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.permission()
}

// permission needs mu.
func (s *Session) permission() plan.Permission {
	return plan.Narrower(s.perms.inForce.Mode, plan.PermissionAuto)
}

// startPermission decides which mode a session begins in: the one that the
// command line gives, else that of the configuration for a new session and that
// of the log for a resumed one. A wider one that only the log gives does not
// hold before the person has kept it.
func (s *Session) startPermission() {
	now := tree.PermissionOn(s.branch)
	switch {
	case s.readOnly() != nil:
		s.setPermission(tree.PermissionMode{Mode: plan.PermissionManual})
	case s.opt.Permission != "":
		s.beginWith(now, tree.PermissionMode{Mode: s.opt.Permission, Why: tree.PermissionFlag})
	case !s.opt.Resumed:
		mode, err := plan.ParsePermission(s.opt.Config.Mode)
		if err != nil {
			mode = plan.PermissionManual
		}
		s.beginWith(now, tree.PermissionMode{Mode: mode, Why: tree.PermissionConfig})
	case now.Mode.Unasked() && s.mayWiden(now.Mode):
		s.setPermission(tree.PermissionMode{Mode: plan.PermissionManual})
		s.perms.offered = now
	default:
		s.setPermission(tree.PermissionMode{Mode: plan.PermissionManual})
	}
}

// beginWith records the mode of the start, unless the branch already says it. A
// mode that cannot be recorded is not widened to.
func (s *Session) beginWith(now, m tree.PermissionMode) {
	if !s.mayWiden(m.Mode) {
		m.Mode = plan.PermissionManual
	}
	if m.Mode == now.Mode {
		s.setPermission(now)
		return
	}
	if err := s.recordPermission(m); err != nil {
		s.setPermission(tree.PermissionMode{Mode: plan.PermissionManual})
		s.say(tree.Failure, "Permission mode %s could not be recorded (%v). You are asked before anything changes or runs.", m.Mode, err)
	}
}

// setPermission publishes what the log already says.
func (s *Session) setPermission(m tree.PermissionMode) {
	s.mu.Lock()
	s.perms.inForce = m
	s.mu.Unlock()
	s.poke()
}

// recordPermission makes the mode durable and then puts it in force, before
// anything else can be recorded that goes by it.
func (s *Session) recordPermission(m tree.PermissionMode) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	id, err := s.newEntryID()
	if err != nil {
		return err
	}
	if err := s.append(id, plan.Stamp(s.opt.Now()), tree.KindPermissionMode, m, nil); err != nil {
		return err
	}
	s.setPermission(m)
	return nil
}

// keepPermission asks whether a resumed session goes on in the mode that it was
// in. Whatever is no yes leaves manual in force.
func (s *Session) keepPermission(ctx context.Context) {
	s.mu.Lock()
	was := s.perms.offered
	s.mu.Unlock()
	if was.Mode == "" {
		return
	}
	name := strings.ToUpper(string(was.Mode))
	yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
		Title: fmt.Sprintf("This session was in %s mode. Keep it?", name),
		Body:  PermissionMeaning(was.Mode),
		Yes:   "Keep " + name, No: "Ask me before anything runs or changes (manual)", label: labelMode,
	})
	if err != nil {
		return // asked again at the next start
	}
	m := tree.PermissionMode{Mode: plan.PermissionManual, Why: tree.PermissionDropped}
	if yes {
		m = tree.PermissionMode{Mode: was.Mode, Why: tree.PermissionKept, Saved: was.Saved}
	}
	s.mu.Lock()
	s.perms.offered = tree.PermissionMode{}
	s.mu.Unlock()
	s.changePermission(m)
}

// SetPermission runs `/mode`: bare it offers the modes, with a name it switches.
// A wider mode is confirmed once. A question or a review that is open is not
// answered by it. It may wait for the person and the disk, so a screen calls it
// outside its event loop; the error is ErrModeUsage.
func (s *Session) SetPermission(ctx context.Context, arg string) error {
	arg = strings.ToLower(strings.TrimSpace(arg))
	mode, err := plan.ParsePermission(arg)
	if err != nil && arg != "" {
		return ErrModeUsage
	}
	if err := s.readOnly(); err != nil {
		s.sayReadOnly(err)
		return nil
	}
	if !s.perms.changing.TryLock() {
		s.say(tree.Info, "Another /mode question is still waiting for an answer.")
		return nil
	}
	defer s.perms.changing.Unlock()
	if arg == "" {
		var chosen bool
		if mode, chosen = s.choosePermission(ctx); !chosen {
			return nil
		}
	}
	if mode == s.Permission() && s.asChosen() {
		s.say(tree.Info, "Permission mode is %s already. %s", mode, PermissionMeaning(mode))
		return nil
	}
	if !s.mayWiden(mode) {
		s.say(tree.Warning, "Permission mode is still %s: the configuration could not be read, so what you denied there is not known. Put %s right and start again.", s.Permission(), s.opt.ConfigPath)
		return nil
	}
	if !s.confirmWider(ctx, mode) {
		s.say(tree.Info, "Permission mode is still %s.", s.Permission())
		return nil
	}
	s.changePermission(tree.PermissionMode{Mode: mode, Why: tree.PermissionChosen})
	return nil
}

// asChosen says whether the mode in force is nobody's to take back: one that was
// chosen for the work ends with it, and the same one chosen now does not.
func (s *Session) asChosen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.perms.inForce.Saved == ""
}

func (s *Session) choosePermission(ctx context.Context) (plan.Permission, bool) {
	now := s.Permission()
	q := Question{Title: "Permission mode", Cancel: len(plan.Permissions)}
	for _, p := range plan.Permissions {
		label := string(p)
		if p == now {
			label += " (now)"
		}
		q.Choices = append(q.Choices, Choice{Label: label, Detail: permissionShort[p]})
	}
	q.Choices = append(q.Choices, Choice{Label: "Cancel", Detail: "nothing changes"})
	i, err := s.opt.Desk.Ask(ctx, q)
	if err != nil || i < 0 || i >= len(plan.Permissions) {
		return "", false
	}
	return plan.Permissions[i], true
}

// permissionShort is what a chooser says of a mode beside its name.
var permissionShort = map[plan.Permission]string{
	plan.PermissionManual: "ask before anything changes or runs",
	plan.PermissionYolo:   "run without asking; plans are still reviewed",
	plan.PermissionAuto:   "run without asking; plans are " + plan.AutoApproved,
}

// confirmWider asks once in the life of a process before more may happen unasked
// than now.
func (s *Session) confirmWider(ctx context.Context, mode plan.Permission) bool {
	if !mode.Wider(s.Permission()) || s.perms.confirmed[mode] {
		return true
	}
	name := strings.ToUpper(string(mode))
	yes, err := s.opt.Desk.Confirm(ctx, Confirmation{
		Title: fmt.Sprintf("Switch to %s mode?", name), Body: PermissionMeaning(mode),
		Yes: "Switch to " + name, No: "Stay in " + string(s.Permission()), label: labelMode,
	})
	if err != nil || !yes {
		return false
	}
	if s.perms.confirmed == nil {
		s.perms.confirmed = map[plan.Permission]bool{}
	}
	s.perms.confirmed[mode] = true
	return true
}

// changePermission records a mode and says what it means. A narrower one holds
// even when it cannot be recorded.
func (s *Session) changePermission(m tree.PermissionMode) {
	if err := s.recordPermission(m); err != nil {
		if now := s.Permission(); m.Mode.Wider(now) {
			s.say(tree.Failure, "Permission mode is still %s: the change could not be recorded (%v).", now, err)
			return
		}
		s.setPermission(m)
		s.say(tree.Failure, "Permission mode is %s, but this could not be recorded (%v).", m.Mode, err)
		return
	}
	s.sayPermission(m)
}

func (s *Session) sayPermission(m tree.PermissionMode) {
	if m.Mode.Unasked() {
		s.say(tree.Warning, "%s mode. %s /mode manual ends it.", strings.ToUpper(string(m.Mode)), PermissionMeaning(m.Mode))
		return
	}
	s.say(tree.Info, "Manual mode. %s", PermissionMeaning(m.Mode))
}

// permissionMoved follows a move of the branch: what is in force never becomes
// wider by it. The caller has published the new branch.
func (s *Session) permissionMoved() {
	now, there := s.Permission(), tree.PermissionOn(s.Items(0))
	if !now.Wider(there.Mode) {
		if there.Mode != now { // the branch is wider than what is in force
			s.changePermission(tree.PermissionMode{Mode: now, Why: tree.PermissionMoved})
		}
		return
	}
	s.changePermission(tree.PermissionMode{Mode: there.Mode, Why: tree.PermissionMoved})
}
