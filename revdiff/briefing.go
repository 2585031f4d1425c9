package revdiff

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"planmode/plan"
	"planmode/revdiff/brief"
)

const (
	briefName   = "brief.json"
	outcomeName = "outcome.json"
	editName    = "edited.md"
)

// asked is what an outcome must be about.
type asked struct {
	review plan.ReviewID
	hash   plan.Hash
}

// briefs says whether the reviewer is told more than flags can say: only
// planmode's own understands it.
func (r Request) briefs() bool { return r.Reviewer.Builtin && r.Brief != nil }

// brief writes the files for planmode's own reviewer, and gives the flags that
// name them.
func (r Request) brief(j *Job) ([]string, error) {
	if !r.briefs() {
		return nil, nil
	}
	b := *r.Brief
	j.Outcome, j.Edit = filepath.Join(r.Dir, outcomeName), filepath.Join(r.Dir, editName)
	j.asked = asked{b.Review, b.Ref.Hash}
	if b.Gate != nil { // there is no next revision that an edit could become
		j.Edit = ""
	}
	b.Version, b.Outcome, b.Edit, b.Base = brief.Version, j.Outcome, j.Edit, j.shown.old.Revision
	raw, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("prepare the review: %w", err)
	}
	path := filepath.Join(r.Dir, briefName)
	if err := create(path, raw); err != nil {
		return nil, err
	}
	if len(r.Draft) > 0 {
		sum := sha256.Sum256(r.New.Bytes)
		name := brief.DraftName(hex.EncodeToString(sum[:]))
		if err := create(filepath.Join(j.History, name), r.Draft); err != nil {
			return nil, err
		}
	}
	if len(r.Edit) > 0 && j.Edit != "" {
		if err := create(j.Edit, r.Edit); err != nil {
			return nil, err
		}
	}
	return []string{"--brief=" + path}, nil
}

// left gathers what planmode's own reviewer left behind besides notes, however
// it ended.
func (j *Job) left(r *Result) {
	if j.Outcome == "" {
		return
	}
	if text, err := readRegular(j.Edit, maxEdited); err == nil && !bytes.Equal(text, j.shown.new.Bytes) {
		r.Edit = text
	}
	for _, path := range list(j.History) {
		if !brief.IsDraftName(filepath.Base(path)) {
			continue
		}
		raw, err := readRegular(path, brief.MaxFile)
		if err != nil {
			continue
		}
		if d, err := brief.ParseDraft(raw); err == nil && !d.Empty() {
			r.Draft, r.Marks = raw, d.Marks
		}
	}
}

// concluded reads how planmode's own reviewer says that it ended, and gives the
// sentence about what cannot be in that.
func (j *Job) concluded(r *Result) (odd string) {
	if j.Outcome == "" {
		return ""
	}
	raw, err := readRegular(j.Outcome, brief.MaxFile)
	if os.IsNotExist(err) {
		return ""
	}
	var o brief.Outcome
	if err == nil {
		o, err = brief.ParseOutcome(raw, j.asked.review, j.asked.hash)
	}
	if err != nil {
		return fmt.Sprintf("what the reviewer says about its end cannot be used: %v", strings.TrimSuffix(err.Error(), "."))
	}
	r.Verdict, r.Marks = o.Verdict, o.Marks
	return ""
}
