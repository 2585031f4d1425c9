package reviewer

import "planmode/revdiff/brief"

func (m *Model) marks() []brief.Mark         { return nil }
func (m *Model) takeMarks(list []brief.Mark) {}
