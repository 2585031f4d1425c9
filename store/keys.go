package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	keysName  = "keys.json"
	keysLimit = 1 << 20
	keyLimit  = 16 << 10
)

// Where a key is kept. The strings are written to disk.
const (
	InKeyring = "keyring"
	InFile    = "file"
)

// ErrNoKey reports a provider for which no key is kept.
var ErrNoKey = errors.New("no key is kept for it")

// Keyring is the keyring of the operating system.
type Keyring interface {
	Set(service, account, secret string) error
	Get(service, account string) (string, error)
	Delete(service, account string) error
}

// Keys keeps the keys of model providers: in the keyring of the operating
// system or, where there is none, in a file that only this user can read. Which
// of both is noted in that file, so that nobody asks a keyring that has nothing.
// No error of it holds a key.
type Keys struct {
	dirs Dirs
	ring Keyring
}

// OpenKeys opens the keys. Nothing is read before it is asked for. A nil ring
// is the operating system's.
func OpenKeys(dirs Dirs, ring Keyring) *Keys {
	if ring == nil {
		ring = systemKeyring{}
	}
	return &Keys{dirs: dirs, ring: ring}
}

// Held says of one key where it is kept, and not what it is.
type Held struct {
	Provider string
	In       string // InKeyring or InFile
}

// kept is a key as keys.json has it.
type kept struct {
	In  string `json:"in"`
	Key string `json:"key,omitempty"` // only in the file
}

// service keeps the keys of one configuration apart from those of another.
func (k *Keys) service() string {
	sum := sha256.Sum256([]byte(k.dirs.Config))
	return folder + "-" + hex.EncodeToString(sum[:4])
}

// Set keeps a key and says where. What was kept for the provider is replaced.
func (k *Keys) Set(provider, key string) (where string, err error) {
	if err := checkKey(provider, key); err != nil {
		return "", err
	}
	entry := kept{In: InKeyring}
	if k.ring.Set(k.service(), provider, key) != nil {
		entry = kept{In: InFile, Key: key} // no keyring, or a locked one
	}
	err = k.change(func(all map[string]kept) { all[provider] = entry })
	return entry.In, err
}

func checkKey(provider, key string) error {
	switch {
	case provider == "" || len(provider) > 100 || strings.ContainsAny(provider, "/ \t\r\n"):
		return errors.New("the name of a provider is one word without a slash")
	case key == "":
		return errors.New("the key is empty")
	case len(key) > keyLimit:
		return fmt.Errorf("the key is longer than %d bytes", keyLimit)
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return errors.New("the key holds a blank or a character that no key has; nothing was kept")
		}
	}
	return nil
}

// Get returns the key of a provider; the error is ErrNoKey if none is kept.
func (k *Keys) Get(provider string) (string, error) {
	all, err := k.read()
	if err != nil {
		return "", err
	}
	entry, ok := all[provider]
	switch {
	case !ok:
		return "", ErrNoKey
	case entry.In == InFile:
		return entry.Key, nil
	}
	key, err := k.ring.Get(k.service(), provider)
	if err != nil {
		return "", fmt.Errorf("ask the keyring for the key of %s: %w", provider, err)
	}
	return key, nil
}

// List says which keys are kept, in the order of their names. It does not ask
// the keyring.
func (k *Keys) List() ([]Held, error) {
	all, err := k.read()
	var out []Held
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, Held{name, all[name].In})
	}
	return out, err
}

// Remove forgets a key; the error is ErrNoKey if none was kept.
func (k *Keys) Remove(provider string) error {
	all, err := k.read()
	if err != nil {
		return err
	}
	entry, ok := all[provider]
	if !ok {
		return ErrNoKey
	}
	if entry.In == InKeyring {
		if err := k.ring.Delete(k.service(), provider); err != nil {
			return fmt.Errorf("remove the key of %s from the keyring: %w", provider, err)
		}
	}
	return k.change(func(all map[string]kept) { delete(all, provider) })
}

func (k *Keys) read() (map[string]kept, error) {
	d, err := openExisting(k.dirs.Config, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of keys: %w", err)
	}
	defer d.close()
	all, _, err := readKeys(d)
	return all, err
}

func readKeys(d *dir) (map[string]kept, []byte, error) {
	b, err := d.readFile(keysName, keysLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]kept{}, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the list of keys: %w", err)
	}
	all := map[string]kept{}
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, nil, fmt.Errorf("%s is damaged; remove it and set the keys again", d.join(keysName))
	}
	return all, b, nil
}

// change rewrites the list under its lock.
func (k *Keys) change(do func(map[string]kept)) error {
	d, err := openRoot(k.dirs.Config, nil)
	if err != nil {
		return fmt.Errorf("keep the list of keys: %w", err)
	}
	defer d.close()
	lock, err := d.lock(lockName, "the configuration", lockWait, time.Now())
	if err != nil {
		return fmt.Errorf("keep the list of keys: %w", err)
	}
	defer lock.release()
	all, was, err := readKeys(d)
	if err != nil {
		return err
	}
	do(all)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(all); err != nil {
		return fmt.Errorf("keep the list of keys: %w", err)
	}
	return d.replace(keysName, was, b.Bytes())
}
