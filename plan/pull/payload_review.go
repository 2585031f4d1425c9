package pull

// Chunk is what one dimension found.
type Chunk struct {
	Schema      string      `json:"schema" form:"review.chunk/1"`
	Dimension   string      `json:"dimension" form:"name"`
	Pins        Pins        `json:"pins"`
	Coverage    []Coverage  `json:"coverage"`
	Candidates  []Candidate `json:"candidates"`
	Risks       []Risk      `json:"risks"`
	Sources     []Source    `json:"sources"`
	Limitations []string    `json:"limitations" form:"text"`
}

// Coverage says how much of a file was looked at.
type Coverage struct {
	Path   string  `json:"path" form:"path"`
	Extent string  `json:"extent" form:"full|partial|none"`
	Note   *string `json:"note" form:"text"`
}

// Candidate is a finding before the author judged it.
type Candidate struct {
	ID         string     `json:"id" form:"text"`
	Title      string     `json:"title" form:"title"`
	Severity   string     `json:"severity" form:"blocking|important|nit|suggestion"`
	Confidence string     `json:"confidence" form:"high|medium|low"`
	Location   Loc        `json:"location"`
	Evidence   []Evidence `json:"evidence"`
	Scenario   string     `json:"scenario" form:"text"`
	Impact     string     `json:"impact" form:"text"`
	Fix        string     `json:"fix" form:"text"`
	Relation   string     `json:"relation" form:"new|known|unclassified"`
	RootID     *int64     `json:"root_id" form:"id"`
	Body       string     `json:"body" form:"text"`
}

// Author is the one canonical review.
type Author struct {
	Schema      string    `json:"schema" form:"review.author/1"`
	Revision    int64     `json:"revision" form:"pos"`
	Pins        Pins      `json:"pins"`
	Decision    string    `json:"decision" form:"COMMENT|REQUEST_CHANGES|APPROVE"`
	Summary     string    `json:"summary" form:"md"`
	Findings    []Finding `json:"findings"`
	Comments    []Comment `json:"comments"`
	Replies     []Reply   `json:"replies"`
	Trace       []Trace   `json:"trace"`
	Risks       []Risk    `json:"risks"`
	Sources     []Source  `json:"sources"`
	Limitations []string  `json:"limitations" form:"text"`
}

// Finding is a candidate that stands.
type Finding struct {
	ID           string     `json:"id" form:"text"`
	Title        string     `json:"title" form:"title"`
	Severity     string     `json:"severity" form:"blocking|important|nit|suggestion"`
	Confidence   string     `json:"confidence" form:"high|medium|low"`
	Evidence     []Evidence `json:"evidence"`
	Scenario     string     `json:"scenario" form:"text"`
	Impact       string     `json:"impact" form:"text"`
	Fix          string     `json:"fix" form:"text"`
	CandidateIDs []string   `json:"candidate_ids" form:"text"`
	Placement    string     `json:"placement" form:"inline|reply|summary|unknown"`
	Location     Loc        `json:"location"`
	RootID       *int64     `json:"root_id" form:"id"`
}

// Comment is a new remark at a line of the diff.
type Comment struct {
	FindingID string  `json:"finding_id" form:"text"`
	Path      string  `json:"path" form:"path"`
	Side      string  `json:"side" form:"LEFT|RIGHT"`
	Line      int64   `json:"line" form:"pos"`
	StartSide *string `json:"start_side" form:"LEFT|RIGHT"`
	StartLine *int64  `json:"start_line" form:"pos"`
	Body      string  `json:"body" form:"md"`
}

// Reply continues a discussion that is there.
type Reply struct {
	FindingID string `json:"finding_id" form:"text"`
	RootID    int64  `json:"root_id" form:"id"`
	Body      string `json:"body" form:"md"`
}

// Trace says what became of a candidate.
type Trace struct {
	CandidateID string  `json:"candidate_id" form:"text"`
	Disposition string  `json:"disposition" form:"confirm|adjust|merge|drop"`
	FindingID   *string `json:"finding_id" form:"text"`
	Reason      string  `json:"reason" form:"text"`
}

// Verify is the judgement of an independent reader.
type Verify struct {
	Schema           string        `json:"schema" form:"review.verify/1"`
	AuthorSHA256     string        `json:"author_sha256" form:"sha256"`
	Revision         int64         `json:"revision" form:"pos"`
	Pins             Pins          `json:"pins"`
	Decision         string        `json:"decision" form:"COMMENT|REQUEST_CHANGES|APPROVE"`
	Checks           []VerifyCheck `json:"checks"`
	Observations     []string      `json:"observations" form:"text"`
	PublicationReady bool          `json:"publication_ready"`
	Limitations      []string      `json:"limitations" form:"text"`
	Issues           []Issue       `json:"issues"`
}

// VerifyCheck is one thing the verifier looked at.
type VerifyCheck struct {
	Name   string  `json:"name" form:"identity|diff|evidence|severity|sources|anchors|threads|duplicates|suggestions|tone|decision|limits|injection"`
	Result string  `json:"result" form:"pass|limited|not_applicable|fail"`
	Note   *string `json:"note" form:"text"`
}

// Issue is what the author has to change.
type Issue struct {
	FindingID *string `json:"finding_id" form:"text"`
	Field     string  `json:"field" form:"text"`
	Problem   string  `json:"problem" form:"text"`
	Change    string  `json:"change" form:"text"`
}

// CheckNames are the checks of a verifier, each of which it names once.
var CheckNames = []string{"identity", "diff", "evidence", "severity", "sources", "anchors", "threads", "duplicates", "suggestions", "tone", "decision", "limits", "injection"}
