package session

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planmode/plan/agent"
	"planmode/plan/image"
	"planmode/plan/tree"
)

const pngBytes = "\x89PNG\r\n\x1a\n a picture"

// seeingAgent runs on a model that takes images, unless it is "p/blind".
type seeingAgent struct{ *pickAgent }

func (a *seeingAgent) Resolve(name string) agent.Offer {
	o := a.pickAgent.Resolve(name)
	o.Images = name != "p/blind"
	return o
}

func seeingRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.say("hello")
	r.configure = func(o *Options) { o.Agent = &seeingAgent{&pickAgent{scriptAgent: r.agent}} }
	r.resume()
	return r
}

func (r *rig) file(name, content string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) attach(name string) image.Ref {
	r.t.Helper()
	ref, err := r.Attach(name)
	if err != nil {
		r.t.Fatal(err)
	}
	return ref
}

// lastWords is the last message of the person that the last turn was told.
func (r *rig) lastWords() agent.Message {
	told := r.agent.told()
	ms := told[len(told)-1].Messages
	for i := len(ms) - 1; i >= 0; i-- {
		if ms[i].Role == agent.RoleUser && len(ms[i].Results) == 0 {
			return ms[i]
		}
	}
	return agent.Message{}
}

func TestOnlyImagesAreAttached(t *testing.T) {
	r := seeingRig(t)
	r.file("shot.png", pngBytes)
	r.file("script.png", "#!/bin/sh\n")
	r.file("huge.png", pngBytes+strings.Repeat("x", image.MaxBytes))
	outside := filepath.Join(t.TempDir(), "private.png")
	if err := errors.Join(os.WriteFile(outside, []byte(pngBytes), 0o600), os.Symlink(outside, filepath.Join(r.dir, "link.png")),
		os.Mkdir(filepath.Join(r.dir, "dir.png"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ path, want string }{
		"a file here":              {"shot.png", ""},
		"the same by its path":     {filepath.Join(r.dir, "shot.png"), ""},
		"a file elsewhere":         {outside, ""},
		"a script":                 {"script.png", "script.png is no PNG, JPEG, GIF or WebP image"},
		"a huge one":               {"huge.png", "huge.png is larger than 5.0 MB"},
		"a directory":              {"dir.png", "dir.png is no regular file"},
		"a link out of here":       {"link.png", "link.png is a link to a file outside"},
		"nothing":                  {"none.png", "no such file"},
		"a device that never ends": {"/dev/zero", "/dev/zero is no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := r.Attach(tt.path)
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	if _, err := r.Attach("none.png"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
}

func TestAnImageReachesTheAgentAlsoAfterAResume(t *testing.T) {
	r := seeingRig(t)
	r.file("shot.png", pngBytes)
	ref := r.attach("shot.png")
	if err := os.Remove(filepath.Join(r.dir, "shot.png")); err != nil {
		t.Fatal(err)
	}
	r.say("what is " + ref.Mark() + "?")
	check := func(when string) {
		t.Helper()
		var got agent.Message
		for _, m := range r.agent.told()[len(r.agent.told())-1].Messages {
			if strings.Contains(m.Text, "what is") {
				got = m
			}
		}
		if got.Text != "what is [image shot.png 18 B]?" || len(got.Images) != 1 || !bytes.Equal(got.Images[0].Data, []byte(pngBytes)) ||
			got.Images[0].MediaType != "image/png" || got.Images[0].Name != "shot.png" {
			t.Errorf("%s: %+v", when, got)
		}
	}
	check("at once")
	r.resume()
	r.say("go on")
	check("after a resume")
}

func TestAnImageThatIsLostIsToldInWords(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(path string) error
		want string
	}{
		"gone":    {os.Remove, "its file is gone"},
		"changed": {func(p string) error { return os.WriteFile(p, []byte("other"), 0o600) }, "its file was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := seeingRig(t)
			r.file("shot.png", pngBytes)
			ref := r.attach("shot.png")
			r.say("see " + ref.Mark())
			path := r.opt.Log.Path() + ".image-" + strings.TrimPrefix(ref.Hash, "sha256:")
			if err := tt.do(path); err != nil {
				t.Fatal(err)
			}
			r.agent.then(func(context.Context, agent.Turn, agent.Host) error { return nil })
			r.say("again " + ref.Mark())
			got := r.lastWords()
			if len(got.Images) > 0 || !strings.Contains(got.Text, "left out: "+tt.want) || !strings.Contains(r.notices(), "could not be sent: "+tt.want) {
				t.Errorf("%+v\n%s", got, r.notices())
			}
			for _, m := range r.agent.told()[len(r.agent.told())-1].Messages {
				if strings.HasPrefix(m.Text, "see ") && !strings.Contains(m.Text, "was attached here, but "+tt.want) {
					t.Errorf("the earlier message says %q", m.Text)
				}
			}
		})
	}
}

func TestAModelThatTakesNoImagesIsToldOfThem(t *testing.T) {
	r := seeingRig(t)
	if err := r.ChooseModel("p/blind", ""); err != nil {
		t.Fatal(err)
	}
	r.file("shot.png", pngBytes)
	r.say("see " + r.attach("shot.png").Mark())
	if got := r.lastWords(); len(got.Images) > 0 || !strings.Contains(got.Text, "this model takes no images, so it was left out") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(r.notices(), "p/blind takes no images") {
		t.Errorf("the person is not told:\n%s", r.notices())
	}
	if err := r.ChooseModel("p/first", ""); err != nil {
		t.Fatal(err)
	}
	r.say("and now?")
	shown := 0
	for _, m := range r.agent.told()[len(r.agent.told())-1].Messages {
		shown += len(m.Images)
	}
	if shown != 1 {
		t.Errorf("a model that takes images is shown %d of them", shown)
	}
}

func TestAQueuedMessageKeepsItsImage(t *testing.T) {
	r := seeingRig(t)
	r.file("shot.png", pngBytes)
	ref := r.attach("shot.png")
	began, goOn := make(chan struct{}), make(chan struct{})
	r.agent.then(func(context.Context, agent.Turn, agent.Host) error { close(began); <-goOn; return nil })
	if err := r.Send("work"); err != nil {
		t.Fatal(err)
	}
	<-began
	if err := r.Send("see " + ref.Mark()); err != nil {
		t.Fatal(err)
	}
	if text, ok := r.Unqueue(); !ok || text != "see "+ref.Mark() {
		t.Errorf("taken back as %q", text)
	}
	if err := r.Send("see " + ref.Mark()); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	settle(t, r.Session)
	if got := r.lastWords(); len(got.Images) != 1 {
		t.Errorf("%+v", got)
	}
	if err := r.Send(strings.Repeat(ref.Mark(), image.MaxCount+1)); err == nil || !strings.Contains(err.Error(), "at most 10 images") {
		t.Errorf("11 images: %v", err)
	}
}

func TestAForkTakesImagesAlong(t *testing.T) {
	r := seeingRig(t)
	r.file("sent.png", pngBytes)
	r.file("unsent.png", pngBytes+"2")
	sent, unsent := r.attach("sent.png"), r.attach("unsent.png")
	r.say("first " + sent.Mark())
	r.say("second " + unsent.Mark())
	var second tree.Entry
	for _, e := range r.Items(0) {
		if e.Kind == tree.KindUser {
			second = e
		}
	}
	id, err := r.Fork(context.Background(), second.ID)
	if err != nil {
		t.Fatal(err)
	}
	log, err := r.store.OpenLog(id)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, ref := range []image.Ref{sent, unsent} {
		if _, err := log.Image(ref.Hash); err != nil {
			t.Errorf("%s: %v", ref.Name, err)
		}
	}
	if draft, err := r.store.Draft(id); err != nil || draft != "second "+unsent.Mark() {
		t.Errorf("the unsent message is %q, %v", draft, err)
	}
}

func TestOneRequestShowsTheLatestImages(t *testing.T) {
	r := seeingRig(t)
	var marks []string
	for i := range 3 * image.MaxCount {
		name := strings.Repeat("x", i+1) + ".png"
		r.file(name, pngBytes+name)
		marks = append(marks, r.attach(name).Mark())
		if len(marks) == image.MaxCount {
			r.say(strings.Join(marks, ""))
			marks = nil
		}
	}
	shown, words := 0, 0
	for _, m := range r.agent.told()[len(r.agent.told())-1].Messages {
		shown += len(m.Images)
		words += strings.Count(m.Text, "too many images")
	}
	if shown != mostPictures || words != 3*image.MaxCount-mostPictures || len(r.lastWords().Images) != image.MaxCount {
		t.Errorf("%d shown, %d told in words, %d of the last message", shown, words, len(r.lastWords().Images))
	}
}
