package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"planmode/plan/tree"
)

// syncDelay is how late a line may reach the disk that changes no state.
const syncDelay = time.Second

// Log is the log of one session, open for writing by this process alone, or for
// reading. Its methods are safe for concurrent use; the tree is not, and belongs
// to the goroutine that appends.
type Log struct {
	store *Store
	dir   *dir
	name  string // of the file

	mu       sync.Mutex
	header   tree.Header
	tree     *tree.Tree
	problems []string
	lost     int
	readOnly error
	damage   error  // why nobody can append
	torn     []byte // the torn tail, until it is kept aside
	file     *appender
	lock     *heldLock
	cancel   func() // of the timer that syncs
	fresh    bool   // made by this process
	closed   bool
}

// Tree is the tree of the session. Append adds to it.
func (l *Log) Tree() *tree.Tree { return l.tree }

// Header is the header of the log.
func (l *Log) Header() tree.Header { return l.header }

// Path is the path of the log.
func (l *Log) Path() string { return l.dir.join(l.name) }

// Problems names what was found damaged, and what went wrong in the background.
func (l *Log) Problems() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.problems)
}

// Lost is how many whole lines could not be read. One of them may have turned
// planning on: when it is not zero, the fold of a branch may show more rights
// than there were, and whoever uses it should ask before it lets a tool write.
func (l *Log) Lost() int { return l.lost }

// ReadOnly says why nothing can be appended: nil if it can. It is a *HeldError
// when somebody else has the log.
func (l *Log) ReadOnly() error { return l.readOnly }

// Unwritable says why nobody can append to the log, whoever has it: its header is
// damaged, or from a newer version. Its entries may then mean something else.
func (l *Log) Unwritable() error { return l.damage }

// Because replaces the reason that ReadOnly gives for a log that was opened for
// reading, when the caller knows a better one.
func (l *Log) Because(why error) {
	if l.file == nil && why != nil {
		l.readOnly = why
	}
}

// Append writes the entry and adds it to the tree. An event of the law, a
// decision, annotations, an answer and a move of the leaf are on the disk when it returns;
// other entries are within a second. After an error the entry is in neither,
// and the same entry can be appended again.
func (l *Log) Append(e tree.Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(); err != nil {
		return fmt.Errorf("append %s: %w", e.Kind, err)
	}
	line, e, err := l.encode(e)
	if err != nil {
		return fmt.Errorf("append %s: %w", e.Kind, err)
	}
	if err := l.keepTorn(); err != nil {
		return fmt.Errorf("append %s: %w", e.Kind, err)
	}
	durable := durabilityOf(e)
	if err := l.file.append(line, durable); err != nil {
		return fmt.Errorf("append %s: %w", e.Kind, err)
	}
	if durable == unsynced {
		l.syncLater()
	}
	return l.tree.Add(e)
}

func (l *Log) writable() error {
	switch {
	case l.closed:
		return fmt.Errorf("session %s is closed", l.header.Session)
	case l.readOnly != nil:
		return fmt.Errorf("%w: %w", ErrReadOnly, l.readOnly)
	}
	return nil
}

