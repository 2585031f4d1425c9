package pull

// Role is one of the four parts of a review.
type Role string

// The roles, in the order in which they are dispatched.
const (
	RoleContext Role = "context"
	RoleChunk   Role = "chunk"
	RoleAuthor  Role = "author"
	RoleVerify  Role = "verify"
)

// Status is what a role says about its work.
type Status string

// The statuses. Only a verifier fails a review.
const (
	Pass         Status = "PASS"
	Fail         Status = "FAIL"
	NeedsContext Status = "NEEDS_CONTEXT"
	ToolsMissing Status = "TOOLS_MISSING"
	Error        Status = "ERROR"
)

// Problem is one thing that is wrong with a payload.
type Problem struct{ Path, Text string }

// String is the line that is shown and given back to a role.
func (p Problem) String() string { return p.Path + ": " + p.Text }

// Payload is what a role handed over. Exactly one of the pointers is set.
type Payload struct {
	Role    Role
	Status  Status
	SHA256  string // of the bytes that were read
	Context *Context
	Chunk   *Chunk
	Author  *Author
	Verify  *Verify
	Failure *Failure
}

// Pins are the commits of a review. BaseSHA is where head and base parted.
type Pins struct {
	Base       string `json:"base" form:"text"`
	BaseSHA    string `json:"base_sha" form:"hex"`
	BaseTipSHA string `json:"base_tip_sha" form:"hex"`
	HeadSHA    string `json:"head_sha" form:"hex"`
}

// Loc is where a finding belongs.
type Loc struct {
	Kind      string  `json:"kind" form:"line|file|unknown"`
	Path      *string `json:"path" form:"path"`
	Side      *string `json:"side" form:"LEFT|RIGHT"`
	Line      *int64  `json:"line" form:"pos"`
	StartSide *string `json:"start_side" form:"LEFT|RIGHT"`
	StartLine *int64  `json:"start_line" form:"pos"`
	Why       *string `json:"why" form:"text"`
}

// Evidence quotes lines of a file in one of the two commits, byte for byte.
type Evidence struct {
	Path      string `json:"path" form:"path"`
	Revision  string `json:"revision" form:"hex"`
	StartLine int64  `json:"start_line" form:"pos"`
	EndLine   int64  `json:"end_line" form:"pos"`
	Quote     string `json:"quote"`
}

// Source is a claim that was looked up.
type Source struct {
	Claim  string  `json:"claim" form:"text"`
	URL    *string `json:"url" form:"text"`
	Result string  `json:"result" form:"confirmed|refuted|unavailable"`
}

// Risk is something a reader of the review has to know.
type Risk struct {
	ID             string `json:"id" form:"text"`
	Text           string `json:"text" form:"text"`
	Significant    bool   `json:"significant"`
	BlocksApproval bool   `json:"blocks_approval"`
	BlocksPosting  bool   `json:"blocks_posting"`
}

// Failure is the payload of a role that could not do its work.
type Failure struct {
	Schema   string   `json:"schema" form:"text"`
	Reason   string   `json:"reason" form:"line"`
	NextStep string   `json:"next_step" form:"text"`
	Missing  []string `json:"missing" form:"text"`
}
