package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// PermissionsConfig holds the person's own rules, as they are written: what is
// always denied and what is always allowed.
type PermissionsConfig struct {
	Deny  []string `json:"deny"`
	Allow []string `json:"allow"`
}

// permissions reads the rules. Whatever is no text among those that deny is kept
// as one that nobody can read, since such a rule denies more, not less.
func (c *Config) permissions(r *configReader) {
	raw, ok := r.take("permissions")
	if !ok {
		return
	}
	inner := &configReader{name: r.name, prefix: "permissions.", taken: r.taken}
	if err := json.Unmarshal(raw, &inner.fields); err != nil || inner.fields == nil {
		r.warn("permissions: it is not an object; no deny rule in it can be read")
		c.Permissions.Deny = []string{unreadable(raw)}
		return
	}
	for name, raw := range inner.fields {
		if string(raw) == "null" { // no rules, as this program writes it
			delete(inner.fields, name)
		}
	}
	if deny, ok := inner.take("permissions.deny"); ok {
		c.Permissions.Deny = denyRules(inner, deny)
		r.taken["permissions.deny"] = true
	}
	field(inner, "permissions.allow", &c.Permissions.Allow, nil)
	inner.unknown()
	r.warnings = append(r.warnings, inner.warnings...)
}

func denyRules(r *configReader, raw json.RawMessage) []string {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		r.warn("permissions.deny: it is not a list; no rule in it can be read")
		return []string{unreadable(raw)}
	}
	var out []string
	for _, item := range items {
		var text string
		if err := json.Unmarshal(item, &text); err != nil || string(item) == "null" {
			r.warn("permissions.deny: %s is not a text", unreadable(item))
			text = unreadable(item)
		}
		out = append(out, text)
	}
	return out
}

// unreadable is JSON as the text of a rule that cannot be read: no tool is named
// like it.
func unreadable(raw json.RawMessage) string { return "?" + string(bytes.TrimSpace(raw)) }

// ErrConfigLink reports a configuration that is a symbolic link: replacing it
// would part it from the file that the person keeps.
var ErrConfigLink = errors.New("it is a symbolic link, which planmode does not write through; add the rule there yourself")

// AllowRule adds a rule to permissions.allow of the configuration. Everything else
// in the file stays, in its order. Nothing is changed when the rule is there, or
// when the file cannot be understood.
func (s *Store) AllowRule(rule string) error {
	d, err := openRoot(s.dirs.Config, s.opt.Probe)
	if err != nil {
		return fmt.Errorf("add a rule to the configuration: %w", err)
	}
	defer d.close()
	lock, err := d.lock(lockName, "the configuration", lockWait, time.Now())
	if err != nil {
		return fmt.Errorf("add a rule to the configuration: %w", err)
	}
	defer lock.release()
	if err := addRule(d, rule); err != nil {
		return fmt.Errorf("add a rule to %s: %w", d.join(configName), err)
	}
	return nil
}

func addRule(d *dir, rule string) error {
	was, err := d.readFile(configName, configLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		was = nil
	case errors.Is(err, ErrSymlink):
		return ErrConfigLink
	case err != nil:
		return err
	}
	now, err := withRule(was, rule)
	if err != nil || bytes.Equal(now, was) {
		return err
	}
	return d.replace(configName, was, now)
}

// withRule is the configuration with one more rule that allows.
func withRule(was []byte, rule string) ([]byte, error) {
	root, err := readObject(was)
	if err != nil {
		return nil, fmt.Errorf("it is not a JSON object (%w)", err)
	}
	permissions, err := readObject(root.get("permissions"))
	if err != nil {
		return nil, fmt.Errorf("permissions is not an object (%w)", err)
	}
	var allow []string
	if raw := permissions.get("allow"); raw != nil {
		if err := json.Unmarshal(raw, &allow); err != nil {
			return nil, fmt.Errorf("permissions.allow is not a list of texts (%w)", err)
		}
	}
	if slices.Contains(allow, rule) {
		return was, nil
	}
	permissions.set("allow", encoded(append(allow, rule)))
	root.set("permissions", permissions.json())
	var out bytes.Buffer
	if err := json.Indent(&out, root.json(), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Unread says that there is a configuration that could not be read: what the
// person denied in it is not known.
func (c Config) Unread() bool { return c.unread }
