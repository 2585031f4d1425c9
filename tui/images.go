package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planmode/plan/image"
	"planmode/plan/session"
)

// attacher is what the screen uses of a session that keeps images. Only
// TakesImages returns at once.
type attacher interface {
	Attach(path string) (image.Ref, error)
	AttachClipboard(ctx context.Context) (image.Ref, error)
	TakesImages() (model string, takes bool)
}

var _ attacher = (*session.Session)(nil)

// attachedMsg brings an image that the text named, or that was in the clipboard:
// then nothing is named.
type attachedMsg struct {
	named string
	ref   image.Ref
	err   error
}

// attach looks for images that the text names.
func (m *model) attach(named []image.Named) tea.Cmd {
	c, ok := m.opts.Conductor.(attacher)
	if !ok || len(named) == 0 {
		return nil
	}
	var cmds []tea.Cmd
	for _, n := range named {
		cmds = append(cmds, func() tea.Msg {
			ref, err := c.Attach(n.Path)
			return attachedMsg{n.Raw, ref, err}
		})
	}
	return tea.Batch(cmds...)
}

// pasteImage asks the desktop for the image in its clipboard.
func (m *model) pasteImage() tea.Cmd {
	c, ok := m.opts.Conductor.(attacher)
	if !ok {
		return m.tell(warned, "Images cannot be shown here")
	}
	ctx := m.ctx
	return tea.Batch(m.tell(said, "Reading the clipboard"), func() tea.Msg {
		ref, err := c.AttachClipboard(ctx)
		return attachedMsg{"", ref, err}
	})
}

// attached puts the image into the text. A path where nothing is stays a word.
func (m *model) attached(msg attachedMsg) tea.Cmd {
	switch {
	case msg.err != nil && msg.named != "" && errors.Is(msg.err, fs.ErrNotExist):
		m.composer.Unattached(msg.named)
		return nil
	case msg.err != nil:
		m.composer.Unattached(msg.named)
		return m.tell(warned, "No image was attached: "+msg.err.Error())
	case m.composer.Images() >= image.MaxCount:
		m.composer.Unattached(msg.named)
		return m.tell(warned, fmt.Sprintf("A message shows at most %d images; send this one first", image.MaxCount))
	}
	m.flash.text = ""
	var cmd tea.Cmd
	if msg.named == "" {
		cmd = m.wrote(m.composer.InsertImage(msg.ref))
	} else {
		cmd = m.wrote(m.composer.Attached(msg.named, msg.ref))
	}
	if model, takes := m.opts.Conductor.(attacher).TakesImages(); !takes {
		return tea.Batch(cmd, m.tell(warned, model+" takes no images: it would only be told of this one. /model chooses another"))
	}
	return cmd
}

// showNamed puts marks into a message in the place of the images that it names. It
// reads the disk.
func showNamed(c Conductor, l letter) (string, error) {
	a, ok := c.(attacher)
	if !ok {
		return l.text, nil
	}
	text := l.text
	for _, n := range l.named {
		ref, err := a.Attach(n.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", fmt.Errorf("%w. Take %s out of the text, or write it without the @ to send only its name", err, n.Raw)
		}
		text = strings.Replace(text, n.Raw, ref.Mark(), 1)
	}
	return text, nil
}
