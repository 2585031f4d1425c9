package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The golden manifest and the values below come from testdata/manifest-v3.py,
// which shares nothing with this package: it hashes with hashlib and takes its
// canonical JSON from json.dumps with sorted keys, no blanks and ensure_ascii
// off, which for strings and integers is RFC 8785:
//
//	cd plan && python3 testdata/manifest-v3.py
const (
	goldenChain1  Hash = "sha256:a50f16d34c88172cd880e56febb95a8cb6cfba4b1fde1d55594c68ab92b8b61e"
	goldenChain2  Hash = "sha256:733fc863b4e4041b6aa6f752bed1acd22bb97dfbb47abc3c6ba89b60e977a547"
	goldenDigest1 Hash = "sha256:ca8db995c0effdf539aaf276fa3a24be20f370eb16caf889c83a77da3907481f"
	goldenDigest2 Hash = "sha256:69600c94596890a2401b4a9b04226ff29688f9555d1c2f1c01e4163e6fbe578d"
	goldenSum     Hash = "sha256:76eab9f76d84bee0ad85c9c10b0b9c26fc1ac2bbe1d03984cfbf464f455579d5"
)

func golden(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/manifest-v3.json")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func goldenManifest(t testing.TB) Manifest {
	t.Helper()
	m, err := ParseManifest(golden(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestHashesAgreeWithAnIndependentImplementation(t *testing.T) {
	zero := 0
	at := func(s string) Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return Stamp(v)
	}
	r1 := Revision{Revision: 1, Path: "revisions/r1.md", Hash: HashOf([]byte("# One\n")), CreatedAt: at("2026-01-02T03:04:05.006Z"),
		Author: ByAgent, Title: "迁移到 OAuth 🚀"}
	r2 := Revision{Revision: 2, Path: "revisions/r2.md", Hash: HashOf([]byte("# Two\n")), CreatedAt: at("2026-01-02T03:05:05Z"),
		BasedOn: 1, Author: ByUser, Language: "zh-CN", Title: "a \"b\" \\ </script> & \u2028", Steps: []string{"做 <it>"},
		Options: []Option{{Label: "A"}, {Label: "é", Description: "x\ty"}}}
	d1 := Decision{Revision: 1, Kind: DecidedChanges, By: ByUser, At: at("2026-01-02T03:04:30Z"), Hash: r1.Hash,
		Notes: "bell \a esc \x1b nul \x00 del \x7f\r\n tab\t bs\b ff\f 🙂 é"}
	d2 := Decision{Revision: 2, Kind: DecidedApproved, By: ByUser, At: at("2026-01-02T03:06:00.12Z"), Hash: r2.Hash,
		Session: "s", Entry: "0123456789ab", Review: "rv", Round: 1, Option: &zero, Reviewer: "revdiff v1.12.0", Head: "abc"}
	check := func(name string, got, want Hash) {
		if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	r1.Chain = Chain("", r1)
	r2.Chain = Chain(r1.Chain, r2)
	d1.Digest = Digest(r1.Chain, d1)
	d2.Digest = Digest(r2.Chain, d2)
	check("chain of r1", r1.Chain, goldenChain1)
	check("chain of r2", r2.Chain, goldenChain2)
	check("digest of the first decision", d1.Digest, goldenDigest1)
	check("digest of the second decision", d2.Digest, goldenDigest2)
	check("sum", Sum(Manifest{Version: 3, PlanID: "20260102T030405-oauth-0a1b2c3d", Title: r2.Title, Status: StatusApproved,
		Storage: Persistent, Sessions: []string{"s"}, Cwd: "/tmp/项目", CreatedAt: r1.CreatedAt, UpdatedAt: d2.At,
		CurrentRevision: 2, ApprovedRevision: 2, ApprovedHash: r2.Hash, Revisions: []Revision{r1, r2}, Decisions: []Decision{d1, d2}}), goldenSum)
}

func TestManifestRoundTrip(t *testing.T) {
	m := goldenManifest(t)
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseManifestFor(m.PlanID, b)
	if err != nil || !reflect.DeepEqual(again, m) {
		t.Errorf("parse of encode differs: %v", err)
	}
	if twice, _ := again.Encode(); !bytes.Equal(twice, b) {
		t.Error("encode is not stable")
	}
	if !bytes.HasPrefix(b, []byte("{\n  \"version\": 3,\n")) || !bytes.HasSuffix(b, []byte("\n}\n")) {
		t.Errorf("not two-space JSON with a final newline: %.40q", b)
	}
}

func TestUnknownFieldsSurvive(t *testing.T) {
	m := goldenManifest(t)
	later := Extra{"zeta": json.RawMessage(`{"b":1.50,"a":[1e30,-0.0000001,true,null]}`), "<alpha>": json.RawMessage(`"x"`)}
	m.Extra, m.Revisions[0].Extra, m.Decisions[1].Extra = later, later, later
	m.Decisions[1].Digest = Digest(m.Revisions[1].Chain, m.Decisions[1])
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseManifest(b)
	if err != nil {
		t.Fatal(err)
	}
	again.Title = "changed"
	if b, err = again.Encode(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"zeta"`, `1.50`, `1e30`, `"<alpha>"`} {
		if got := bytes.Count(b, []byte(want)); got != 3 {
			t.Errorf("%s occurs %d times after a read and a write, want 3", want, got)
		}
	}
}

// edit changes the golden manifest as JSON text and fixes the checksums, so that
// only the rule under test can object.
func edit(t *testing.T, change func(m *Manifest)) []byte {
	t.Helper()
	m := goldenManifest(t)
	change(&m)
	var prev Hash
	for i := range m.Revisions {
		m.Revisions[i].Chain = Chain(prev, m.Revisions[i])
		prev = m.Revisions[i].Chain
	}
	for i := range m.Decisions {
		if r := m.Find(m.Decisions[i].Revision); r != nil {
			m.Decisions[i].Digest = Digest(r.Chain, m.Decisions[i])
		}
	}
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestManifestRules(t *testing.T) {
	three := 3
	cases := map[string]func(m *Manifest){
		"basedOn must be below the revision":         func(m *Manifest) { m.Revisions[1].BasedOn = 2 },
		"basedOn must not be negative":               func(m *Manifest) { m.Revisions[1].BasedOn = -1 },
		"the path is exactly that of the revision":   func(m *Manifest) { m.Revisions[0].Path = "revisions/../r1.md" },
		"revision i is at index i-1":                 func(m *Manifest) { m.Revisions[0].Revision = 2 },
		"currentRevision counts the revisions":       func(m *Manifest) { m.CurrentRevision = 3 },
		"approvedRevision needs its hash":            func(m *Manifest) { m.ApprovedHash = "" },
		"approvedHash needs its revision":            func(m *Manifest) { m.ApprovedRevision = 0 },
		"an approval needs a decision":               func(m *Manifest) { m.Decisions, m.Status = m.Decisions[:1], StatusDraft },
		"the approved hash is that of the decision":  func(m *Manifest) { m.ApprovedHash = HashOf(nil) },
		"a decision names the hash of its revision":  func(m *Manifest) { m.Decisions[0].Hash = HashOf(nil) },
		"a decision is about a revision that exists": func(m *Manifest) { m.Decisions[0].Revision = 9 },
		"a decision has a known kind":                func(m *Manifest) { m.Decisions[0].Kind = "liked" },
		"a decision names an option that exists":     func(m *Manifest) { m.Decisions[1].Option = &three },
		"an agent cannot approve":                    func(m *Manifest) { m.Decisions[1].By = ByAgent },
		"the status follows from the decisions":      func(m *Manifest) { m.Status = StatusDraft },
		"the plan id is one":                         func(m *Manifest) { m.PlanID = "../../etc/passwd" },
		"the plan id carries a date":                 func(m *Manifest) { m.PlanID = "99999999T999999-x-00000000" },
		"there is a session":                         func(m *Manifest) { m.Sessions = nil },
		"storage is persistent or temporary":         func(m *Manifest) { m.Storage = "cloud" },
		"a title has 160 characters at most":         func(m *Manifest) { m.Title = strings.Repeat("题", 161) },
		"a revision offers three options at most":    func(m *Manifest) { m.Revisions[1].Options = make([]Option, 4) },
		"a revision hash is a hash":                  func(m *Manifest) { m.Revisions[0].Hash, m.Decisions[0].Hash = "sha256:AB", "sha256:AB" },
		"a revision was written by someone":          func(m *Manifest) { m.Revisions[0].Author = "" },
		"there is a revision":                        func(m *Manifest) { m.Revisions, m.CurrentRevision = nil, 0 },
		"a decision was taken at some time":          func(m *Manifest) { m.Decisions[0].At = Time{} },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseManifest(edit(t, change)); !errors.Is(err, ErrManifest) || errors.Is(err, ErrSum) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("160 characters of title are allowed", func(t *testing.T) {
		if _, err := ParseManifest(edit(t, func(m *Manifest) { m.Title = strings.Repeat("题", 160) })); err != nil {
			t.Error(err)
		}
	})
}

func TestManifestText(t *testing.T) {
	text := string(golden(t))
	replace := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("the golden manifest lacks %q", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	cases := []struct {
		name, text string
		want       error
	}{
		{"no JSON is damaged", "nope", ErrManifest},
		{"an empty file is damaged", "", ErrManifest},
		{"a cut file is damaged", text[:len(text)/2], ErrManifest},
		{"no version is damaged", `{"planId":"x"}`, ErrManifest},
		{"version 1 was never written", replace(`"version": 3`, `"version": 1`), ErrManifest},
		{"version 4 is newer, not damaged", replace(`"version": 3`, `"version": 4`), ErrNewerVersion},
		{"a changed title breaks the sum", replace("OAuth 🚀", "OAuth 🔥"), ErrSum},
		{"a changed note breaks the sum", replace("bell", "ball"), ErrSum},
		{"another cwd breaks the sum", replace("/tmp/", "/opt/"), ErrSum},
		{"an unknown field that appeared breaks the sum", replace(`"cwd"`, `"later": 1, "cwd"`), ErrSum},
		{"a name in another case is refused", replace(`"cwd"`, `"CWD"`), ErrManifest},
		{"a name given twice is refused", replace(`"cwd"`, `"CWD": "/x", "cwd"`), ErrManifest},
		{"a time in another form is refused", replace("05.006Z", "05.0060Z"), ErrManifest},
		{"an unknown field of an option is refused", replace(`"label": "A"`, `"label": "A", "cost": 1`), ErrManifest},
		{"text after the object is refused", text + "{}", ErrManifest},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ParseManifest([]byte(c.text)); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	t.Run("the directory must be named after the plan", func(t *testing.T) {
		if _, err := ParseManifestFor("20260102T030405-oauth-ffffffff", golden(t)); !errors.Is(err, ErrManifest) {
			t.Errorf("got %v", err)
		}
	})
}

func TestVerifyNamesWhatDiffers(t *testing.T) {
	for want, change := range map[string]func(m *Manifest){
		"chain of r1":                        func(m *Manifest) { m.Revisions[0].Title = "other" },
		"chain of r2":                        func(m *Manifest) { m.Revisions[1].Language = "en" },
		"digest of decision 2 (approved r2)": func(m *Manifest) { m.Decisions[1].Notes = "added later" },
		"digest of decision 1":               func(m *Manifest) { m.Decisions[0].By = ByAuto },
	} {
		m := goldenManifest(t)
		change(&m)
		if err := m.Verify(); !errors.Is(err, ErrSum) || !strings.Contains(err.Error(), "sum is") {
			t.Errorf("the sum does not notice: %v", err)
		}
		m.Sum = Sum(m)
		if err := m.Verify(); !errors.Is(err, ErrSum) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to name %q", err, want)
		}
	}
}

func TestStatusAndApprovalArePerRevision(t *testing.T) {
	m := Manifest{Revisions: make([]Revision, 5)}
	add := func(revision int, kind DecisionKind) {
		m.Decisions = append(m.Decisions, Decision{Revision: revision, Kind: kind, Round: len(m.Decisions)})
	}
	add(1, DecidedChanges)
	add(1, DecidedApproved)
	add(2, DecidedChanges)
	add(2, DecidedKept)
	add(3, DecidedChanges)
	add(4, DecidedDiscarded)
	add(5, DecidedAutoApproved)
	add(1, DecidedCompleted)
	add(1, DecidedKept)
	want := []Status{StatusApproved, StatusDraft, StatusChangesRequested, StatusDiscarded, StatusApproved, StatusDraft}
	for i, w := range want {
		if got := m.StatusOf(i + 1); got != w {
			t.Errorf("r%d is %s, want %s", i+1, got, w)
		}
	}
	if d := m.Approval(1); d == nil || d.Round != 1 {
		t.Errorf("approval of r1 is %v", d)
	}
	if m.Approval(2) != nil || m.Approval(5) == nil {
		t.Error("approvals of r2 and r5 are mixed up")
	}
}

const legacyText = `{
  "version": 2, "planId": "20260102T030405-plan-0a1b2c3d", "title": "旧计划", "status": "changes_requested",
  "storage": "persistent", "sessionId": "pi-1", "cwd": "/w", "createdAt": "2026-01-02T03:04:05.006Z", "updatedAt": "yesterday",
  "currentRevision": 2, "approvedRevision": 1, "approvedHash": "sha256:9bddb161f35580d46abd4d4391535309621452d89daf8d9ed939ec642d1ee9df",
  "tag": {"keep": 1},
  "revisions": [
    {"revision": 1, "status": "approved", "path": "revisions/r1.md", "createdAt": "2026-01-02T03:04:05Z", "approvedAt": "2026-01-02T04:00:00Z",
     "hash": "sha256:9bddb161f35580d46abd4d4391535309621452d89daf8d9ed939ec642d1ee9df", "steps": ["a"], "note": "n"},
    {"revision": 2, "status": "changes_requested", "path": "revisions/r2.md", "createdAt": "2026-01-03T03:04:05Z", "basedOn": 1,
     "hash": "sha256:5add2e4a6306bb1bb52c92869f20756aa1c9d514dbb2c9c4d2a94bc8378b0eb5"}
  ]
}`

func TestVersion2IsConverted(t *testing.T) {
	m, err := ParseManifestFor("20260102T030405-plan-0a1b2c3d", []byte(legacyText))
	if err != nil {
		t.Fatal(err)
	}
	if m.Version != 3 || !reflect.DeepEqual(m.Sessions, []string{"pi-1"}) || m.Status != StatusChangesRequested || len(m.Decisions) != 2 {
		t.Errorf("converted to %+v", m)
	}
	if d := m.Approval(1); d == nil || d.At.Format(time.RFC3339) != "2026-01-02T04:00:00Z" || d.By != ByUser {
		t.Errorf("approval is %+v", d)
	}
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseManifest(b)
	if err != nil {
		t.Fatalf("what was converted cannot be read as version 3: %v", err)
	}
	if string(again.Extra["tag"]) != `{"keep": 1}` && !bytes.Contains(b, []byte(`"keep": 1`)) || again.Revisions[0].Extra["note"] == nil {
		t.Errorf("unknown fields were lost: %s", b)
	}
	for name, change := range map[string][2]string{
		"a status that is not that of the last revision is damaged": {`"status": "changes_requested",
  "storage"`, `"status": "draft",
  "storage"`},
		"an approval of a revision that is not approved is damaged": {`"approvedRevision": 1`, `"approvedRevision": 2`},
		"an unknown status is damaged":                              {`"status": "approved"`, `"status": "blessed"`},
		"no session is damaged":                                     {`"sessionId": "pi-1", `, ``},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(legacyText, change[0], change[1], 1)
			if text == legacyText {
				t.Fatal("nothing was changed")
			}
			if _, err := ParseManifest([]byte(text)); !errors.Is(err, ErrManifest) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzParseManifest(f *testing.F) {
	f.Add(golden(f))
	f.Add([]byte(legacyText))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseManifest(b)
		if err != nil {
			if !errors.Is(err, ErrManifest) && !errors.Is(err, ErrNewerVersion) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		out, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseManifest(out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, out)
		}
		if twice, _ := again.Encode(); !bytes.Equal(twice, out) {
			t.Fatalf("encode is not stable:\n%s\n%s", out, twice)
		}
	})
}

func TestWhereAnAnnotationIs(t *testing.T) {
	cases := []struct {
		name string
		on   Annotation
		want string
	}{
		{"a comment on everything", Annotation{}, "whole plan"},
		{"one line", Annotation{Line: 3}, "line 3"},
		{"a range", Annotation{Line: 3, End: 5}, "lines 3-5"},
		{"a range of one line", Annotation{Line: 3, End: 3}, "line 3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.on.Where(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
