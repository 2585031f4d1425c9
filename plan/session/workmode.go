package session

import (
	"planmode/plan"
	"planmode/plan/tree"
)

// permissionForWork puts the mode in force that the person chose with an approval.
// It holds until the work ends. None leaves everything as it is: what was chosen
// and what merely stays are never the same thing.
func (s *Session) permissionForWork(chosen plan.Permission) {
	if chosen != plan.PermissionManual && chosen != plan.PermissionYolo {
		return // auto is never chosen with a plan
	}
	if !s.mayWiden(chosen) {
		s.say(tree.Warning, "Permission mode is still %s: the configuration could not be read, so what you denied there is not known.", s.Permission())
		return
	}
	s.mu.Lock()
	now := s.perms.inForce
	s.mu.Unlock()
	m := tree.PermissionMode{Mode: chosen, Why: tree.PermissionApproval}
	saved := now.Mode
	if now.Saved != "" {
		saved = now.Saved // chosen with an earlier revision of the same work
	}
	if chosen.Wider(saved) {
		m.Saved = saved
	}
	s.changePermission(m)
}

// restorePermission puts back the mode from before the work, when that is the more
// careful one. A choice that made the work more careful is not taken back.
func (s *Session) restorePermission() {
	s.mu.Lock()
	now := s.perms.inForce
	s.mu.Unlock()
	if now.Saved == "" || !now.Mode.Wider(now.Saved) {
		return
	}
	s.changePermission(tree.PermissionMode{Mode: now.Saved, Why: tree.PermissionRestored})
}
