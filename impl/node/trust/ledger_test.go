package trust

import (
	"math"
	"testing"

	"fetchproof/impl/scheduler"
)

// TestPublishedScores: trust after n charges from 0.5 (TRU-1, section 20).
func TestPublishedScores(t *testing.T) {
	l := NewLedger(0)
	p := scheduler.Peer{1}
	if s := l.Account(p).Score; s != Neutral {
		t.Errorf("before any charge: %v", s)
	}
	for i, want := range []float64{0.438, 0.384, 0.336, 0.294, 0.258, 0.226} {
		l.Charge(p, scheduler.ChargeConnectionTimeout)
		if s := l.Account(p).Score; math.Round(s*1000)/1000 != want {
			t.Errorf("after %d charges: %v, want %v", i+1, s, want)
		}
	}
	l.Charge(p, scheduler.ChargeMalformed)
	l.Charge(p, scheduler.ChargeNone)
	a := l.Account(p)
	if a.Charges[scheduler.ChargeConnectionTimeout] != 6 || a.Charges[scheduler.ChargeMalformed] != 1 || a.Total() != 7 {
		t.Errorf("charges %v", a.Charges)
	}
}

// TestBound: a full ledger forgets the least charged peer, of several the smallest
// whatever order a map gives them in, and never the one that is charged just then.
func TestBound(t *testing.T) {
	const limit = 64
	l := NewLedger(limit)
	for i := range limit {
		for range 1 + i%2 { // the odd ones twice
			l.Charge(scheduler.Peer{byte(i)}, scheduler.ChargeMalformed)
		}
	}
	for i := range limit / 2 {
		// Charged twice, so that the next new one does not push it out.
		fresh := scheduler.Peer{limit + byte(i)}
		l.Charge(fresh, scheduler.ChargeMalformed)
		l.Charge(fresh, scheduler.ChargeMalformed)
		all := l.Accounts()
		for j := range limit {
			p := scheduler.Peer{byte(j)}
			if _, ok := all[p]; ok != (j%2 == 1 || j > 2*i) {
				t.Fatalf("after %d new ones peer %d is remembered: %v", i+1, j, ok)
			}
		}
		if len(all) != limit || all[fresh].Total() != 2 {
			t.Fatalf("%d accounts, the new one is %v", len(all), all[fresh])
		}
	}
}

// TestLimit: the number of peers that a ledger is told to remember, or the default.
func TestLimit(t *testing.T) {
	for _, c := range []struct{ peers, remembers int }{
		{1, 1}, {2, 2}, {0, 1 << 16}, {-1, 1 << 16},
	} {
		l := NewLedger(c.peers)
		for i := range c.remembers + 1 {
			l.Charge(scheduler.Peer{byte(i), byte(i >> 8), byte(i >> 16)}, scheduler.ChargeConnectionTimeout)
			if n := i + 1; n >= c.remembers {
				if got := len(l.Accounts()); got != min(n, c.remembers) {
					t.Errorf("NewLedger(%d) remembers %d of %d peers", c.peers, got, n)
				}
			}
		}
	}
}

// TestNoCharge: what is no charge, now or to this ledger, costs nobody anything.
func TestNoCharge(t *testing.T) {
	l, p := NewLedger(0), scheduler.Peer{1}
	for _, kind := range []scheduler.Charge{scheduler.ChargeNone, scheduler.ChargeConnectionTimeout + 1, 255} {
		l.Charge(p, kind)
	}
	if all := l.Accounts(); len(all) != 0 {
		t.Errorf("accounts %v", all)
	}
}

// TestCopy: what Accounts returns is the caller's.
func TestCopy(t *testing.T) {
	l, p := NewLedger(0), scheduler.Peer{1}
	l.Charge(p, scheduler.ChargeMalformed)
	clear(l.Accounts())
	if a := l.Account(p); a.Total() != 1 {
		t.Errorf("account %v", a)
	}
}
