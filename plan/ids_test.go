package plan

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestSlug(t *testing.T) {
	for name, c := range map[string][2]string{
		"words are joined by one dash":       {"OAuth  migration -- now!", "oauth-migration-now"},
		"accents do not split words":         {"Ünïcode déjà", "unicode-deja"},
		"compatibility forms are decomposed": {"ﬁx Ｔｈｅ №1", "fix-the-no1"},
		"a Chinese title gives plan":         {"迁移计划", "plan"},
		"an empty title gives plan":          {"", "plan"},
		"a mixed title keeps its Latin part": {"迁移 OAuth 到 v2", "oauth-v2"},
		"the cut leaves no dash at the end":  {strings.Repeat("a", 47) + " b", strings.Repeat("a", 47)},
		"48 characters at most":              {strings.Repeat("a", 60), strings.Repeat("a", 48)},
		"path characters are dashes":         {"../../etc/passwd\x00\x1b[31m", "etc-passwd-31m"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Slug(c[0]); got != c[1] {
				t.Errorf("Slug(%q) = %q, want %q", c[0], got, c[1])
			}
		})
	}
}

func TestParseID(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600))
	id := NewID(now, "Über plan", [4]byte{0, 1, 0xab, 0xff})
	if id != "20260102T020405-uber-plan-0001abff" {
		t.Errorf("NewID gave %q", id)
	}
	if got, err := ParseID(string(id)); err != nil || got != id || !got.Created().Equal(now.Truncate(time.Second)) {
		t.Errorf("got %q, %v, created %v", got, err, got.Created())
	}
	for name, bad := range map[string]string{
		"empty":                          "",
		"a path":                         "../20260102T020405-x-00000000",
		"upper case":                     "20260102T020405-X-00000000",
		"a date that does not exist":     "20260230T020405-x-00000000",
		"an hour that does not exist":    "20260102T250405-x-00000000",
		"a slug that is too long":        "20260102T020405-" + strings.Repeat("a", 49) + "-00000000",
		"a slug that begins with a dash": "20260102T020405--x-00000000",
		"a newline at the end":           "20260102T020405-x-00000000\n",
		"a short suffix":                 "20260102T020405-x-0000000",
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			if _, err := ParseID(bad); !errors.Is(err, ErrBadID) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestHashes(t *testing.T) {
	const empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := HashOf(nil); got != empty || got.Short() != "e3b0c442" {
		t.Errorf("got %s, short %s", got, got.Short())
	}
	if _, err := ParseHash(empty); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", empty[7:], strings.ToUpper(empty), empty + "0", empty + "\n"} {
		if _, err := ParseHash(bad); !errors.Is(err, ErrBadHash) {
			t.Errorf("ParseHash(%q) = %v", bad, err)
		}
	}
}

func TestTimesHaveMilliseconds(t *testing.T) {
	at := Stamp(time.Date(2026, 1, 2, 3, 4, 5, 6_999_999, time.FixedZone("x", -3600)))
	b, err := at.MarshalText()
	if err != nil || string(b) != "2026-01-02T04:04:05.006Z" {
		t.Fatalf("got %s, %v", b, err)
	}
	var back Time
	if err := back.UnmarshalText(b); err != nil || !back.Equal(at.Time) {
		t.Errorf("got %v, %v", back, err)
	}
}

func FuzzNewID(f *testing.F) {
	f.Add("OAuth migration", int64(1))
	f.Add("İſK\u0345", int64(1<<33))
	f.Fuzz(func(t *testing.T, title string, sec int64) {
		now := time.Unix(sec%(1<<37), 0)
		if y := now.UTC().Year(); y < 0 || y > 9999 {
			return
		}
		if _, err := ParseID(string(NewID(now, title, [4]byte{1}))); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTimesInJSONKeepZeroMilliseconds(t *testing.T) {
	b, err := encodeJSON(struct{ At Time }{Stamp(time.Unix(0, 0))})
	if err != nil || string(b) != `{"At":"1970-01-01T00:00:00.000Z"}` {
		t.Errorf("got %s, %v", b, err)
	}
}
