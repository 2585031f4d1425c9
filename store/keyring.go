package store

import (
	"errors"
	"time"

	"github.com/zalando/go-keyring"

	"planmode/plan/process"
)

// keyringWait is how long a keyring may take: one that is locked asks the person
// in a window, which nobody may be there to see.
const keyringWait = 20 * time.Second

// errKeyringSilent reports a keyring that did not answer.
var errKeyringSilent = errors.New("it did not answer; unlock it, or set the variable of the provider")

// systemKeyring is the keyring of the operating system.
type systemKeyring struct{}

// Set implements Keyring.
func (systemKeyring) Set(service, account, secret string) error {
	_, err := waited(func() (string, error) { return "", keyring.Set(service, account, secret) })
	return err
}

// Get implements Keyring.
func (systemKeyring) Get(service, account string) (string, error) {
	return waited(func() (string, error) { return keyring.Get(service, account) })
}

// Delete implements Keyring. What is not there any more counts as deleted.
func (systemKeyring) Delete(service, account string) error {
	_, err := waited(func() (string, error) { return "", keyring.Delete(service, account) })
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}

func waited(ask func() (string, error)) (string, error) {
	type answer struct {
		secret string
		err    error
	}
	got := make(chan answer, 1)
	process.Go("keyring", func() {
		secret, err := ask()
		got <- answer{secret, err}
	})
	timer := time.NewTimer(keyringWait)
	defer timer.Stop()
	select {
	case a := <-got:
		return a.secret, a.err
	case <-timer.C:
		return "", errKeyringSilent
	}
}
