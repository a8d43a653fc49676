package node

import (
	"fmt"
	"strings"

	"fetchproof/impl/scheduler"
)

// Policy says which of the two changes a node has, as a requester and as a
// responder, so that fleets before and after them can be compared and mixed.
type Policy uint8

// The policies.
const (
	// Before has neither change: as many attempts at a holder as there are slots,
	// no source ever silent, and silence for refused requests (section 2).
	Before Policy = iota
	// Share keeps within a holder's share, and takes silent holders for silent.
	Share
	// Busy asks for busy replies and gives them.
	Busy
	// ShareAndBusy has both changes.
	ShareAndBusy
)

var policyNames = [...]string{"before", "share", "busy", "share-and-busy"}

// String is the policy's name.
func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return fmt.Sprintf("policy(%d)", uint8(p))
}

// ParsePolicy reads a policy's name.
func ParsePolicy(s string) (Policy, error) {
	for i, name := range policyNames {
		if s == name {
			return Policy(i), nil
		}
	}
	return 0, fmt.Errorf("node: policy %q, want one of %s", s, strings.Join(policyNames[:], ", "))
}

func (p Policy) share() bool { return p == Share || p == ShareAndBusy }

func (p Policy) busy() bool { return p == Busy || p == ShareAndBusy }

// scheduler is cfg under the policy.
func (p Policy) scheduler(cfg scheduler.Config) scheduler.Config {
	if !p.share() {
		cfg.Share, cfg.Silence = cfg.Slots, false
	}
	return cfg
}
