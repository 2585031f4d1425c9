package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"charm.land/fantasy"

	"planmode/plan/text"
)

// maxReason bounds what is repeated of a provider's own words.
const maxReason = 300

// maxWait is the longest wait that a provider may ask for and get. Beyond it the
// person decides.
const maxWait = 60 * time.Second

// failure is why a request gave no answer.
type failure struct {
	reason string        // for the person, in a few words: "overloaded"
	todo   string        // what to do about it, a sentence part; may be empty
	again  bool          // another try may succeed
	wait   time.Duration // how long the provider asked to wait
	cause  error         // for errors.Is; never printed
}

// Error is a sentence for the person.
func (f *failure) Error() string {
	if f.todo == "" {
		return f.reason
	}
	return f.reason + ": " + f.todo
}

// Unwrap gives the cause to errors.Is and errors.As alone.
func (f *failure) Unwrap() error { return f.cause }

// errIncomplete reports a stream that ended before its answer did.
var errIncomplete = errors.New("the stream ended before the answer did")

// errEndless reports an answer beyond any that is of use. Asking again would only
// bring another one.
var errEndless = fmt.Errorf("the answer is longer than %d MiB", maxAnswer>>20)

// maxAnswer bounds what one answer may hold, text, reasoning and arguments of calls
// together.
const maxAnswer = 8 << 20

// errSilent reports a stream in which nothing came for too long.
var errSilent = errors.New("nothing came for too long")

// classify says what an error of the library means. It repeats nothing but the
// provider's own message, cleaned and without the key: the library's errors hold
// whole requests.
func (m *resolved) classify(err error, w *witness) *failure {
	status, wait := w.head()
	f := &failure{cause: cleanCause(err)}
	message := ""
	var p *fantasy.ProviderError
	if errors.As(err, &p) {
		if p.StatusCode != 0 {
			status = p.StatusCode
		}
		message = p.Message
	}
	var e *fantasy.Error
	if p == nil && errors.As(err, &e) {
		message = e.Message
	}
	f.wait = retryAfter(wait)
	message = m.clean(message)
	switch {
	case p != nil && p.IsContextTooLarge():
		f.reason, f.todo = "the conversation is longer than "+m.name+" can take", "/compact shortens it, /new begins afresh"
	case errors.Is(err, errEndless):
		f.reason, f.todo = err.Error()+", so it was ended", "say in other words what is wanted, or choose another model with /model"
	case errors.Is(err, errSilent):
		f.reason, f.again = "no answer came", true
	case p != nil && p.TransientError:
		f.reason, f.again = plain(message, "overloaded"), true
	case status >= 300:
		m.byStatus(f, status, message)
	case isBroken(err), w.isBroken():
		f.reason, f.again = "the connection broke", true
	case isNetwork(err):
		f.reason = fmt.Sprintf("%s cannot be reached (%s)", m.provider.name, m.clean(innermost(err).Error()))
		f.todo = "check the network and the address"
		f.again = !errors.Is(err, syscall.ECONNREFUSED) // nobody listens there: that takes a person
	default:
		// An answer had begun: what went wrong in it may go well another time.
		f.reason, f.again = plain(message, "the answer of "+m.provider.name+" cannot be read"), status != 0
	}
	return f
}

// byStatus explains a refusal of the server.
func (m *resolved) byStatus(f *failure, status int, message string) {
	said := func(s string) string {
		if message == "" {
			return fmt.Sprintf("%s (%d)", s, status)
		}
		return fmt.Sprintf("%s (%d, %q)", s, status, message)
	}
	name := m.provider.name
	switch {
	case status == http.StatusUnauthorized:
		f.reason, f.todo = said(name+" refused the key"), "check "+m.provider.keyHint()
	case status == http.StatusForbidden:
		f.reason, f.todo = said(name+" does not let this key use "+m.name), "choose another with /model, or check the key"
	case status == http.StatusNotFound:
		f.reason, f.todo = said(name+" has no model "+m.name), "choose another with /model, or check the address"
	case status == http.StatusPaymentRequired, status == http.StatusTooManyRequests && outOfMoney(message):
		f.reason, f.todo = said("the account at "+name+" has nothing left"), "top it up, or choose another model with /model"
	case status == http.StatusRequestEntityTooLarge:
		f.reason, f.todo = said("the conversation is too large for "+name), "/compact shortens it, /new begins afresh"
	case status == http.StatusTooManyRequests:
		f.reason, f.again = "rate limited", true
	case status == 529, status == http.StatusServiceUnavailable:
		f.reason, f.again = "overloaded", true
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly, status >= 500:
		f.reason, f.again = fmt.Sprintf("server error %d", status), true
	case status < 400:
		f.reason, f.todo = said(name+" sends the request elsewhere, which is not followed"), "correct its baseURL"
	default:
		f.reason = said(name + " refused the request")
	}
}

// outOfMoney tells a limit that a wait does not lift from one that it does.
func outOfMoney(message string) bool {
	m := strings.ToLower(message)
	return strings.Contains(m, "quota") && !strings.Contains(m, "per minute") || strings.Contains(m, "billing") || strings.Contains(m, "credit balance")
}

// clean makes a provider's words fit for a screen, and takes the key out.
func (m *resolved) clean(s string) string {
	if m.key != "" {
		s = strings.ReplaceAll(s, m.key, "[key]")
	}
	return text.Truncate(text.Line(strings.ToValidUTF8(s, "?")), maxReason)
}

func plain(message, fallback string) string {
	if message == "" {
		return fallback
	}
	return message
}

// isBroken says whether a stream or connection ended in the middle.
func isBroken(err error) bool {
	var op *net.OpError
	return errors.Is(err, errIncomplete) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		fantasy.IsTransportError(err) || errors.As(err, &op) && op.Op != "dial"
}

func isNetwork(err error) bool {
	var n net.Error
	var dns *net.DNSError
	return errors.As(err, &n) || errors.As(err, &dns)
}

// innermost is the error at the bottom, which says what happened without the
// address it happened to.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// cleanCause keeps what errors.Is may ask for, and drops what holds requests.
func cleanCause(err error) error {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded, errIncomplete, errSilent, errEndless} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

// retryAfter reads a Retry-After header: seconds, a date, or our own mark for
// milliseconds. What cannot be read asks for nothing.
func retryAfter(s string) time.Duration {
	s = strings.TrimSpace(s)
	if ms, ok := strings.CutSuffix(s, "ms"); ok {
		if n, err := strconv.ParseFloat(ms, 64); err == nil && n >= 0 && n < 1e12 {
			return time.Duration(n * float64(time.Millisecond))
		}
		return 0
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 && n < 1e9 {
		return time.Duration(n * float64(time.Second))
	}
	if at, err := http.ParseTime(s); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
