// Package trust is the ledger in which holders are charged for what they did not
// do (TRU-1).
package trust

import (
	"maps"
	"sync"

	"fetchproof/impl/scheduler"
)

// The figures of TRU-1.
const (
	// Neutral is the score of a peer that was never charged.
	Neutral = 0.5
	// Factor is what a charge multiplies a score by.
	Factor = 0.876
)

// DefaultPeers is how many charged peers a ledger remembers unless told otherwise.
const DefaultPeers = 1 << 16

// Account is what a ledger knows of one peer.
type Account struct {
	// Score is Neutral × Factor to the number of charges.
	Score float64
	// Charges counts the charges of each kind; the first, of no charge, is 0.
	Charges [scheduler.ChargeConnectionTimeout + 1]uint64
}

// Total is the number of charges of all kinds.
func (a Account) Total() (n uint64) {
	for _, c := range a.Charges {
		n += c
	}
	return n
}

// Ledger remembers who was charged. It is safe for concurrent use and never blocks
// for longer than a few map accesses, but for a charge of a new peer when it is
// full.
type Ledger struct {
	limit int

	mu       sync.Mutex
	accounts map[scheduler.Peer]Account
}

// NewLedger makes a ledger that remembers at most peers charged peers; below 1
// counts as DefaultPeers.
func NewLedger(peers int) *Ledger {
	if peers < 1 {
		peers = DefaultPeers
	}
	return &Ledger{limit: peers, accounts: make(map[scheduler.Peer]Account)}
}

// Charge charges a peer once. A full ledger forgets the peer with the highest
// score to make room, of several the smallest: so peers charged often stay.
func (l *Ledger) Charge(peer scheduler.Peer, kind scheduler.Charge) {
	if kind == scheduler.ChargeNone || kind > scheduler.ChargeConnectionTimeout {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	a, known := l.accounts[peer]
	if !known {
		a.Score = Neutral
		if len(l.accounts) >= l.limit {
			delete(l.accounts, l.leastCharged())
		}
	}
	a.Score *= Factor
	a.Charges[kind]++
	l.accounts[peer] = a
}

func (l *Ledger) leastCharged() (least scheduler.Peer) {
	best := -1.0
	for p, a := range l.accounts {
		if a.Score > best || a.Score == best && string(p[:]) < string(least[:]) {
			best, least = a.Score, p
		}
	}
	return least
}

// Account is what is known of a peer: a neutral account if it was never charged.
func (l *Ledger) Account(peer scheduler.Peer) Account {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a, ok := l.accounts[peer]; ok {
		return a
	}
	return Account{Score: Neutral}
}

// Accounts is a copy of all accounts of charged peers.
func (l *Ledger) Accounts() map[scheduler.Peer]Account {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.accounts)
}
