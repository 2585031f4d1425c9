package web

import (
	"net/netip"
)

// reserved are the addresses that are no public ones, besides those that netip
// knows: shared, documentation, benchmark and future networks, and those of IPv6
// that lead to an IPv4 address by a way of their own.
var reserved = func() []netip.Prefix {
	var out []netip.Prefix
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
	} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}()

// public judges the address of a connection that is about to be made.
func public(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return ErrPrivate
	}
	ip := at.Addr().Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return ErrPrivate
	}
	for _, p := range reserved {
		if p.Contains(ip) {
			return ErrPrivate
		}
	}
	return nil
}
