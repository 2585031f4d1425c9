package run

import "planmode/plan/pull"

// draft is the review file of the run as it stands.
func (e *engine) draft() []byte {
	return pull.Draft(pull.Drafted{
		RunID: e.folder.ID(), Context: e.context, Chunks: e.chunks, Author: e.author, Verify: e.verify,
		Warnings: e.warnings, Receipts: e.receipts, Undecided: e.WantsPosting,
	})
}
