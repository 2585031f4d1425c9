package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Limits of what a plan may hold. Text limits marked "characters" count Unicode
// code points; the others count bytes of the normalised UTF-8 text.
const (
	MaxPlanBytes        = 256 << 10 // one revision, after normalisation
	MaxTitleChars       = 160
	MaxSummaryChars     = 2000
	MaxVerifications    = 20
	MaxVerificationChar = 500
	MaxOptions          = 3
	maxSlug             = 48
)

// ErrBadID reports text that is not a plan id. It guards every place where an
// id becomes part of a path.
var ErrBadID = errors.New("not a plan id")

// ErrBadHash reports text that is not a "sha256:" hash of 64 lower-case digits.
var ErrBadHash = errors.New("not a sha256 hash")

var (
	idPattern   = regexp.MustCompile(`^\d{8}T\d{6}-[a-z0-9][a-z0-9-]{0,47}-[a-f0-9]{8}$`)
	hashPattern = regexp.MustCompile(`^sha256:[a-f0-9]{64}$`)
)

// ID names a plan: `YYYYMMDDTHHMMSS-<slug>-<8 hex>` in UTC. It sorts by the time
// of creation and is safe as a directory name.
type ID string

// NewID makes the id of a plan created at now. The four random bytes keep two
// plans of one second and one title apart.
func NewID(now time.Time, title string, random [4]byte) ID {
	return ID(now.UTC().Format("20060102T150405") + "-" + Slug(title) + "-" + hex.EncodeToString(random[:]))
}

// ParseID checks s and returns it as an ID, or an error that wraps ErrBadID.
// Digits that are no date (month 13, hour 25) are refused as well.
func ParseID(s string) (ID, error) {
	if !idPattern.MatchString(s) {
		return "", fmt.Errorf("%w: %q", ErrBadID, s)
	}
	if _, err := time.Parse("20060102T150405", s[:15]); err != nil {
		return "", fmt.Errorf("%w: %q has no valid date", ErrBadID, s)
	}
	return ID(s), nil
}

// Created returns the creation time that the id carries, in UTC and to the
// second; the zero time if the id is malformed.
func (id ID) Created() time.Time {
	if len(id) < 15 {
		return time.Time{}
	}
	t, err := time.Parse("20060102T150405", string(id[:15]))
	if err != nil {
		return time.Time{}
	}
	return t
}

// Slug turns a title into the middle of an id: compatibility-decomposed, marks
// dropped, lower case, every other run of characters one dash, 48 characters at
// most. A title without a Latin letter or digit gives "plan".
func Slug(title string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(norm.NFKD.String(title)) {
		switch {
		case unicode.Is(unicode.M, r):
			continue
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		default:
			dash = true
		}
	}
	s := b.String()
	if len(s) > maxSlug {
		s = strings.TrimRight(s[:maxSlug], "-")
	}
	if s == "" {
		return "plan"
	}
	return s
}

// Hash is the SHA-256 of some exact bytes, written `sha256:<64 hex>`.
type Hash string

// HashOf hashes b.
func HashOf(b []byte) Hash {
	sum := sha256.Sum256(b)
	return Hash("sha256:" + hex.EncodeToString(sum[:]))
}

// ParseHash checks s and returns it as a Hash, or an error that wraps ErrBadHash.
func ParseHash(s string) (Hash, error) {
	if !hashPattern.MatchString(s) {
		return "", fmt.Errorf("%w: %q", ErrBadHash, s)
	}
	return Hash(s), nil
}

// Short is the first eight hex digits, for a screen where the whole hash does
// not fit. It is never compared.
func (h Hash) Short() string {
	s := strings.TrimPrefix(string(h), "sha256:")
	if len(s) > 8 {
		return s[:8]
	}
	return s
}
