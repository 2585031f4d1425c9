package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"planmode/plan"
)

const (
	historyName  = "history.jsonl"
	historyLimit = 256 << 10 // bytes kept; older messages are dropped
	historyEntry = 32 << 10  // a longer message is not kept
)

// said is one line of the history.
type said struct {
	At   plan.Time `json:"at"`
	Cwd  string    `json:"cwd"`
	Text string    `json:"text"`
}

// AddHistory keeps a message of the person for recall in later sessions. The same
// message twice in a row is kept once, and a very long one not at all.
func (s *Store) AddHistory(cwd, text string) error {
	if text == "" || len(text) > historyEntry {
		return nil
	}
	lock, err := s.data.lock(historyName+lockSuffix, "history", s.opt.Wait, s.opt.Now())
	if err != nil {
		return err
	}
	defer lock.release()
	old, err := s.readHistory()
	if err != nil {
		return err
	}
	if all := decodeHistory(old); len(all) > 0 && all[len(all)-1].Text == text {
		return nil
	}
	line, err := json.Marshal(said{At: s.now(), Cwd: cwd, Text: text})
	if err != nil {
		return fmt.Errorf("add to the history: %w", err)
	}
	all := append(append(old, line...), '\n')
	if cut := len(all) - historyLimit; cut > 0 {
		if i := bytes.IndexByte(all[cut:], '\n'); i >= 0 {
			all = all[cut+i+1:]
		}
	}
	if err := s.data.overwrite(historyName, all, synced); err != nil {
		return fmt.Errorf("add to the history: %w", err)
	}
	return nil
}

func (s *Store) readHistory() ([]byte, error) {
	b, err := s.data.readFile(historyName, 2*historyLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	return b, nil
}

// History is what the person said in earlier sessions, oldest first, that of
// other directories before that of cwd. Lines that are damaged are left out.
func (s *Store) History(cwd string) ([]string, error) {
	b, err := s.readHistory()
	if err != nil {
		return nil, err
	}
	var here, elsewhere []string
	for _, m := range decodeHistory(b) {
		if m.Cwd == cwd {
			here = append(here, m.Text)
		} else {
			elsewhere = append(elsewhere, m.Text)
		}
	}
	return append(elsewhere, here...), nil
}

func decodeHistory(b []byte) []said {
	var out []said
	for line := range bytes.Lines(b) {
		var m said
		if json.Unmarshal(line, &m) == nil && m.Text != "" {
			out = append(out, m)
		}
	}
	return out
}
