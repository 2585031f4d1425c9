package tool

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// maxPrintBytes bounds what a kept fingerprint may unpack to.
const maxPrintBytes = 32 << 20

var errBadPrint = errors.New("not a fingerprint")

// Len is how many files and directories it holds.
func (p Print) Len() int { return len(p.files) }

// keptStamp is a stamp as it is kept: size, nanoseconds since 1970, mode.
type keptStamp [3]int64

type keptPrint struct {
	Dir   string               `json:"dir"`
	Files map[string]keptStamp `json:"files"`
}

// Encode writes the fingerprint of dir, to be compared with in a later run.
func (p Print) Encode(dir string) ([]byte, error) {
	k := keptPrint{Dir: dir, Files: make(map[string]keptStamp, len(p.files))}
	for name, s := range p.files {
		at := int64(0)
		if !s.time.IsZero() {
			at = s.time.UnixNano()
		}
		k.Files[name] = keptStamp{s.size, at, int64(s.mode)}
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := errors.Join(json.NewEncoder(z).Encode(k), z.Close())
	return b.Bytes(), err
}

// DecodePrint reads what Encode wrote, and the directory it was made of.
func DecodePrint(b []byte) (p Print, dir string, err error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return Print{}, "", fmt.Errorf("%w: %w", errBadPrint, err)
	}
	raw, err := io.ReadAll(io.LimitReader(z, maxPrintBytes+1))
	if err == nil && len(raw) > maxPrintBytes {
		err = errors.New("it is too large")
	}
	var k keptPrint
	if err == nil {
		err = json.Unmarshal(raw, &k)
	}
	if err != nil {
		return Print{}, "", fmt.Errorf("%w: %w", errBadPrint, err)
	}
	p.files = make(map[string]stamp, len(k.Files))
	for name, s := range k.Files {
		var at time.Time
		if s[1] != 0 {
			at = time.Unix(0, s[1])
		}
		p.files[name] = stamp{s[0], at, fs.FileMode(s[2])}
	}
	return p, k.Dir, nil
}
