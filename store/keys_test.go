package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeRing is a keyring in memory, or one that is not there.
type fakeRing struct {
	secrets map[string]string
	err     error
	asked   int
}

func (r *fakeRing) Set(service, account, secret string) error {
	if r.err == nil {
		r.secrets[service+"/"+account] = secret
	}
	return r.err
}

func (r *fakeRing) Get(service, account string) (string, error) {
	r.asked++
	return r.secrets[service+"/"+account], r.err
}

func (r *fakeRing) Delete(service, account string) error {
	delete(r.secrets, service+"/"+account)
	return r.err
}

func TestAKeyGoesToTheKeyringAndNeverToAFile(t *testing.T) {
	dirs := below(t.TempDir())
	ring := &fakeRing{secrets: map[string]string{}}
	keys := OpenKeys(dirs, ring)
	where, err := keys.Set("anthropic", "sk-very-secret")
	if err != nil || where != InKeyring {
		t.Fatalf("set: %q, %v", where, err)
	}
	if b, err := os.ReadFile(filepath.Join(dirs.Config, keysName)); err != nil || strings.Contains(string(b), "secret") {
		t.Errorf("the list holds the key, or is not there: %q, %v", b, err)
	}
	if got, err := keys.Get("anthropic"); err != nil || got != "sk-very-secret" {
		t.Errorf("get: %q, %v", got, err)
	}
	if err := keys.Remove("anthropic"); err != nil || len(ring.secrets) != 0 {
		t.Errorf("remove: %v, left %v", err, ring.secrets)
	}
	if _, err := keys.Get("anthropic"); !errors.Is(err, ErrNoKey) {
		t.Errorf("after remove: %v", err)
	}
}

func TestWithoutAKeyringTheFileIsReadableByThisUserAlone(t *testing.T) {
	dirs := below(t.TempDir())
	keys := OpenKeys(dirs, &fakeRing{err: errors.New("no bus")})
	if where, err := keys.Set("work", "sk-1"); err != nil || where != InFile {
		t.Fatalf("set: %q, %v", where, err)
	}
	st, err := os.Stat(filepath.Join(dirs.Config, keysName))
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if got, err := keys.Get("work"); err != nil || got != "sk-1" {
		t.Errorf("get: %q, %v", got, err)
	}
	if err := keys.Remove("work"); err != nil {
		t.Errorf("a key in the file needs no keyring to be removed: %v", err)
	}
	if err := keys.Remove("work"); !errors.Is(err, ErrNoKey) {
		t.Errorf("removed twice: %v", err)
	}
}

func TestAKeyringThatHasNothingIsNotAsked(t *testing.T) {
	ring := &fakeRing{secrets: map[string]string{}}
	keys := OpenKeys(below(t.TempDir()), ring)
	if _, err := keys.Get("openai"); !errors.Is(err, ErrNoKey) || ring.asked != 0 {
		t.Errorf("%v, asked %d times", err, ring.asked)
	}
	if held, err := keys.List(); err != nil || len(held) != 0 {
		t.Errorf("%v, %v", held, err)
	}
}

func TestABadKeyIsRefusedWithoutRepeatingIt(t *testing.T) {
	keys := OpenKeys(below(t.TempDir()), &fakeRing{secrets: map[string]string{}})
	cases := map[string]struct{ provider, key string }{
		"empty":                      {"a", ""},
		"a line break":               {"a", "sk-secret\nsk-two"},
		"an escape":                  {"a", "sk-secret\x1b[31m"},
		"no provider":                {"", "sk-secret"},
		"a provider with a slash":    {"a/b", "sk-secret"},
		"longer than any key can be": {"a", strings.Repeat("secret", 10<<10)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := keys.Set(c.provider, c.key)
			if err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAListOfKeysThatIsALinkOrDamagedIsNotUsed(t *testing.T) {
	dirs := below(t.TempDir())
	if err := os.MkdirAll(dirs.Config, 0o700); err != nil {
		t.Fatal(err)
	}
	keys := OpenKeys(dirs, &fakeRing{err: errors.New("no bus")})
	path := filepath.Join(dirs.Config, keysName)
	if err := os.WriteFile(path, []byte(`{"a":{"in":"file","key":"sk-se`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Set("b", "sk-1"); err == nil || strings.Contains(err.Error(), "sk-") {
		t.Errorf("damaged: %v", err)
	}
	target := filepath.Join(t.TempDir(), "theirs")
	if err := os.WriteFile(target, []byte(`{}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Set("b", "sk-1"); err == nil {
		t.Error("a link was followed")
	}
	if b, err := os.ReadFile(target); err != nil || string(b) != "{}" {
		t.Errorf("the target of the link is now %q, %v", b, err)
	}
}
