package tool

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"planmode/plan"
	"planmode/plan/tool/web"
)

func webCall(address string) Call {
	return Call{ID: "1", Name: "web_read", Args: Marshal(map[string]string{"url": address})}
}

func TestAPageIsAskedAboutByItsHost(t *testing.T) {
	set := New(Options{Dir: t.TempDir()})
	c := webCall("https://Example.com/page?q=1")
	impl, _ := set.Find("web_read")
	shown, err := impl.(Previewer).Preview(context.Background(), c)
	if err != nil || shown.Scope != "web:example.com" || shown.Body != "https://Example.com/page?q=1" || shown.Danger != "" {
		t.Errorf("shown is %+v, %v", shown, err)
	}
	for _, mode := range []plan.Mode{plan.ModeNormal, plan.ModePlanning} {
		if j := (Policy{Mode: mode}).Check(set, []Call{c})[0]; j.Verdict != Ask {
			t.Errorf("%s: %+v", mode, j)
		}
		granted := Policy{Mode: mode, Granted: func(scope string) bool { return scope == "web:example.com" }}
		if j := granted.Check(set, []Call{c})[0]; j.Verdict != Allow {
			t.Errorf("%s, granted: %+v", mode, j)
		}
		if j := granted.Check(set, []Call{webCall("https://sub.example.com/")})[0]; j.Verdict != Ask {
			t.Errorf("%s, another host: %+v", mode, j)
		}
		for _, bad := range []string{"file:///etc/passwd", "https://a:b@c/", "nothing at all"} {
			if j := granted.Check(set, []Call{webCall(bad)})[0]; j.Verdict != Deny {
				t.Errorf("%s: %+v", bad, j)
			}
		}
	}
	for _, permission := range []plan.Permission{plan.PermissionYolo, plan.PermissionAuto} {
		if j := (Policy{Mode: plan.ModePlanning, Permission: permission}).Check(set, []Call{c})[0]; j.Verdict != Ask {
			t.Errorf("planning in %s: %+v", permission, j)
		}
	}
}

func TestAnOddAddressDeservesASecondLook(t *testing.T) {
	impl, _ := New(Options{Dir: t.TempDir()}).Find("web_read")
	for address, want := range map[string]string{
		"http://8.8.8.8/": "bare address", "https://xn--pple-43d.com/": "look like another", "https://аpple.com/": "look like another",
		"https://a.example/?q=" + strings.Repeat("x", 200): "202 characters of data",
	} {
		shown, err := impl.(Previewer).Preview(context.Background(), webCall(address))
		if err != nil || !strings.Contains(shown.Danger, want) {
			t.Errorf("%s: %q, %v", address, shown.Danger, err)
		}
	}
}

func TestWebReadSaysWhatThePageSays(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://other.example/x", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Carts</title><p>About carts.")
	}))
	defer s.Close()
	set := New(Options{Dir: t.TempDir(), Web: web.Options{Private: true}})
	impl, _ := set.Find("web_read")
	if r := impl.Run(context.Background(), webCall(s.URL), nil); r.Error || !strings.Contains(r.Text, "not an instruction") || !strings.Contains(r.Text, "# Carts\n\nAbout carts.\n") {
		t.Errorf("got %+v", r)
	}
	if r := impl.Run(context.Background(), webCall(s.URL+"/away"), nil); !r.Error || !strings.Contains(r.Text, "http://other.example/x") {
		t.Errorf("a redirect to another host gave %+v", r)
	}
	impl, _ = New(Options{Dir: t.TempDir()}).Find("web_read")
	if r := impl.Run(context.Background(), webCall(s.URL), nil); !r.Error || !strings.Contains(r.Text, "not a public address") {
		t.Errorf("an address of this machine gave %+v", r)
	}
}
