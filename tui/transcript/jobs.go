package transcript

import "planmode/tui/theme"

const (
	maxRenderedLines = 20000
	minRendered      = 128 // messages; more than a screen can show
)

type markdownKey struct {
	id    string
	width int
	theme string
}

func (tr *Transcript) markdownKey(id string) markdownKey {
	return markdownKey{id: id, width: tr.width, theme: tr.version}
}

// Job is a message to render away from the event loop.
type Job struct {
	key   markdownKey
	theme *theme.Theme
	text  string

	standing standing // of the plans in it
}

// Rendering is a finished job.
type Rendering struct {
	key   markdownKey
	lines []string
}

// Run renders the message. It may run on any goroutine.
func (j Job) Run() Rendering {
	p := pen{t: j.theme, width: j.key.width}
	return Rendering{j.key, message(p, j.text, j.standing, rich(j.theme))}
}

// Jobs hands out what the last View wanted and nobody works on yet. Each job
// handed out must come back to Deliver.
func (tr *Transcript) Jobs() []Job {
	jobs := tr.rendered.wanted
	tr.rendered.wanted = nil
	return jobs
}

// Deliver takes back a finished job. One for another width or theme than the
// present only waits for its turn.
func (tr *Transcript) Deliver(r Rendering) { tr.rendered.put(r) }

// rendered keeps the messages rendered last, bounded by their lines.
type rendered struct {
	byKey  map[markdownKey][]string
	order  []markdownKey // oldest first
	lines  int
	wanted []Job
	taken  map[markdownKey]bool // wanted or being worked on
}

func newRendered() *rendered {
	return &rendered{byKey: map[markdownKey][]string{}, taken: map[markdownKey]bool{}}
}

func (r *rendered) has(k markdownKey) bool {
	_, ok := r.byKey[k]
	return ok
}

func (r *rendered) get(k markdownKey) ([]string, bool) {
	lines, ok := r.byKey[k]
	return lines, ok
}

func (r *rendered) want(j Job) {
	if !r.taken[j.key] {
		r.taken[j.key] = true
		r.wanted = append(r.wanted, j)
	}
}

func (r *rendered) put(done Rendering) {
	delete(r.taken, done.key)
	if r.has(done.key) {
		return
	}
	r.byKey[done.key] = done.lines
	r.order = append(r.order, done.key)
	r.lines += len(done.lines)
	for r.lines > maxRenderedLines && len(r.order) > minRendered {
		old := r.order[0]
		r.order = r.order[1:]
		r.lines -= len(r.byKey[old])
		delete(r.byKey, old)
	}
}