// encode makes the line of e, and returns e as a reader of the line will see
// it. What could not be read back, or not be added to the tree, is refused here,
// before it reaches the file.
func (l *Log) encode(e tree.Entry) ([]byte, tree.Entry, error) {
	if bytes.IndexByte(e.Body, '\n') >= 0 {
		var b bytes.Buffer
		if err := json.Compact(&b, e.Body); err != nil {
			return nil, e, err
		}
		e.Body = b.Bytes()
	}
	if len(e.Body) < 2 {
		return nil, e, fmt.Errorf("entry %s has no body", e.ID)
	}
	if _, taken := l.tree.Entry(e.ID); taken {
		return nil, e, fmt.Errorf("%w: %s", tree.ErrDuplicate, e.ID)
	}
	if _, ok := l.tree.Entry(e.Parent); e.Parent != "" && !ok {
		return nil, e, fmt.Errorf("%w: parent %s", tree.ErrNoEntry, e.Parent)
	}
	line, err := tree.AppendLine(nil, e)
	if err != nil {
		return nil, e, err
	}
	back, err := tree.ParseLine(line)
	if err != nil {
		return nil, e, err
	}
	if back.ID != e.ID || back.Parent != e.Parent || back.Kind != e.Kind || bytes.Count(line, []byte("\n")) != 1 {
		return nil, e, fmt.Errorf("%w: entry %s would not be read as it is written", tree.ErrBadLine, e.ID)
	}
	if back.Kind == tree.KindLeaf {
		to, err := tree.Decode[tree.Leaf](back)
		if err != nil {
			return nil, e, err
		}
		if _, ok := l.tree.Entry(to.To); to.To != "" && !ok {
			return nil, e, fmt.Errorf("%w: %s", tree.ErrNoEntry, to.To)
		}
	}
	return line, back, nil
}

func durabilityOf(e tree.Entry) durability {
	switch e.Kind {
	case tree.KindDecision, tree.KindAnnotations, tree.KindAnswer, tree.KindNoteMarks, tree.KindLeaf, tree.KindPermissionMode:
		return synced
	}
	_, event, _ := tree.Event(e)
	return durability(event)
}

// keepTorn copies the torn tail aside before the first write cuts it.
func (l *Log) keepTorn() error {
	if len(l.torn) == 0 {
		return nil
	}
	name := l.name + tornSuffix + l.store.opt.Now().UTC().Format("20060102T150405.000Z")
	if err := l.dir.createOrSame(name, l.torn); err != nil {
		return fmt.Errorf("keep the torn end of %s: %w", l.Path(), err)
	}
	l.problems = append(l.problems, fmt.Sprintf("the incomplete last line was cut and kept as %s", name))
	l.torn = nil
	return nil
}

// syncLater makes sure that a sync comes within a second.
func (l *Log) syncLater() {
	if l.cancel != nil {
		return
	}
	l.cancel = l.store.opt.After(syncDelay, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.cancel = nil
		if l.closed {
			return
		}
		if err := l.file.sync(); err != nil { // the next append tries again
			l.problems = append(l.problems, err.Error())
		}
	})
}

// unused says whether nothing ever happened in the session, whatever planmode
// itself said in it: then its file is only in the way of those that hold
// something.
func (l *Log) unused() bool {
	happened := func(e tree.Entry) bool { return e.Kind != tree.KindNotice && e.Kind != tree.KindPermissionMode }
	if !l.fresh || slices.ContainsFunc(l.tree.All(), happened) {
		return false
	}
	draft, err := l.store.Draft(l.header.Session)
	return err == nil && draft == ""
}

// Close makes every entry durable and lets go of the lock. The file of a new
// session in which nothing happened is removed. It can be called more than once.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	var err error
	if l.file != nil {
		err = l.file.close()
	}
	if l.unused() {
		err = errors.Join(err, l.dir.removeLog(l.name))
	}
	if l.lock != nil {
		l.lock.release()
	}
	l.dir.close()
	return err
}

// SaveStreaming keeps the text of a message that is still arriving, so that it
// survives a crash of the program. Empty text removes it.
func (l *Log) SaveStreaming(text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(); err != nil {
		return err
	}
	name := l.name + streamingSuffix
	if text == "" {
		return l.dir.remove(name)
	}
	return l.dir.overwrite(name, []byte(text), unsynced)
}

// Streaming is the text that SaveStreaming kept last; empty if there is none.
func (l *Log) Streaming() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, err := l.dir.readFile(l.name+streamingSuffix, draftLimit)
	if err != nil {
		return ""
	}
	return string(b)
}

// Holder says who has the session open for writing, if anybody has.
func (s *Store) Holder(session string) (Holder, bool) {
	d, id, err := s.find(session)
	if err != nil {
		return Holder{}, false
	}
	defer d.close()
	return d.peek(id + lockSuffix)
}
