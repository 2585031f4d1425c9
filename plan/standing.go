package plan

// WorkOf is how the work of revision n stands by the record of the plan: empty
// when it was never approved, else implementing until a later decision closed it.
// A branch of a session may know otherwise; its fold decides for it.
func (m Manifest) WorkOf(n int) WorkStatus {
	var status WorkStatus
	for _, d := range m.Decisions {
		if d.Revision != n {
			continue
		}
		switch {
		case d.Kind.Approves():
			status = Implementing
		case status == "":
		case d.Kind == DecidedCompleted:
			status = Completed
		case d.Kind == DecidedAbandoned:
			status = Abandoned
		}
	}
	return status
}

// OpenWork lists the approved revisions whose work no decision closed.
func (m Manifest) OpenWork() []int {
	var open []int
	for n := 1; n <= len(m.Revisions); n++ {
		if m.WorkOf(n).Open() {
			open = append(open, n)
		}
	}
	return open
}

// Settled says whether nothing about the plan waits for anybody: no work is open,
// and the current revision is approved or discarded.
func (m Manifest) Settled() bool {
	status := m.StatusOf(m.CurrentRevision)
	return len(m.OpenWork()) == 0 && (status == StatusApproved || status == StatusDiscarded)
}
