package pull

import "regexp"

// secrets are forms that hardly anything but a secret has.
var secrets = regexp.MustCompile(`gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bsk-[A-Za-z0-9_-]{20,}|` +
	`\b[rs]k_live_[A-Za-z0-9]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|\bAIza[\w-]{35}|glpat-[\w-]{20,}|\bnpm_[A-Za-z0-9]{36}\b|` +
	`\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY`)

// keyBlock is a private key with its lines, or what is there of it.
var keyBlock = regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)`)

const masked = "[what looks like a secret is left out]"

// Mask leaves out of a quote what looks like a secret.
func Mask(s string) string {
	if !secrets.MatchString(s) {
		return s
	}
	return secrets.ReplaceAllString(keyBlock.ReplaceAllString(s, masked), masked)
}
