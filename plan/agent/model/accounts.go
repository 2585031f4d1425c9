package model

// Account is a provider and where its key comes from.
type Account struct {
	Provider string
	From     string // the variable, "kept", or empty if there is none
	Problem  string // why it cannot be used now; empty if it can
}

// Accounts lists the providers in the order in which a default is looked for.
// It asks no keyring and no provider.
func (a *Agent) Accounts() []Account {
	held := a.heldKeys()
	var out []Account
	for _, p := range a.providers() {
		account := Account{Provider: p.name, Problem: a.problem(p, held)}
		if _, env := a.envKey(p); env != "" {
			account.From = env
		} else if held[p.name] {
			account.From = "kept"
		}
		out = append(out, account)
	}
	return out
}
