package tree

import "planmode/plan"

// Label marks an entry for the person, whatever branch it was given on: the last
// label of an entry counts, and an empty one takes it away.
type Label struct {
	Target plan.EntryID `json:"target"`
	Text   string       `json:"text"`
}

// Labels are the labels of all entries. One that cannot be decoded is ignored.
func Labels(all []Entry) map[plan.EntryID]string {
	labels := map[plan.EntryID]string{}
	for _, e := range all {
		if e.Kind != KindLabel {
			continue
		}
		l, err := Decode[Label](e)
		switch {
		case err != nil:
		case l.Text == "":
			delete(labels, l.Target)
		default:
			labels[l.Target] = l.Text
		}
	}
	return labels
}
