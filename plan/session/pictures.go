package session

import (
	"bytes"
	"fmt"
	"slices"

	"planmode/plan"
	"planmode/plan/agent"
	"planmode/plan/image"
	"planmode/plan/tree"
)

// What one request shows of the images of a conversation, the latest first:
// providers refuse requests that are much larger.
const (
	mostPictures     = 20
	mostPictureBytes = 16 << 20
)

// seeing turns a message of the person into what an agent is given of it.
type seeing func(e Item, u tree.User) (text string, images []agent.Image)

// blind gives the words alone, in which every image has its label.
func blind(_ Item, u tree.User) (string, []agent.Image) { return u.Text, nil }

// conversation is the branch as it is given to what a turn runs on.
func (s *Session) conversation(o agent.Offer) []agent.Message {
	branch := s.Items(0)
	p := pictures{read: s.opt.Log.Image, takes: o.Images}
	p.choose(branch)
	return messages(branch, p.see)
}

// pictures shows images to a model, or says in words why it cannot.
type pictures struct {
	read   func(hash string) ([]byte, error)
	takes  bool
	recent map[picture]bool
}

// picture is one place of one image.
type picture struct {
	entry plan.EntryID
	hash  string
}

// choose finds the latest images, as many as one request may hold.
func (p *pictures) choose(branch []Item) {
	p.recent = map[picture]bool{}
	size := 0
	for _, e := range slices.Backward(branch) {
		if e.Kind != tree.KindUser || !bytes.Contains(e.Body, []byte(`"images":`)) {
			continue
		}
		u, err := tree.Decode[tree.User](e)
		if err != nil {
			continue
		}
		for _, ref := range slices.Backward(u.Images) {
			if size += min(max(ref.Size, 0), image.MaxBytes); size > mostPictureBytes || len(p.recent) == mostPictures {
				return
			}
			p.recent[picture{e.ID, ref.Hash}] = true
		}
	}
}

func (p *pictures) see(e Item, u tree.User) (string, []agent.Image) {
	text := u.Text
	var images []agent.Image
	for _, ref := range u.Images {
		img, why := p.show(e, ref)
		if why != "" {
			text += fmt.Sprintf("\n[The image %s was attached here, but %s.]", ref.Name, why)
			continue
		}
		images = append(images, img)
	}
	return text, images
}

// show reads an image, or says why it is not shown.
func (p *pictures) show(e Item, ref image.Ref) (agent.Image, string) {
	switch {
	case !p.takes:
		return agent.Image{}, "this model takes no images, so it was left out"
	case !p.recent[picture{e.ID, ref.Hash}]:
		return agent.Image{}, "the conversation has too many images to show it again, so it was left out"
	}
	data, err := p.read(ref.Hash)
	media := image.Media(data)
	if err != nil || media == "" {
		return agent.Image{}, lost(err) + ", so it was left out"
	}
	return agent.Image{Name: ref.Name, MediaType: media, Data: data}, ""
}
