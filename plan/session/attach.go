package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"planmode/plan/image"
	"planmode/plan/process"
	"planmode/plan/tree"
	"planmode/store"
)

// Attach keeps the image at path with the session, for a message that shows it:
// the mark of what it returns stands for it in the text. The path is that of the
// person, from the working directory or their home. It reads and writes the disk.
// The error wraps fs.ErrNotExist when nothing is there.
func (s *Session) Attach(path string) (image.Ref, error) {
	if err := s.readOnly(); err != nil {
		return image.Ref{}, fmt.Errorf("the session can only be read: %w", err)
	}
	data, err := s.readImage(path)
	if err != nil {
		return image.Ref{}, err
	}
	return s.keepImage(filepath.Base(path), data)
}

// keepImage checks what was attached, and keeps it.
func (s *Session) keepImage(name string, data []byte) (image.Ref, error) {
	ref, ok := image.NewRef(name, data)
	switch {
	case len(data) > image.MaxBytes:
		return ref, fmt.Errorf("%s is larger than %s, the most that an image may have", name, image.Size(image.MaxBytes))
	case !ok:
		return ref, fmt.Errorf("%s is no PNG, JPEG, GIF or WebP image, whatever its name says", name)
	}
	if _, err := s.opt.Log.KeepImage(data); err != nil {
		return ref, err
	}
	return ref, nil
}

// readImage reads a regular file, and a little more than is allowed when it is too
// large.
func (s *Session) readImage(path string) ([]byte, error) {
	full := path
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		full = filepath.Join(process.Lookup(s.opt.Env, "HOME"), rest)
	} else if !filepath.IsAbs(path) {
		full = filepath.Join(s.opt.Dir, path)
	}
	st, err := os.Stat(full)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular(): // before it is opened: that could wait for ever
		return nil, fmt.Errorf("%s is no regular file", path)
	case s.leadsOut(full):
		return nil, fmt.Errorf("%s is a link to a file outside this directory; name that file itself", path)
	}
	f, err := os.Open(full)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(st, now) {
		return nil, fmt.Errorf("%s was replaced while it was read", path)
	}
	return io.ReadAll(io.LimitReader(f, image.MaxBytes+1))
}

// leadsOut says whether a path within the working directory is a link to outside:
// whoever made the repository chose what is there, not the person.
func (s *Session) leadsOut(full string) bool {
	if !within(s.opt.Dir, full) {
		return false
	}
	dir, err := filepath.EvalSymlinks(s.opt.Dir)
	if err != nil {
		return true
	}
	real, err := filepath.EvalSymlinks(full)
	return err != nil || !within(dir, real)
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// TakesImages says what the next turn runs on, and whether that takes images.
func (s *Session) TakesImages() (model string, takes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.runsOn(s.state.Mode)
	if model = o.Model; model == "" {
		model = "the " + o.Agent + " agent"
	}
	return model, o.Images
}

// message is what is recorded of a text: labels in the place of its marks, and the
// images that they name. One that is no longer kept is said in the text itself.
func (s *Session) message(text string) tree.User {
	u := tree.User{Text: text}
	taken := map[string]bool{}
	for _, m := range image.Marks(text) {
		data, err := s.opt.Log.Image(m.Hash)
		ref, ok := image.NewRef(m.Name, data)
		if err != nil || !ok {
			u.Text = strings.Replace(u.Text, m.Mark, "[image "+m.Name+" left out: "+lost(err)+"]", 1)
			s.say(tree.Warning, "The image %s could not be sent: %s. The rest of the message goes to the agent; attach the image again if it matters.", m.Name, lost(err))
			continue
		}
		u.Text = strings.Replace(u.Text, m.Mark, ref.Label(), 1)
		if !taken[ref.Hash] {
			taken[ref.Hash] = true
			u.Images = append(u.Images, ref)
		}
	}
	if model, takes := s.TakesImages(); len(u.Images) > 0 && !takes {
		s.say(tree.Warning, "%s takes no images, so the agent is only told that there were some. They are kept with the message; /model chooses a model that takes them.", model)
	}
	return u
}

// lost says why an image cannot be read.
func lost(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "its file is gone"
	case errors.Is(err, store.ErrImageChanged), err == nil:
		return "its file was changed"
	}
	return "its file cannot be read"
}
