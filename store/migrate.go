package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"time"
)

const (
	legacyConfigName = "plan-mode.json"
	migratedSuffix   = ".migrated"
)

// migrateConfig makes config.json from a legacy file, once. All its fields are
// taken over; the legacy file is renamed, not deleted. A legacy file with
// anything wrong in it is left alone.
func migrateConfig(dirs Dirs, probe Probe) (Config, []string) {
	legacy := filepath.Join(dirs.Config, legacyConfigName)
	if _, err := readConfigFile(legacy); errors.Is(err, fs.ErrNotExist) {
		// Somebody may have migrated it since config.json was looked for.
		path := filepath.Join(dirs.Config, configName)
		if b, err := readConfigFile(path); err == nil {
			return parseConfig(path, b)
		}
		return DefaultConfig(), nil
	}
	c, warnings, err := migrateLocked(dirs, probe)
	if err != nil {
		return DefaultConfig(), []string{fmt.Sprintf("%s: %v; it is left as it is, and the defaults are used", legacy, err)}
	}
	return c, warnings
}

func migrateLocked(dirs Dirs, probe Probe) (Config, []string, error) {
	d, err := openExisting(dirs.Config, probe)
	if err != nil {
		return Config{}, nil, err
	}
	defer d.close()
	lock, err := d.lock(lockName, "the configuration", lockWait, time.Now())
	if err != nil {
		return Config{}, nil, err
	}
	defer lock.release()
	if b, err := d.readFile(configName, configLimit); err == nil { // somebody was faster
		c, warnings := parseConfig(d.join(configName), b)
		return c, warnings, nil
	}
	b, err := d.readFile(legacyConfigName, configLimit)
	if err != nil {
		return Config{}, nil, err
	}
	if _, err := legacyFields(b); err != nil {
		return Config{}, nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(b), "", "  "); err != nil {
		return Config{}, nil, err
	}
	out.WriteByte('\n')
	if err := d.create(configName, out.Bytes()); err != nil {
		return Config{}, nil, err
	}
	c, warnings := parseConfig(d.join(configName), out.Bytes())
	note := fmt.Sprintf("%s: its settings were moved to %s", d.join(legacyConfigName), configName)
	if err := d.rename(legacyConfigName, legacyConfigName+migratedSuffix); err != nil {
		note += fmt.Sprintf(", but it could not be renamed: %v", err)
	}
	return c, append(warnings, note), nil
}

// legacyFields reads a legacy file, whose one setting must be valid.
func legacyFields(b []byte) (map[string]any, error) {
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil || fields == nil {
		return nil, fmt.Errorf("it is not a JSON object (%w)", cause(err))
	}
	if language, ok := fields["contentLanguage"]; ok {
		text, _ := language.(string)
		if err := oneOf("auto", "en", "zh-CN")(text); err != nil {
			return nil, fmt.Errorf("contentLanguage: %w", err)
		}
	}
	return fields, nil
}

// ignoredLegacy warns of a legacy file beside config.json that says something
// else.
func ignoredLegacy(dirs Dirs, config []byte) []string {
	path := filepath.Join(dirs.Config, legacyConfigName)
	b, err := readConfigFile(path)
	if err != nil {
		return nil
	}
	var now map[string]any
	old, err := legacyFields(b)
	if err == nil && json.Unmarshal(config, &now) == nil {
		same := true
		for name, v := range old {
			same = same && reflect.DeepEqual(v, now[name])
		}
		if same {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s is ignored, because %s exists", path, configName)}
}
