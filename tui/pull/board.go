package pull

import (
	"slices"
	"strings"
	"time"

	"planmode/plan/agent"
	"planmode/plan/pull/run"
	"planmode/plan/text"
)

// state is how far a role is.
type state int

const (
	waiting state = iota
	running
	passed
	refused // what it handed over was not valid
	failed
	stopped
	unreached // the run ended before it
)

// row is one role of the review.
type row struct {
	job   string
	state state
	line  string // what it does, or why it failed; clean
	tries int
	began time.Time
	took  time.Duration // of the dispatches that ended
	spent agent.Usage   // likewise
	now   agent.Usage   // of the one that runs
}

// Board is what is known of a run. The zero value is of no use; see NewBoard.
type Board struct {
	title string // what is reviewed; clean
	began time.Time
	ended time.Time // zero while it runs
	stage string    // what the run itself does, when no role does anything
	rows  []row
}

// NewBoard is the board of a review that begins now.
func NewBoard(title string, now time.Time) *Board {
	return &Board{title: text.Line(title), began: now, rows: []row{{job: "context"}, {job: "author"}, {job: "verify"}}}
}

// chunk says that a job judges one dimension; its name is what follows.
const chunk = "chunk:"

// Take follows what happened.
func (b *Board) Take(p run.Progress, now time.Time) {
	if p.Job == "" {
		b.stage = text.Line(p.What + " " + p.Line)
		return
	}
	b.stage = ""
	r := b.row(p.Job)
	switch p.What {
	case "started":
		r.state, r.line, r.began, r.now = running, "", now, agent.Usage{}
		r.tries++
	case "activity":
		if p.Line != "" {
			r.line = activity(p.Line)
		}
		r.now = p.Usage
	case "passed", "refused", "failed":
		r.state = map[string]state{"passed": passed, "refused": refused, "failed": failed}[p.What]
		r.line = ""
		if r.state != passed {
			r.line = text.Line(p.Line)
		}
		r.took += p.Elapsed
		r.spent, r.now = sum(r.spent, p.Usage), agent.Usage{}
	}
}

// End says that the run is over: what still ran was stopped.
func (b *Board) End(now time.Time) {
	b.ended, b.stage = now, ""
	for i := range b.rows {
		switch r := &b.rows[i]; r.state {
		case running:
			r.state, r.line = stopped, ""
			r.took += now.Sub(r.began)
			r.spent, r.now = sum(r.spent, r.now), agent.Usage{}
		case waiting:
			r.state = unreached
		}
	}
}

// row is the row of a job. Dimensions stand between the context and the author, in
// the order in which they began.
func (b *Board) row(job string) *row {
	i := slices.IndexFunc(b.rows, func(r row) bool { return r.job == job })
	if i < 0 {
		i = len(b.rows)
		if strings.HasPrefix(job, chunk) {
			i = slices.IndexFunc(b.rows, func(r row) bool { return r.job == "author" })
		}
		b.rows = slices.Insert(b.rows, i, row{job: job})
	}
	return &b.rows[i]
}

// Running is how many roles run at the moment.
func (b *Board) Running() int {
	n := 0
	for _, r := range b.rows {
		if r.state == running {
			n++
		}
	}
	return n
}

// Spent is what the run has used so far.
func (b *Board) Spent() agent.Usage {
	var all agent.Usage
	for _, r := range b.rows {
		all = sum(all, sum(r.spent, r.now))
	}
	return all
}

func sum(a, b agent.Usage) agent.Usage {
	return agent.Usage{InputTokens: a.InputTokens + b.InputTokens, OutputTokens: a.OutputTokens + b.OutputTokens, Cost: a.Cost + b.Cost}
}
