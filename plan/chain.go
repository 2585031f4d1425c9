package plan

import (
	"errors"
	"fmt"
)

// ErrSum reports a manifest whose sum, chain or digest does not match its
// content. It guards against accidents, not against a forger: no key is used.
var ErrSum = errors.New("manifest does not match its checksums")

// The first lines of what is hashed keep the two kinds of hash apart.
const (
	chainDomain    = "planmode/chain/v1"
	decisionDomain = "planmode/decision/v1"
)

// Chain is the chain value of r, given that of the revision before it (empty
// for the first). It binds the text, the description and all that came before;
// steps are left out because they are derived from the text.
func Chain(prev Hash, r Revision) Hash {
	facts := struct {
		Revision  int      `json:"revision"`
		BasedOn   int      `json:"basedOn,omitempty"`
		Author    Actor    `json:"author"`
		Title     string   `json:"title"`
		CreatedAt Time     `json:"createdAt"`
		Language  string   `json:"language,omitempty"`
		Options   []Option `json:"options,omitempty"`
	}{r.Revision, r.BasedOn, r.Author, r.Title, r.CreatedAt, r.Language, r.Options}
	return HashOf(lines(chainDomain, string(prev), string(r.Hash), mustCanonical(facts)))
}

// Digest is the digest of d, given the chain value of the revision it decides.
func Digest(chain Hash, d Decision) Hash {
	return HashOf(lines(decisionDomain, string(chain), mustCanonical(d, "digest")))
}

// Sum is the sum of m over everything but the sum itself.
func Sum(m Manifest) Hash { return HashOf([]byte(mustCanonical(m.filled(), "sum"))) }

// mustCanonical is for our own values. They hold strings and integers only, and
// their extra fields were JSON already, so no input can make it fail.
func mustCanonical(v any, drop ...string) string {
	b, err := canonical(v, drop...)
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err))
	}
	return string(b)
}

func lines(parts ...string) []byte {
	var b []byte
	for i, p := range parts {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, p...)
	}
	return b
}

// Verify recomputes the sum, every chain value and every digest. The error wraps
// ErrSum and names the first that differs.
func (m Manifest) Verify() error { return m.verify(Sum(m)) }

// verify is Verify for a caller that knows the sum of the content.
func (m Manifest) verify(got Hash) error {
	if got != m.Sum {
		return fmt.Errorf("%w: sum is %s, content gives %s", ErrSum, m.Sum.Short(), got.Short())
	}
	var prev Hash
	for _, r := range m.Revisions {
		if got := Chain(prev, r); got != r.Chain {
			return fmt.Errorf("%w: chain of r%d is %s, content gives %s", ErrSum, r.Revision, r.Chain.Short(), got.Short())
		}
		prev = r.Chain
	}
	for i, d := range m.Decisions {
		r := m.Find(d.Revision)
		if r == nil {
			return fmt.Errorf("%w: decision %d is about r%d, which does not exist", ErrSum, i+1, d.Revision)
		}
		if got := Digest(r.Chain, d); got != d.Digest {
			return fmt.Errorf("%w: digest of decision %d (%s r%d) is %s, content gives %s",
				ErrSum, i+1, d.Kind, d.Revision, d.Digest.Short(), got.Short())
		}
	}
	return nil
}
