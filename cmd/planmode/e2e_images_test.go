//go:build unix

package main_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"planmode/plan/agent/model/modeltest"
)

func TestAnImageReachesTheModelAlsoAfterAResume(t *testing.T) {
	t.Parallel()
	const picture = "\x89PNG\r\n\x1a\nthe bytes of a picture"
	onWire := base64.StdEncoding.EncodeToString([]byte(picture))
	s := modeltest.NewFunc(func(n int, _ modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Text: fmt.Sprintf("answer %d", n)}
	})
	defer s.Close()
	w := newWorld(t)
	w.config(fmt.Sprintf(`{"providers":{"here":{"kind":"anthropic","baseURL":%q,"keyEnv":"HERE_KEY","models":[{"name":"m","window":100000,"images":true}]}}}`, s.URL))
	w.env = append(w.env, "HERE_KEY="+modelKey)
	w.write("shot.png", picture)
	r := w.open()
	r.WaitFor("here/m")
	r.Type("look at @shot.png ")
	r.WaitFor("[image shot.png 30 B]")
	r.Type("please")
	r.Press("enter")
	r.WaitFor("answer 0")
	r.quit()
	r = w.open("--continue")
	r.WaitFor("[image shot.png 30 B] please")
	r.Type("and now?")
	r.Press("enter")
	r.WaitFor("answer 1")
	r.quit()
	asked := s.Requests()
	if len(asked) != 2 {
		t.Fatalf("%d requests", len(asked))
	}
	for i, q := range asked {
		if !strings.Contains(q.Raw, onWire) || !strings.Contains(q.Raw, "image/png") || strings.Contains(q.Raw, "sha256:") {
			t.Errorf("request %d does not show the image, or shows a mark", i)
		}
	}
}
