package pull

// Context is what is reviewed, and how it is divided.
type Context struct {
	Schema      string      `json:"schema" form:"review.context/1"`
	PR          PR          `json:"pr"`
	Pins        Pins        `json:"pins"`
	Viewer      Viewer      `json:"viewer"`
	History     History     `json:"history"`
	CI          CI          `json:"ci"`
	Files       Files       `json:"files"`
	Dimensions  []Dimension `json:"dimensions"`
	Uncovered   []Uncovered `json:"uncovered"`
	Guidance    []Guidance  `json:"guidance"`
	Intent      Intent      `json:"intent"`
	Risks       []Risk      `json:"risks"`
	Sources     []Source    `json:"sources"`
	Limitations []string    `json:"limitations" form:"text"`
}

// PR is the state of the pull request when it was looked at.
type PR struct {
	URL       string  `json:"url" form:"text"`
	Owner     string  `json:"owner" form:"text"`
	Repo      string  `json:"repo" form:"text"`
	Number    int64   `json:"number" form:"pos"`
	Title     string  `json:"title"`
	Author    *string `json:"author" form:"text"`
	State     string  `json:"state" form:"open|closed|merged"`
	Draft     bool    `json:"draft"`
	Locked    bool    `json:"locked"`
	CrossRepo bool    `json:"cross_repo"`
}

// Viewer is who would post the review.
type Viewer struct {
	Login    *string `json:"login" form:"text"`
	IsAuthor *bool   `json:"is_author"`
}

// History is what was said about the pull request before.
type History struct {
	Status        string        `json:"status" form:"complete|partial|unavailable"`
	Reason        *string       `json:"reason" form:"text"`
	Threads       []Thread      `json:"threads"`
	Reviews       []PriorReview `json:"reviews"`
	IssueComments int64         `json:"issue_comments" form:"count"`
}

// Thread is a discussion at a place of the diff. Own says that the viewer began it.
type Thread struct {
	RootID       int64   `json:"root_id" form:"id"`
	CommentIDs   []int64 `json:"comment_ids" form:"id"`
	Author       *string `json:"author" form:"text"`
	Path         string  `json:"path" form:"path"`
	Line         *int64  `json:"line" form:"pos"`
	Side         *string `json:"side" form:"LEFT|RIGHT"`
	OriginalLine *int64  `json:"original_line" form:"pos"`
	Subject      string  `json:"subject" form:"line|file"`
	Outdated     bool    `json:"outdated"`
	Resolution   string  `json:"resolution" form:"open|resolved|unknown"`
	Own          bool    `json:"own"`
	Digest       string  `json:"digest" form:"text"`
}

// PriorReview is a review that was submitted before.
type PriorReview struct {
	ID          int64   `json:"id" form:"id"`
	Author      *string `json:"author" form:"text"`
	State       string  `json:"state" form:"APPROVED|CHANGES_REQUESTED|COMMENTED|DISMISSED|PENDING"`
	SubmittedAt *string `json:"submitted_at" form:"time"`
	Own         bool    `json:"own"`
}

// CI is what the checks said when they were looked at.
type CI struct {
	ObservedAt string  `json:"observed_at" form:"time"`
	HeadSHA    string  `json:"head_sha" form:"hex"`
	Overall    string  `json:"overall" form:"success|failure|pending|none|unknown"`
	Truncated  bool    `json:"truncated"`
	Checks     []Check `json:"checks"`
}

// Check is one check of the head.
type Check struct {
	Name       string  `json:"name" form:"text"`
	Source     string  `json:"source" form:"check_run|status"`
	Status     string  `json:"status" form:"queued|in_progress|completed|waiting|requested|pending"`
	Conclusion *string `json:"conclusion" form:"success|failure|neutral|cancelled|skipped|timed_out|action_required|stale|error"`
	URL        *string `json:"url" form:"text"`
}

// Files is what the pull request changes. Complete says that all of it is listed.
type Files struct {
	Total    int64      `json:"total" form:"count"`
	Listed   int64      `json:"listed" form:"count"`
	Complete bool       `json:"complete"`
	Items    []FileItem `json:"items"`
}

// FileItem is one changed file.
type FileItem struct {
	Path         string  `json:"path" form:"path"`
	PreviousPath *string `json:"previous_path" form:"path"`
	Status       string  `json:"status" form:"added|removed|modified|renamed|copied|changed|unchanged"`
	Additions    int64   `json:"additions" form:"count"`
	Deletions    int64   `json:"deletions" form:"count"`
	Patch        string  `json:"patch" form:"full|missing|empty"`
}

// Dimension is one independent look at some of the files.
type Dimension struct {
	Name  string   `json:"name" form:"name"`
	Goal  string   `json:"goal" form:"text"`
	Files []string `json:"files" form:"path"`
}

// Uncovered is a file that nobody reviews.
type Uncovered struct {
	Path string `json:"path" form:"path"`
	Why  string `json:"why" form:"text"`
}

// Guidance is a file of the base that says how the project wants its code.
type Guidance struct {
	Path     string `json:"path" form:"path"`
	Revision string `json:"revision" form:"hex"`
	Note     string `json:"note" form:"text"`
}

// Intent is what the change is for.
type Intent struct {
	Summary      string   `json:"summary" form:"text"`
	Requirements []string `json:"requirements" form:"text"`
}
